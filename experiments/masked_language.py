"""Gaps, labels and agreement: all runs of chapter 14, `python -m experiments.masked_language`.

Resumable: what is in the result file is not run again, and pretrained weights are kept in `_scratch`.
"""

import argparse
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import torch
from torch import Tensor
from tqdm import tqdm

from experiments.results import Results
from transformer_course.data.agreement_pairs import FRAMES, Group, draw_groups
from transformer_course.masked_language_model import MaskedLanguageModel, SentenceClassifier, pseudo_log_likelihood
from transformer_course.training.masked_pretraining import (
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

SEEDS = (0, 1, 2)
SIZES = {"d_model": 64, "num_heads": 4, "num_layers": 2, "d_ff": 256, "max_length": 32}
PRETRAINING = {"num_updates": 3000, "learning_rate": 4e-3, "max_tokens": 512, "probability": 0.15}
TEXT = {"num_corpus": 20_000, "num_clauses": 12_000}
FEW_CLAUSES = {"num_corpus": 40_000, "num_clauses": 0}
"""About as many sentences, in which a relative clause after the subject is rare."""
FINE_TUNING = {"num_updates": 300, "learning_rate": 1e-3, "batch": 32}
SHARES = {
    "80, 10, 10": (0.8, 0.1),
    "all hidden": (1.0, 0.0),
    "random only": (0.0, 1.0),
    "kept only": (0.0, 0.0),
    "hidden and random": (0.8, 0.2),
    "hidden and kept": (0.8, 0.0),
    "few clauses": (0.8, 0.1),
}
"""Of the chosen words, how many are hidden and how many replaced; the others stay."""
NUM_LABELS = (20, 100, 500, 2000)
NUM_TEST = 250
LOOKS = 12
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


def measures(model: MaskedLanguageModel, test: Sequence[Group], text: Text) -> dict:
    """Measure a pretrained model without a label."""
    loss, guessed = gap_loss(model, text.held_out[::2], text.mask_id)
    right, wrong = scores(model, test, text)
    return {
        "gap_loss": round(loss, 4),
        "guessed": round(guessed, 4),
        "copies": round(copies(model, text), 4),
        "form": {shown: _rounded(by_frame(model, test, text, shown)) for shown in ("mask", "wrong", "right")},
        "pairs": round((right > wrong).double().mean().item(), 4),
        "ranked": round(ranked_right(right, wrong), 4),
    }


def pretrained(name: str, seed: int, text: Text, test: Sequence[Group], results: Results) -> MaskedLanguageModel:
    """Pretrain a model, or load what was kept."""
    model, file = new_model(text, seed), KEPT / f"{name} {seed}.pt"
    if results.has(kind="pretraining", shares=name, seed=seed) and file.exists():
        model.load_state_dict(torch.load(file))
        return model.eval()
    ask = hide(text.mask_id, len(text.vocabulary), SHARES[name], PRETRAINING["probability"])
    settings = {key: PRETRAINING[key] for key in ("num_updates", "learning_rate", "max_tokens")}
    looks: list[dict] = []

    def look(update: int) -> None:
        if name in ("80, 10, 10", "few clauses") and update % (settings["num_updates"] // LOOKS) == 0:
            looks.append({"update": update, "form": _rounded(by_frame(model, test, text))})

    run = pretrain(model, text.train, ask, seed=seed, look=look, **settings)
    KEPT.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), file)
    if not results.has(kind="pretraining", shares=name, seed=seed):
        results.add(kind="pretraining", shares=name, seed=seed, seconds=round(run.seconds, 1), looks=looks,
                    last_losses=round(sum(run.losses[-100:]) / 100, 4), **measures(model, test, text))  # fmt: skip
    return model


def plan() -> Iterator[tuple[str, str, int, int, int, bool]]:
    """List the runs with labels: start, shares, seed, labels, updates, frozen; what the chapter needs most is first."""
    usual = FINE_TUNING["num_updates"]
    for seed in SEEDS:
        yield from (("pretrained", "80, 10, 10", seed, number, usual, False) for number in NUM_LABELS)
        yield from (("scratch", "", seed, number, usual, False) for number in NUM_LABELS)
        yield ("pretrained", "80, 10, 10", seed, 500, usual // 5, False)
        yield ("pretrained", "80, 10, 10", seed, 500, usual, True)
        yield ("scratch", "", seed, 2000, 5 * usual, False)
    for name in list(SHARES)[1:]:
        yield from (("pretrained", name, seed, 500, usual, False) for seed in SEEDS)


def with_labels(
    start: str, name: str, seed: int, number: int, updates: int, frozen: bool, text: Text, train: Sequence[Group],
    test: Sequence[Group], results: Results,
) -> dict:  # fmt: skip
    """Let a classifier learn some labels, and measure what it has learned and what is left of the gaps."""
    model = pretrained(name, seed, text, test, results) if start == "pretrained" else new_model(text, seed)
    torch.manual_seed(seed)
    classifier = SentenceClassifier(model, SIZES["d_model"], 2)
    tokens, labels = labelled_tensors(train, text)
    # Whole groups of four, others for each seed; the last group of an odd number is cut.
    first = (seed * number // 4) % (len(train) - number // 4 + 1)
    rows = slice(4 * first, 4 * first + number)
    settings = {key: FINE_TUNING[key] for key in ("learning_rate", "batch")}
    run = fine_tune(classifier, tokens[rows], labels[rows], updates, seed, frozen=frozen, **settings)
    found = {
        "accuracy": accuracy(classifier, *labelled_tensors(test, text)),
        "by_frame": {
            frame: accuracy(classifier, *labelled_tensors([group for group in test if group.frame == frame], text))
            for frame in FRAMES
        },
        "on_its_labels": accuracy(classifier, tokens[rows], labels[rows]),
        "seconds": round(run.seconds, 1),
    }
    if start == "pretrained" and not frozen:
        found["form_after"] = _rounded(by_frame(model, test, text))
        found["gap_loss_after"] = round(gap_loss(model, text.held_out[::2], text.mask_id)[0], 4)
    return found


def _rounded(numbers: dict[str, float]) -> dict[str, float]:
    return {name: round(number, 4) for name, number in numbers.items()}


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs="*", type=int, default=SEEDS)
    parser.add_argument("--shares", nargs="*", default=list(SHARES))
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    settings = {
        "sizes": SIZES,
        "text": TEXT,
        "pretraining": PRETRAINING,
        "fine_tuning": FINE_TUNING,
        "num_test": NUM_TEST,
    }
    results = Results("masked_language", settings)
    wanted = [run for run in plan() if run[2] in chosen.seeds and (run[1] or "80, 10, 10") in chosen.shares]
    for start, name, seed, number, updates, frozen in tqdm(wanted):
        key = {"kind": "labels", "start": start, "shares": name, "seed": seed, "labels": number, "updates": updates,
               "frozen": frozen}  # fmt: skip
        if not results.has(**key):
            drawn = sentences(name == "few clauses")
            results.add(**key, **with_labels(start, name, seed, number, updates, frozen, *drawn, results))


if __name__ == "__main__":
    main()
