"""Gaps, labels and agreement: all runs of chapter 14, `python -m experiments.masked_language`.

Resumable: what is in the result file is not run again, and pretrained weights are kept in `_scratch`.
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import torch
from torch import Tensor
from tqdm import tqdm

from experiments.masked_language.pretraining import (
    Text,
    accuracy,
    fine_tune,
    gap_loss,
    hide,
    labelled_tensors,
    load_text,
    prefers_the_right_form,
    pretrain,
)
from experiments.results import Results
from transformer_course.data.agreement_pairs import FRAMES, Group, draw_groups
from transformer_course.masked_language_model import MaskedLanguageModel, SentenceClassifier, pseudo_log_likelihood

SEEDS = (0, 1, 2)
SIZES = {"d_model": 64, "num_heads": 4, "num_layers": 2, "d_ff": 256, "max_length": 32}
PRETRAINING = {"learning_rate": 4e-3, "max_tokens": 512, "probability": 0.3}
LONG, MIDDLE, SHORT = 4500, 1500, 500
"""Updates of pretraining: of the model of the chapter, with few clauses, and of each recipe."""
TEXT = {"num_corpus": 20_000, "num_clauses": 12_000}
FEW_CLAUSES = {"num_corpus": 40_000, "num_clauses": 0}
"""About as many sentences, in which a relative clause after the subject is rare."""
FINE_TUNING = {"num_updates": 300, "learning_rate": 1e-3, "batch": 32}
SHARES = {
    "80, 10, 10": (0.8, 0.1),
    "all hidden": (1.0, 0.0),
    "all hidden, fewer": (1.0, 0.0),
    "random only": (0.0, 1.0),
    "kept only": (0.0, 0.0),
}
"""The recipes: of the chosen words, how many are hidden and how many replaced; the others stay."""
FEWER = {"all hidden, fewer": 0.24}
"""Recipes that choose another share of the words: here as many are hidden as by the mixture."""
NUM_LABELS = (20, 100, 500, 2000)
NUM_TEST = 250
LOOKS = 12
SETTINGS = {
    "sizes": SIZES,
    "text": TEXT,
    "few_clauses": FEW_CLAUSES,
    "pretraining": PRETRAINING,
    "updates": [LONG, MIDDLE, SHORT],
    "fine_tuning": FINE_TUNING,
    "num_test": NUM_TEST,
}
KEPT = Path(__file__).parents[1] / "_scratch" / "masked_language"


@cache
def sentences(few_clauses: bool = False) -> tuple[Text, list[Group], list[Group]]:
    """Draw the text, and groups to learn from and to test on: no sentence is in two of the three."""
    text = load_text(**(FEW_CLAUSES if few_clauses else TEXT))
    groups = draw_groups(NUM_TEST + NUM_LABELS[-1] // 4, 1, set(text.words))
    return text, groups[NUM_TEST:], groups[:NUM_TEST]


def new_model(text: Text, seed: int) -> MaskedLanguageModel:
    """Make an untrained model."""
    torch.manual_seed(seed)
    return MaskedLanguageModel(len(text.vocabulary), **SIZES)


def by_frame(model: MaskedLanguageModel, test: Sequence[Group], text: Text, shown: str = "mask") -> dict[str, float]:
    """Give the share of minimal pairs whose right form the model prefers, for each frame."""
    right = prefers_the_right_form(model, test, text, shown)
    frames = [group.frame for group in test for _ in group.pairs]
    return {frame: right[torch.tensor([each == frame for each in frames])].double().mean().item() for frame in FRAMES}


def scores(model: MaskedLanguageModel, test: Sequence[Group], text: Text) -> Tensor:
    """Give the pseudo-log-likelihood of right and wrong sentences, ``(2, pairs)``."""
    pairs = [pair for group in test for pair in group.pairs]
    both = [text.encode([pair[side] for pair in pairs]) for side in (0, 1)]
    return torch.stack([pseudo_log_likelihood(model, tokens, text.mask_id) for tokens in both])


def ranked_right(right: Tensor, wrong: Tensor) -> float:
    """Give the share of all couples, a right and a wrong sentence, in which the right one has more (the AUC)."""
    return (right[:, None] > wrong[None, :]).double().mean().item()


def copies(model: MaskedLanguageModel, text: Text) -> float:
    """Give the probability that a model gives to the word that stands there for all to see, on average."""
    tokens = text.encode([text.vocabulary.decode(each.tolist()) for each in text.held_out[::5]])
    with torch.no_grad():
        said = model(tokens).softmax(dim=-1).gather(2, tokens[..., None])[..., 0]
    return said[tokens != 0].mean().item()


def measures(model: MaskedLanguageModel, test: Sequence[Group], text: Text, with_scores: bool) -> dict:
    """Measure a pretrained model without a label."""
    loss, guessed = gap_loss(model, text.held_out[::2], text.mask_id)
    found = {
        "gap_loss": round(loss, 4),
        "guessed": round(guessed, 4),
        "copies": round(copies(model, text), 4),
        "form": {shown: _rounded(by_frame(model, test, text, shown)) for shown in ("mask", "wrong", "right")},
    }
    if with_scores:
        right, wrong = scores(model, test, text)
        found["pairs"] = round((right > wrong).double().mean().item(), 4)
        found["ranked"] = round(ranked_right(right, wrong), 4)
    return found


def pretrained(
    name: str, updates: int, few_clauses: bool, seed: int, results: Results
) -> tuple[MaskedLanguageModel, Text, list[Group], list[Group]]:
    """Pretrain a model and measure it, or load what was kept."""
    text, train, test = sentences(few_clauses)
    model, file = new_model(text, seed), KEPT / f"{name} {updates} {few_clauses} {seed}.pt"
    key = {"kind": "pretraining", "shares": name, "pretraining": updates, "few_clauses": few_clauses, "seed": seed}
    if results.has(**key) and file.exists():
        model.load_state_dict(torch.load(file))
        return model.eval(), text, train, test
    ask = hide(text.mask_id, len(text.vocabulary), SHARES[name], FEWER.get(name, PRETRAINING["probability"]))
    looks: list[dict] = []

    def look(update: int) -> None:
        if updates > SHORT and update % (updates // LOOKS) == 0:
            looks.append({"update": update, "form": _rounded(by_frame(model, test, text))})

    settings = {name: PRETRAINING[name] for name in ("learning_rate", "max_tokens")}
    run = pretrain(model, text.train, ask, updates, seed, look=look, **settings)
    KEPT.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), file)
    if not results.has(**key):
        results.add(**key, seconds=round(run.seconds, 1), looks=looks, **measures(model, test, text, updates > SHORT))
    return model, text, train, test


@dataclass(frozen=True)
class Labels:
    """A run with labels: how it starts, and how much it learns from."""

    start: str
    seed: int
    labels: int
    updates: int = FINE_TUNING["num_updates"]
    frozen: bool = False
    shares: str = "80, 10, 10"
    pretraining: int = LONG
    few_clauses: bool = False


def plan() -> list[Labels]:
    """List all runs, what the chapter needs most first; a pretrained start that is not there yet is made."""
    usual = FINE_TUNING["num_updates"]
    runs = []
    for seed in SEEDS:
        runs += [Labels("pretrained", seed, number) for number in NUM_LABELS]
        runs += [Labels("pretrained", seed, 500, usual // 5), Labels("pretrained", seed, 500, frozen=True)]
    runs += [Labels("pretrained", seed, 500, pretraining=MIDDLE, few_clauses=True) for seed in SEEDS]
    runs += [Labels("pretrained", seed, 500, pretraining=LONG, few_clauses=True) for seed in SEEDS]
    runs += [Labels("pretrained", seed, 500, shares=name, pretraining=SHORT) for seed in SEEDS for name in SHARES]
    # From scratch: no gaps, and twice the updates.
    runs += [Labels("scratch", seed, 500, 2 * usual, pretraining=0) for seed in SEEDS]
    return runs


def with_labels(run: Labels, results: Results) -> dict:
    """Let a classifier learn some labels, and measure what it has learned and what is left of the gaps."""
    if run.start == "pretrained":
        model, text, train, test = pretrained(run.shares, run.pretraining, run.few_clauses, run.seed, results)
    else:
        text, train, test = sentences()
        model = new_model(text, run.seed)
    torch.manual_seed(run.seed)
    classifier = SentenceClassifier(model, SIZES["d_model"], 2)
    tokens, labels = labelled_tensors(train, text)
    # Whole groups of four, others for each seed.
    first = (run.seed * run.labels // 4) % (len(train) - run.labels // 4 + 1)
    rows = slice(4 * first, 4 * first + run.labels)
    settings = {key: FINE_TUNING[key] for key in ("learning_rate", "batch")}
    learned = fine_tune(classifier, tokens[rows], labels[rows], run.updates, run.seed, frozen=run.frozen, **settings)
    found = {
        "accuracy": accuracy(classifier, *labelled_tensors(test, text)),
        "by_frame": {
            frame: accuracy(classifier, *labelled_tensors([group for group in test if group.frame == frame], text))
            for frame in FRAMES
        },
        "on_its_labels": accuracy(classifier, tokens[rows], labels[rows]),
        "seconds": round(learned.seconds, 1),
    }
    if run.start == "pretrained" and not run.frozen:
        found["form_after"] = _rounded(by_frame(model, test, text))
        found["gap_loss_after"] = round(gap_loss(model, text.held_out[::2], text.mask_id)[0], 4)
    return found


def _rounded(numbers: dict[str, float]) -> dict[str, float]:
    return {name: round(number, 4) for name, number in numbers.items()}


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backwards", action="store_true", help="begin at the end: two processes share the work")
    backwards = parser.parse_known_args()[0].backwards
    torch.set_num_threads(1)
    results = Results("masked_language", SETTINGS)
    for run in tqdm(plan()[:: -1 if backwards else 1]):
        key = {"kind": "labels", **asdict(run)}
        if not results.has(**key):
            results.add(**key, **with_labels(run, results))


if __name__ == "__main__":
    main()
