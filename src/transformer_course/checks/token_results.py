"""Checks of results that are token ids, such as sentences, and of shapes that say by themselves what went wrong."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.reporting import Mistake

# A wrong shape, the likely cause, and one thing to try.
KnownShapes = Mapping[tuple[int, ...], tuple[str, str]]


def require_shaped(
    subject: Answer, situation: str, result: Any, like: Tensor, known: KnownShapes | None = None, what: str = "result"
) -> Tensor:
    """Require the shape and dtype of ``like``; say what the known wrong shapes mean, and what a wrong id type is.

    Args:
        subject: the learner's function.
        situation: what is tried, in words.
        result: what it returned.
        like: a tensor with the right shape and dtype.
        known: wrong shapes with cause and hint.
        what: the result's name, for the message.

    Returns:
        The result.
    """
    if type(result) is Tensor and result.shape != like.shape and tuple(result.shape) in (known or {}):
        cause, hint = known[tuple(result.shape)]
        observed = f"the {what} has shape {tuple(result.shape)}"
        subject.fail(situation, observed, f"the shape {tuple(like.shape)}", cause, hint)
    if type(result) is Tensor and like.dtype == torch.long and result.dtype != torch.long:
        subject.fail(
            situation,
            f"the {what} has dtype {result.dtype}",
            "token ids, which are int64 (torch.long)",
            "a tensor made without `dtype=torch.long`, or a product with floating numbers on the way",
            "print the dtype after each line, and find where it changes",
        )
    return subject.require_tensor(situation, result, like, f"the {what}")


def compare_sentences(
    subject: Answer,
    situation: str,
    result: Any,
    right: Tensor,
    eos: int,
    pad: int,
    hint: str,
) -> None:
    """Compare written sentences, as greedy decoding returns them, with the right ones.

    Args:
        subject: the learner's function.
        situation: what is tried, in words.
        result: what it returned.
        right: the right sentences ``(batch, length)``, EOS kept, padding after it.
        eos: the token id that ends a sentence.
        pad: the token id after the end.
        hint: what to try if the mistake is none of those that are known.
    """
    if type(result) is Tensor and result.dim() == 2 and result.shape != right.shape and result.numel():
        observed = f"the result has shape {tuple(result.shape)}"
        expected = f"as many columns as the longest sentence has words: {right.shape[1]}"
        if result.shape[1] == right.shape[1] + 1 and torch.equal(result[:, 1:], right):
            subject.fail(situation, observed, expected, "BOS is part of the result", "BOS is read, never written")
        if result.shape[1] > right.shape[1]:
            cause = "the loop goes on after every sentence has ended, or beyond `max_length`"
            subject.fail(situation, observed, expected, cause, "stop as soon as no row is left")
        if result.shape[1] < right.shape[1]:
            cause = "the loop stops when the first sentence has ended, or one step before `max_length`. Or (it shows "
            subject.fail(
                situation,
                observed,
                expected,
                cause + "in the same way): EOS is left out, or every step begins with the first `state`",
                hint,
            )
    result = require_shaped(subject, situation, result, right)
    ended = (right == eos).long().cumsum(1) - (right == eos).long() > 0
    mistakes = [
        Mistake(
            lambda result: bool((torch.where(ended, pad, result) == right).all()),
            "there are words after EOS",
            "a sentence that has ended goes on writing",
            "remember which rows have ended, and write `pad_id` there",
        ),
        Mistake(
            right.masked_fill(right == eos, pad),
            "EOS is missing",
            "EOS is replaced by padding",
            "EOS is part of the sentence; padding begins after it",
        ),
    ]
    subject.compare(situation, result, right, "the most probable word at each step, up to EOS", mistakes, hint)
