"""Words for a difference that no wrong answer explains: what can be seen of it, and how it may have come about."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from course_checks.exceptions import of_exception, of_pair
from course_checks.outcomes import TOLERANCES, Outcome, is_number, is_tensor, same
from course_checks.words import Finding, Wrong

_UNKNOWN = "no mistake that we know gives this result"
_UNKNOWN_SHAPE = "one of the steps gives another shape than it should"
_OVERFLOW = (
    "a number too large or too small on the way: e^x of a large x is infinite; inf - inf, inf / inf, 0 * inf and 0 / 0 "
    "are NaN"
)
_EPSILON = ("a small number (epsilon) that is added where none belongs, or is not that of the task or not in its place",
            "where the task names no epsilon, leave it out and treat the case that it was for")  # fmt: skip
_ROUNDED = ("numbers are rounded to float32 on the way; or a tiny number (epsilon) is added where none belongs",
            "compute in the dtype of the inputs, without `.float()` and new tensors of another dtype")  # fmt: skip
GENERAL = (_UNKNOWN, _UNKNOWN_SHAPE, _OVERFLOW)  # causes that say nothing of this answer
_COMPARE = "print your result and its shape for the smallest case that you can work out by hand"
_COMPARE_NUMBER = "print your result for the smallest case that you can work out by hand"


def explain(outcome: Outcome, expected: Any) -> Finding | None:
    """Explain a difference exactly, from the two results alone; None where that is not possible."""
    if outcome.error is not None:
        return outcome.finding or of_pair(outcome.error)
    observed = outcome.value
    return _of_kind(observed, expected) or _of_parts(observed, expected) or _of_tensors(observed, expected)


def describe(outcome: Outcome, expected: Any, words: Wrong | Callable[[Any, Any], Wrong] | None = None) -> Finding:
    """Describe a difference that nothing explains.

    Args:
        outcome: what an answer did.
        expected: what is right.
        words: those for whatever is wrong with this observation, or what finds them from the two values.

    Returns:
        The parts of a message.
    """
    if outcome.error is not None:
        return of_exception(outcome.error)
    found = _description(outcome, expected)
    words = words(outcome.value, expected) if callable(words) else words
    return Finding(f"{words.sees}: {found.observed}", "", words.cause, words.hint) if words is not None else found


def _description(outcome: Outcome, expected: Any) -> Finding:
    observed = outcome.value
    if isinstance(expected, tuple | list) and type(observed) in (tuple, list):
        if len(observed) != len(expected):
            return Finding(f"it has {len(observed)} parts", "", "too many or too few parts", _COMPARE)
        for number, pair in enumerate(zip(observed, expected, strict=True), start=1):
            if not same(*pair):
                part = Outcome(pair[0])
                found = explain(part, pair[1]) or _description(part, pair[1])
                place = (
                    f"part {number}, and in it"
                    if found.observed.startswith("part ")
                    else f"part {number} of the result:"
                )
                return Finding(f"{place} {found.observed}", "", found.cause, found.hint)
    if isinstance(expected, dict) and type(observed) is dict:
        wrong = [key for key in expected if key not in observed or not same(observed[key], expected[key])]
        names = ", ".join(map(str, (wrong or [key for key in observed if key not in expected])[:4]))
        return Finding(f"it is not right for {names}", "", _UNKNOWN, _COMPARE)
    if is_tensor(observed) and is_tensor(expected):
        if (found := _relation(observed, expected)) is not None:
            return found
        seen = _where_wrong(observed, expected)
        return Finding(seen, "", _OVERFLOW if "NaN" in seen or "infinite" in seen else _UNKNOWN, _COMPARE)
    shown = f"{observed!r}"
    return Finding(f"it is {shown if len(shown) < 80 else shown[:77] + '...'}", "", _UNKNOWN,
                   _COMPARE_NUMBER if is_number(observed) else _COMPARE)  # fmt: skip


def _kind(value: Any) -> str:
    if is_tensor(value):
        return f"one tensor of shape {tuple(value.shape)}"
    if type(value) in (tuple, list):
        return f"a {type(value).__name__} of {len(value)}"
    return "None" if value is None else f"an object of type {type(value).__name__}"


def in_words(expected: Any) -> str:
    """Say of a right result of what kind it is, where a case at the border has no sentence of its own."""
    if isinstance(expected, str):
        return expected if " " in expected else repr(expected)
    kind = f", {_kind(expected)}" if is_tensor(expected) or isinstance(expected, tuple | list) else ""
    return f"what the task says for this case{kind}"


def _of_kind(observed: Any, expected: Any) -> Finding | None:
    """Explain a result of another kind."""
    print_it = "print the type of what you return"
    if observed is None and expected is not None:
        return Finding("it returned None", "a result", "there is no `return` at the end of the function, or it returns "
                       "the value of `print`", "end the function with `return` and the result")  # fmt: skip
    if is_tensor(expected) and not is_tensor(observed):
        left = type(observed).__name__ == "ndarray"
        cause = "the computation left torch, by `.numpy()` or a numpy function" if left else "the return statement"
        return Finding(f"the result is {_kind(observed)}", "a torch.Tensor", cause, print_it)
    if is_number(expected) and not is_number(observed):
        cause = "the result is still a tensor" if is_tensor(observed) else "the return statement"
        wanted = f"a Python number ({type(expected).__name__})"
        return Finding(f"it returned {_kind(observed)}", wanted, cause, "turn a tensor of one number into a Python "
                       "number with `.item()`" if is_tensor(observed) else print_it)  # fmt: skip
    if is_number(expected) and type(expected) is not type(observed):
        return Finding(f"it returned a {type(observed).__name__}", f"a Python number of type {type(expected).__name__}",
                       "a division gives a float, a comparison a bool", print_it)  # fmt: skip
    if isinstance(expected, tuple | list) and type(observed) not in (tuple, list):
        stacked = is_tensor(observed) and observed.dim() and len(observed) == len(expected) and all(
            is_tensor(part) and part.shape == observed.shape[1:] for part in expected)  # fmt: skip
        cause = "the results are stacked into one tensor" if stacked else "only one of the results is returned"
        return Finding(f"it returned {_kind(observed)}", f"{len(expected)} results, apart",
                       cause if is_tensor(observed) else "the return statement", print_it)  # fmt: skip
    return None


def _of_parts(observed: Any, expected: Any) -> Finding | None:
    """Explain a tuple in the wrong order, or one with a part that explains itself."""
    if type(observed) not in (tuple, list) or not isinstance(expected, tuple | list) or len(observed) != len(expected):
        return None
    if len(expected) == 2 and same(list(reversed(observed)), list(expected)):
        return Finding("the two results come in the wrong order", "", "the order in the return statement",
                       "compare the return statement with the order in the task")  # fmt: skip
    wrong = [pair for pair in zip(observed, expected, strict=True) if not same(*pair)]
    return explain(Outcome(wrong[0][0]), wrong[0][1]) if len(wrong) == 1 else None


def _of_tensors(observed: Any, expected: Any) -> Finding | None:
    """Explain a tensor of the right shape by its dtype."""
    if not is_tensor(observed) or not is_tensor(expected) or observed.shape != expected.shape:
        return None
    if expected.dtype == torch.bool != observed.dtype:
        return Finding(f"the result holds numbers of dtype {observed.dtype}", "booleans: dtype torch.bool",
                       "0 and 1, or 0 and -inf, in the place of True and False", "a comparison (`==`, `!=`, `<=`) "
                       "gives booleans; `torch.ones` and `torch.zeros` take `dtype=torch.bool`")  # fmt: skip
    if observed.dtype != expected.dtype:
        return Finding(
            f"the result has dtype {observed.dtype}", f"dtype {expected.dtype}",
            "a conversion (`.float()`, `.double()`, `.bool()`), or a new tensor made without a dtype",
            "make new tensors with `torch.zeros_like(x)` or `dtype=x.dtype`, and convert back what you converted",
        )  # fmt: skip
    return None


def _relation(observed: Tensor, expected: Tensor) -> Finding | None:
    """Explain a tensor by its shape, or by a simple relation to the right one."""
    observed, expected = observed.detach(), expected.detach()
    if observed.shape != expected.shape:
        return _of_shape(observed, expected)
    if observed.dim() >= 2 and same(observed.transpose(-2, -1), expected):
        return Finding("the result is transposed", "", "rows and columns change places: a transpose too many, or the "
                       "factors of a product in the wrong order", "write the shape at the end of each line of your "
                       "code that changes it")  # fmt: skip
    if not expected.is_floating_point():
        if expected.dtype == torch.bool and same(~observed, expected):
            return Finding("True and False are exchanged everywhere", "", "the condition is turned around",
                           "work out one entry by hand: should it be True?")  # fmt: skip
        return None
    size = expected.abs().max() if expected.numel() else torch.zeros(())
    if observed.isfinite().all() and expected.isfinite().all() and size:
        if (observed - expected).abs().max() < 1e-3 * size:
            off = (observed - expected).abs().max() / size
            words = _ROUNDED if 1e-8 < off < 1e-6 else _EPSILON
            return Finding("the numbers are nearly right", "", *words)
        if same(-observed, expected):
            return Finding("every number has the wrong sign", "", "a difference is taken the wrong way round",
                           "work out the sign of one number by hand")  # fmt: skip
        factor = (observed * expected).sum() / expected.square().sum()
        several = expected.numel() > 1  # of a single number every other one is a multiple
        if several and factor.abs() > 1e-6 and same((observed / factor).to(expected.dtype), expected):
            whole = [factor.item() ** power for power in (1, -1, 2, -2)]  # of what sizes make: n, 1/n, and their roots
            sized = any(abs(each - round(each)) < 1e-3 and round(each) > 1 for each in whole)
            return Finding(f"every number is {factor.item():.4g} times the right one", "", "a factor too many, or one "
                           "that is missing", "which size of the inputs gives this factor?" if sized else "is it the "
                           "same factor in every case? Then look for it in the last lines")  # fmt: skip
    return None


def _of_shape(observed: Tensor, expected: Tensor) -> Finding:
    cause = _UNKNOWN_SHAPE
    if observed.dim() == expected.dim() and observed.dim() >= 2 and observed.mT.shape == expected.shape:
        cause = "a transpose too many, or the two factors of a matrix product change places"
    elif observed.dim() < expected.dim() and not expected.numel():
        cause = "an empty list does not say how wide its rows would be: a tensor made of it has one dimension"
    elif observed.dim() < expected.dim():
        cause = "a dimension was summed away, or indexed, that should have been kept (`keepdim=True`)"
    elif observed.dim() > expected.dim():
        cause = "a dimension too many: `unsqueeze`, `[None]` or `stack`, or two shapes that broadcast"
    return Finding(f"the result has shape {tuple(observed.shape)}", f"shape {tuple(expected.shape)}", cause,
                   "write the shape at the end of each line of your code that changes it")  # fmt: skip


def _where_wrong(observed: Tensor, expected: Tensor) -> str:
    """Say how many numbers are wrong, and where, without the right numbers."""
    if observed.isnan().any() and not expected.isnan().any():
        return f"{'all' if observed.isnan().all() else f'{int(observed.isnan().sum())} of {observed.numel()}'} are NaN"
    if observed.isinf().any() and not expected.isinf().any():
        return f"{int(observed.isinf().sum())} of {observed.numel()} numbers are infinite"
    wrong = ~torch.isclose(observed.detach(), expected.detach(), *TOLERANCES.get(expected.dtype, (0.0, 0.0)))
    places, where = wrong.nonzero(), ""
    for dim, size in enumerate(wrong.shape):
        indices = places[:, dim].unique()
        if size > 1 and len(indices) == 1:
            where = f", all of them at index {int(indices)} of dimension {dim}"
        elif size > 2 and len(indices) == size - 1 and not where:
            (right,) = set(range(size)) - set(indices.tolist())
            where = f", none of them at index {right} of dimension {dim}"
    what = "entries" if expected.dtype == torch.bool else "numbers"
    return f"{int(wrong.sum())} of {observed.numel()} {what} are not right{where}"
