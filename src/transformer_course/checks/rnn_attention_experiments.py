"""The checks of exercise 03 for predictions, alignment, and the share on padding."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.causes import kind
from transformer_course.checks.oracles_rnn_attention import (
    best_links,
    right_alignment_error,
    right_share,
)
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import draw
from transformer_course.checks.rnn_attention_decoder import UNIT

Links = set[tuple[int, int]]
QUESTIONS = ("one vector, 6 words", "looks back, 6 words", "looks back, 9 words")
WORDS = ("all", "some", "none")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each question; not whether it is right."""
    require_predictions(predictions, QUESTIONS, WORDS, "task 8")


def require_number(
    subject: Answer, situation: str, result: Any, right: float, expected: str, causes: Mapping[str, float], hint: str
) -> None:
    """Require a Python float; if it is wrong, name every cause that gives this very number."""
    if type(result) is not float:
        cause = "still a tensor, or an integer, or nothing is returned"
        subject.fail(situation, f"it returned {kind(result)}", "a Python float", cause, "use `.item()` or `float(...)`")
    if math.isclose(result, right, rel_tol=1e-5, abs_tol=1e-6):
        return
    close = [cause for cause, wrong in causes.items() if math.isclose(result, wrong, rel_tol=1e-3, abs_tol=1e-6)]
    if math.isnan(result):
        close = ["0 / 0"]
    likely = " Or (it shows in the same way): ".join(close) or "none of the mistakes that we know"
    subject.fail(situation, f"it returned {result:.4f}", expected, likely, hint)


def _alignment_causes(weights: Tensor, sure: Links, possible: Links | None) -> dict[str, float]:
    """Compute what known mistakes return, where they return something."""
    links, allowed = best_links(weights), sure | (possible or set())
    alone, whole = possible or set(), len(links) + len(sure)
    rows = weights.tolist()
    last = {(target, len(row) - 1 - row[::-1].index(max(row))) for target, row in enumerate(rows)}
    columns = best_links(weights.T) if rows else set()  # as (source, target)
    written = {link for link in sure if link[0] < len(rows)}

    def rate(hits: int, total: int = whole) -> float:
        return 1 - hits / total if total else math.nan

    def of(other: Links) -> float:
        return rate(len(other & sure) + len(other & allowed), len(other) + len(sure))

    in_sure, in_allowed = len(links & sure), len(links & allowed)
    return {
        "the column in your links is a tensor: `(0, tensor(2))` never equals `(0, 2)`, so that no link is found": 1.0
        if in_allowed
        else math.nan,
        "the agreement is returned, not the error": rate(whole - in_sure - in_allowed),
        "`possible` is not used": rate(2 * in_sure),
        "links in `sure` count as possible too, also where `possible` does not hold them": rate(
            in_sure + len(links & alone)
        ),
        "links of both kinds are counted as possible ones only": rate(2 * in_allowed),
        "a link that is sure is counted once; it counts twice, as sure and as possible": rate(in_allowed),
        "the possible links stand below the line; the sure ones belong there": rate(
            in_sure + in_allowed, len(links) + len(allowed)
        ),
        "all links are divided by |A| alone: links that are missing cost nothing": rate(in_allowed, len(links)),
        "all links are divided by |S| alone: links that are too many cost nothing": rate(in_sure, len(sure)),
        "pairs are (target, source); here they are turned round": of({(source, target) for target, source in links}),
        "each source word is linked to a target word: the maximum runs over the wrong dimension": of(
            {(target, source) for source, target in columns}
        ),
        "each source word is linked to a target word (the maximum runs over the wrong dimension, dim 0), and the pairs "
        "are (source, target)": of(columns),
        "sure links of words that the map does not have are left out of |S|; they still count there": rate(
            in_sure + in_allowed, len(links) + len(written)
        ),
        "on a tie the last source word is taken; the first one counts": of(last),
        "positions are counted from 1; they count from 0": of({(target + 1, source + 1) for target, source in links}),
        "every word with more than half of the attention is linked; only the highest weight of a row counts": of(
            {(target, source) for target, row in enumerate(rows) for source, x in enumerate(row) if x > 0.5}
        ),
        "the lowest weight is taken": of(best_links(-weights)),
        "where there is neither a target word nor a sure link, nothing is wrong": 1.0 if not whole else math.nan,
    }


def compare_alignment(
    subject: Answer, situation: str, weights: Tensor, sure: Links, possible: Links | None = None
) -> None:
    """Compare the error rate with that of counting link by link; the sets must stay as they are."""
    copies = set(sure), None if possible is None else set(possible)
    result = subject(situation, weights, sure) if possible is None else subject(situation, weights, sure, possible)
    if (sure, possible) != copies:
        subject.fail(
            situation,
            "the call changed one of the two sets",
            "sets that are the same after the call as before it",
            "an operation that works in place: `|=`, `&=`, `.add(...)`, `.update(...)`",
            "make a new set: `a | b` in the place of `a |= b`",
        )
    copies = copies[0], copies[1] or set()
    right = right_alignment_error(weights, *copies)
    causes = _alignment_causes(weights.detach(), *copies)
    expected = "1 - (|A and S| + |A and P|) / (|A| + |S|), where S is a part of P"
    hint = "write down A, S and P for two target words"
    if type(result) is float and result == 1.0 and len(weights):  # no link is found at all
        hint = "print your links; a number comes out of a tensor with `.tolist()` or `int(...)`"
    require_number(subject, situation, result, right, expected, causes, hint)


def check_alignment_error_rate(alignment_error_rate: Callable) -> None:
    """Check the links, both sets, ties, and the case without any link."""
    subject = Answer(alignment_error_rate, "alignment_error_rate", UNIT)
    weights = (2 * draw(6, 7, seed=594)).softmax(-1)
    sure = {(0, 2), (1, 3), (2, 0), (2, 4), (3, 0), (3, 1), (4, 5), (5, 3), (5, 6)}
    possible = {(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4), (3, 5), (5, 0)}
    compare_alignment(subject, "6 target and 7 source words, sure links only", weights, sure)
    subject.passed("links are those of the highest weights, and sure links count")
    compare_alignment(subject, "the same, with possible links", weights, sure, possible)
    subject.passed("possible links count as far as they should")
    tie = torch.tensor([[0.5, 0.5, 0.0], [0.2, 0.4, 0.4], [0.1, 0.1, 0.8]])
    compare_alignment(subject, "two source words with the same weight", tie, {(0, 0), (1, 1), (1, 2), (2, 2)})
    subject.passed("on a tie the first source word counts")
    stopped = "3 target words, and a sure link for a fourth, which the model did not write"
    compare_alignment(subject, stopped, tie, {(0, 0), (1, 1), (1, 2), (3, 2)}, {(2, 2), (3, 1)})
    subject.passed("a sure link that can never be hit counts in |S|")
    compare_alignment(subject, "no target word and no sure link", torch.zeros(0, 3), set())
    subject.passed("nothing to align gives 0")


def compare_share(subject: Answer, target_length: int, source_length: int, lengths: list[int], seed: int) -> None:
    """Compare the share with that of adding up sentence by sentence."""
    weights = draw(len(lengths), target_length, source_length, seed=seed).double().softmax(-1)
    situation = f"target_length {target_length}, source_length {source_length}, lengths {lengths}"
    right, rows = right_share(weights, lengths), len(lengths) * target_length
    padded = sum(source_length - length for length in lengths)
    of_padding = right * rows / (padded * target_length) if padded else math.nan
    causes = {
        "the share of the real words is returned": 1 - right,
        "the sum over all rows, not their mean": right * rows,
        "the mean over the sentences is taken, but over the target words the sum": right * target_length,
        "the mean over the target words is taken, but over the sentences the sum": right * len(lengths),
        "the mean over the columns too, not their sum": right / source_length,
        "the mean over the weights on padding, not the mean over the rows": of_padding,
        "off by one: the last real word is taken for padding": right_share(weights, [max(n - 1, 0) for n in lengths]),
        "off by one: the first word of the padding is taken for real": right_share(weights, [n + 1 for n in lengths]),
        "the weights are not used: positions are counted": padded / (len(lengths) * source_length),
    }
    observed = subject(situation, weights, torch.tensor(lengths))
    expected = "for each row the sum of the weights on padding, and the mean of these sums"
    require_number(subject, situation, observed, right, expected, causes, "work out a row of three words by hand")


def check_share_on_padding(share_on_padding: Callable) -> None:
    """Check one batch with padding and one without."""
    subject = Answer(share_on_padding, "share_on_padding", UNIT)
    compare_share(subject, 3, 5, [5, 2, 1, 4], seed=91)
    compare_share(subject, 4, 3, [3, 3], seed=92)
    subject.passed("the share of the attention that falls on padding")
