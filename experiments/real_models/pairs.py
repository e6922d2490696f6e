"""Chapter 14: minimal pairs of real English, in the forms of its five constructions, judged by SmolLM2 and by MiniLM.

A pair has the same words but the form of one verb. Forty pairs of each construction are drawn from lists of nouns and
verbs; in half of them the subject is plural. Beside the noun of the subject stands one of the other number, in three of
the five forms between it and its verb.
"""

import random

import torch
from torch import Tensor
from torch.nn import functional as F

from experiments.real_models.reading import START, losses, smollm2
from transformer_course.published.packages import load_minilm

NUMBER, SEED, FOLDS = 40, 0, 5
PEOPLE = [
    "teacher", "doctor", "farmer", "lawyer", "painter", "driver", "student", "singer", "writer", "gardener",
    "neighbor", "manager", "soldier", "visitor", "dancer", "sailor",
]  # fmt: skip
TRANSITIVE = [
    ("sees", "see"), ("helps", "help"), ("knows", "know"), ("likes", "like"), ("visits", "visit"),
    ("remembers", "remember"), ("follows", "follow"), ("trusts", "trust"), ("calls", "call"), ("admires", "admire"),
]  # fmt: skip
ENDS = [
    ("is", "are", "very tired"), ("was", "were", "in the garden"), ("has", "have", "a new car"),
    ("works", "work", "in the city"), ("lives", "live", "near the river"), ("sings", "sing", "on Sundays"),
    ("sleeps", "sleep", "in the afternoon"), ("reads", "read", "a lot of books"),
]  # fmt: skip
PAST = ["saw", "helped", "met", "invited", "followed", "called"]
FORMS = ("object", "question", "subject clause", "object clause", "owner")
Pair = tuple[str, str]


def draw_pairs(form: str, seed: int = SEED) -> list[Pair]:
    """Draw pairs of one form, a right and a wrong sentence each; no pair twice."""
    rng = random.Random(f"{form} {seed}")
    found: list[Pair] = []
    while len(found) < NUMBER:
        pair = _pair(rng, form, plural=len(found) % 2 == 1)
        if pair not in found:
            found.append(pair)
    return found


def _pair(rng: random.Random, form: str, plural: bool) -> Pair:
    subject, other = rng.sample(PEOPLE, 2)
    subject, other = (subject + "s", other) if plural else (subject, other + "s")
    if form in ("object", "question"):
        forms = rng.choice(TRANSITIVE)
        right, wrong = forms[plural], forms[not plural]
        if form == "object":
            return f"The {subject} {right} the {other}.", f"The {subject} {wrong} the {other}."
        do, base = ("Do", "Does") if plural else ("Does", "Do"), forms[1]
        return tuple(f"{each} the {subject} {base} the {other}?" for each in do)
    forms = rng.choice(ENDS)
    right, wrong, rest = forms[plural], forms[not plural], forms[2]
    if form == "subject clause":
        before = f"The {subject} who {rng.choice(PAST)} the {other}"
    elif form == "object clause":
        before = f"The {subject} that the {other} {rng.choice(PAST)}"
    else:
        owner = f"{other}'s" if plural else f"{other}'"  # the other noun comes first, and owns
        before = f"The {owner} {subject}"
    return f"{before} {right} {rest}.", f"{before} {wrong} {rest}."


def run() -> dict:
    """Let SmolLM2 give both sentences of each pair a probability, and look whether MiniLM's vectors tell them apart."""
    rows = []
    reader = load_minilm()
    for form in FORMS:
        pairs = draw_pairs(form)
        right, wrong = (torch.stack([log_probability(pair[side]) for pair in pairs]) for side in (0, 1))
        vectors = [reader.vectors([pair[side] for pair in pairs]) for side in (0, 1)]
        shuffled = torch.randperm(NUMBER, generator=torch.Generator().manual_seed(SEED))
        rows.append(
            {
                "form": form,
                "example": list(pairs[0]),
                "smollm2": (right > wrong).float().mean().item(),
                "margin": (right - wrong).mean().item(),
                "cosine of a pair": (vectors[0] * vectors[1]).sum(-1).mean().item(),
                "cosine of others": (vectors[0] * vectors[0][shuffled]).sum(-1).mean().item(),
                "probe": probed(*vectors),
                "probe, labels drawn": probed(*_exchanged(*vectors)),
            }
        )
    return {"number": NUMBER, "seed": SEED, "folds": FOLDS, "rows": rows}


@torch.inference_mode()
def log_probability(sentence: str) -> Tensor:
    """Add up the log probabilities of a sentence's tokens."""
    tokens = torch.tensor([[START, *smollm2().text.encode(sentence)]])
    return -losses(smollm2().model(tokens), tokens).sum()


def probed(right: Tensor, wrong: Tensor) -> float:
    """Learn a direction that tells right from wrong, on four fifths of the pairs; give the share of the others.

    A pair counts as right if the right sentence lies further in that direction: as fair as SmolLM2's comparison.
    """
    hits = 0.0
    differences = right - wrong
    for fold in range(FOLDS):
        test = torch.arange(len(right)) % FOLDS == fold
        direction = torch.zeros(right.shape[1], requires_grad=True)
        optimizer = torch.optim.Adam([direction], lr=0.05)
        for _ in range(300):
            optimizer.zero_grad()
            (F.softplus(-10 * differences[~test] @ direction).mean() + 1e-3 * direction.square().sum()).backward()
            optimizer.step()
        hits += (differences[test] @ direction.detach() > 0).sum().item()
    return hits / len(right)


def _exchanged(right: Tensor, wrong: Tensor) -> tuple[Tensor, Tensor]:
    """Exchange right and wrong in half of the pairs, drawn at random: nothing is left to learn."""
    turned = torch.rand(len(right), 1, generator=torch.Generator().manual_seed(SEED)) < 0.5
    return torch.where(turned, wrong, right), torch.where(turned, right, wrong)
