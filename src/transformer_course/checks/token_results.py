"""Checks of results that are token ids, and of shapes that say by themselves what went wrong."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer

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
