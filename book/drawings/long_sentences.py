"""How the models of chapter 02 do with long sentences, from committed results: for its page and for its notes."""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from transformer_course.data.corpus import load_corpus

NAMES = {
    "gru": "one vector",
    "bidirectional": "one vector, both directions",
    "bahdanau": "Bahdanau attention",
    "luong": "Luong attention",
}
_EXPERIMENTS = Path(__file__).parents[2] / "experiments"


@dataclass(frozen=True)
class LongSentences:
    """What the runs of the ladder and of the constant context say, by the length of the source.

    Args:
        settings: of the ladder.
        runs: model -> its runs.
        bins: names of the groups of lengths, such as 7-10.
        lengths: mean number of source words in each group of the test set.
        by_length: model -> share of test sentences without a mistake, ``(seeds, bins)``.
        test: model -> percent of the test sentences without a mistake, of each seed.
        per_word: model -> for each group the p with which p to the power of the length is the mean share.
        training: share of each group among the training sentences that were measured.
    """

    settings: dict
    runs: dict[str, list[dict]]
    bins: list[str]
    lengths: list[float]
    by_length: dict[str, Tensor]
    test: dict[str, list[float]]
    per_word: dict[str, list[float]]
    training: Tensor


def _inside(pairs, name: str) -> list:
    low, high = map(int, name.split("-"))
    return [pair for pair in pairs if low <= len(pair.source) <= high]


def share_with(word: str, name: str) -> float:
    """Return the share of test sentences of a group of lengths in which a word stands."""
    pairs = _inside(load_corpus().test, name)
    return sum(word in pair.source for pair in pairs) / len(pairs)


def read() -> LongSentences:
    """Read the committed results."""
    ladder, constant = (
        json.loads((_EXPERIMENTS / name / "results.json").read_text(encoding="utf-8"))
        for name in ("ladder", "constant_context")
    )
    runs = {model: [run for run in ladder["runs"] if run["model"] == model] for model in NAMES}
    assert {len(of) for of in runs.values()} == {3}
    for context in ("mean", "last"):
        runs[context] = [run for run in constant["runs"] if run["context"] == context]
        assert len(runs[context]) == 1
    bins = list(runs["gru"][0]["test"]["exact_match_by_length"])
    corpus = load_corpus()
    groups = [_inside(corpus.test, name) for name in bins]
    lengths = [sum(len(pair.source) for pair in group) / len(group) for group in groups]
    by_length = {
        model: torch.tensor([[run["test"]["exact_match_by_length"][name][0] for name in bins] for run in of])
        for model, of in runs.items()
    }
    known = corpus.train[:1_000]  # those that "seen in training" was measured on
    return LongSentences(
        ladder["settings"],
        runs,
        bins,
        lengths,
        by_length,
        {model: [100 * run["test"]["exact_match"] for run in of] for model, of in runs.items()},
        {
            model: [share ** (1 / length) for share, length in zip(shares.mean(dim=0).tolist(), lengths, strict=True)]
            for model, shares in by_length.items()
        },
        torch.tensor([len(_inside(known, name)) / len(known) for name in bins]),
    )
