"""Words for what came back: what it is, and how it may have come about."""

import traceback
from pathlib import Path
from typing import Any

from torch import Tensor

_CHECKS = str(Path(__file__).parent)
# The likely cause, and one thing to try, for numbers that are wrong by less than a thousandth.
NEARLY = (
    "a small number (epsilon) that is added somewhere. Or (it shows in the same way): float32 on the way of float64",
    "leave the small number out and treat the case that it was for; compute in the dtype of the inputs",
)


def tensors(result: Any) -> list[Tensor]:
    """List the tensors of a result, which is one or a tuple of them."""
    return [x for x in (result if isinstance(result, tuple) else (result,)) if isinstance(x, Tensor)]


def kind(result: Any) -> str:
    """Say in words what was returned."""
    if result is None:
        return "None"
    if isinstance(result, Tensor):
        return f"one tensor of shape {tuple(result.shape)}"
    if isinstance(result, tuple | list):
        return f"a {type(result).__name__} of {len(result)}"
    return f"an object of type {type(result).__name__}"


def shape_cause(result: Tensor, like: Tensor) -> str:
    """Say how a result may have come to the wrong shape."""
    if result.dim() == like.dim() and result.dim() >= 2 and result.transpose(-2, -1).shape == like.shape:
        return "a transpose too many. Or (it shows in the same way): the two factors of a matrix product change places"
    if result.dim() < like.dim():
        return "a dimension was summed away, or indexed, that should have been kept (`keepdim=True`)"
    if result.dim() > like.dim():
        return "a dimension too many: `unsqueeze`, `[None]` or `stack`, or two shapes that broadcast against each other"
    return "a product or a sum over the wrong dimension"


def where(error: Exception) -> str:
    """Quote the learner's line that raised an exception."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(_CHECKS) and "site-packages" not in frame.filename
    ]
    return f", in the line `{frames[-1].line}`" if frames and frames[-1].line else ""


def likely_cause(error: Exception) -> str:
    """Say what an exception most often means."""
    text = str(error)
    if isinstance(error, NameError):
        return "a name that is misspelt, or is defined in a cell that was not run"
    if isinstance(error, TypeError) and "tuple" in text and "Tensor" in text:
        return "a pair of results (a tuple) is used as if it were one tensor: take the one that you need out of it"
    if isinstance(error, TypeError) and "argument" in text:
        return "the parameters of the function are not those of the task, or a function was called with the wrong ones"
    if "size of tensor" in text or "shapes cannot be multiplied" in text or "Expected size" in text:
        return "two shapes that do not fit: a transpose or a `keepdim=True` is missing, or names another dimension"
    if "before Module.__init__" in text:
        return "`super().__init__()` is missing, or does not come first in `__init__`"
    if "view size is not compatible" in text:
        return "`view` after a transpose: it cannot join dimensions whose numbers do not lie in this order in memory"
    if "in-place" in text or "inplace" in text:
        return "an operation that works in place on a tensor that the gradient needs"
    if isinstance(error, ZeroDivisionError):
        return "a division by a number that is 0 in this situation, which has to be treated before it"
    if isinstance(error, IndexError):
        return "a dimension or a position that this tensor does not have"
    return "what the message says, at that line"
