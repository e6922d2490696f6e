"""Ways in which right code can differ from the course's conventions: layouts, masks, the order of arguments, results.

Each is a function that makes, of an implementation with the convention, one with ours. So an implementation is right in
a convention if the adapted one is right.
"""

import contextlib
import functools
import inspect
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from course_checks.cli.whole_weights import WholeWeights


class Inexpressible(Exception):
    """A case that cannot be said in a convention."""


@dataclass(frozen=True)
class Convention:
    """How an implementation differs.

    Args:
        words: it, as the end of "it is right where ...".
        arguments: turns our arguments into its own.
        result: turns its result into ours; takes the result, our arguments, and the oracle.
        during: what it is called in.
        of_form: whether it is one of form alone, which says nothing else than ours does.
    """

    words: str
    arguments: Callable[[list], list] = list
    result: Callable[[Any, list, Callable | None], Any] = lambda result, arguments, oracle: result
    during: Callable[[], contextlib.AbstractContextManager] = contextlib.nullcontext
    of_form: bool = False


def _on_tensors(change: Callable[[Tensor], Tensor], wanted: Callable[[Tensor], bool]) -> Callable[[list], list]:
    return lambda arguments: [change(x) if isinstance(x, Tensor) and wanted(x) else x for x in arguments]


def _boolean(x: Tensor) -> bool:
    return x.dtype == torch.bool


def _additive(mask: Tensor) -> Tensor:
    return torch.zeros(mask.shape, dtype=torch.get_default_dtype()).masked_fill(~mask, -math.inf)


def _inverted_result(result: Any, arguments: list, oracle: Any) -> Any:
    return ~result if isinstance(result, Tensor) and result.dtype == torch.bool else result


def _as_mask(low: float, high: float) -> Callable[[Any, list, Any], Any]:
    """Make a mask of what a function that makes masks gives: two numbers, of which the high one allows."""

    def apply(result: Any, arguments: list, oracle: Any) -> Any:
        numbers = isinstance(result, Tensor) and not any(isinstance(x, Tensor) and x.is_floating_point()
                                                         for x in arguments)  # fmt: skip
        two = numbers and (result.is_meta or bool(((result == low) | (result == high)).all()))
        return result == high if two else result

    return apply


MASKS = [
    Convention(
        "True in a mask means hidden (as in torch.nn.MultiheadAttention), not allowed",
        _on_tensors(torch.logical_not, _boolean), _inverted_result,
    ),
    Convention("a mask is added to the scores: 0 where a key may be attended to, -inf where not (True and False would "
               "be added as 1 and 0, and hide nothing)", _on_tensors(_additive, _boolean), _as_mask(-math.inf, 0)),
    Convention("a mask holds the numbers 1 and 0, not True and False", _on_tensors(Tensor.long, _boolean),
               _as_mask(0, 1)),
    Convention("a mask holds the numbers 1.0 and 0.0, not True and False", _on_tensors(Tensor.float, _boolean),
               _as_mask(0, 1)),
]  # fmt: skip


def _for_each_example(arguments: list) -> list:
    """Give each mask the shape (batch, queries, keys), where it is the same for every head."""
    changed = []
    for x in arguments:
        if isinstance(x, Tensor) and _boolean(x):
            if x.dim() == 3 or (x.dim() == 4 and x.shape[1] > 1):
                raise Inexpressible
            x = x[:, 0] if x.dim() == 4 else torch.atleast_2d(x).expand(len(arguments[0]), -1, -1)
        changed.append(x)
    return changed


SHAPES_OF_MASKS = [
    Convention("a mask has the shape (batch, queries, keys), the same for every head (one for each head was not tried)",
               _for_each_example),
]  # fmt: skip


def _layout(words: str, dimensions: int, order: tuple[int, ...], returned: tuple[int, ...] = ()) -> Convention:
    """Make the convention that tensors have a number of dimensions, in another order than ours, as has the result."""
    back = tuple((returned or order).index(i) for i in range(dimensions))

    def lead(arguments: list) -> torch.Size:
        shapes = [x.shape[:-2] for x in arguments if isinstance(x, Tensor) and x.dim() >= 2 and not _boolean(x)]
        return torch.broadcast_shapes(*shapes)

    def to_theirs(arguments: list) -> list:
        leading, changed = lead(arguments), []
        for x in arguments:
            if isinstance(x, Tensor) and x.dim() >= 1:
                x = x.expand(*leading, *x.shape[-2:]) if x.dim() >= 2 else x.expand(*leading, 1, *x.shape)
                x = x.reshape(*_padded(leading, dimensions - 2), *x.shape[-2:])
                x = x if _boolean(x) else x.permute(order)
            changed.append(x)
        return changed

    def to_ours(result: Any, arguments: list, oracle: Any) -> Any:
        leading = lead(arguments)
        first = result[0] if isinstance(result, tuple | list) else result
        ours = [first.permute(back).reshape(*leading, first.permute(back).shape[-2], first.shape[-1])]
        if isinstance(result, tuple | list):  # weights are (..., queries, keys) in every layout
            ours += [each.reshape(*leading, *each.shape[-2:]) for each in result[1:]]
        return tuple(ours) if isinstance(result, tuple | list) else ours[0]

    return Convention(words, to_theirs, to_ours)


def _padded(leading: torch.Size, number: int) -> tuple[int, ...]:
    """Bring leading dimensions to a number, by ones in front or by counting the first ones as one."""
    ones = (1,) * (number - len(leading)) + tuple(leading)
    extra = len(ones) - number
    return (math.prod(ones[: extra + 1]), *ones[extra + 1 :])


LAYOUTS = [
    _layout("tensors have three dimensions, the first of them for the batch", 3, (0, 1, 2)),
    _layout("tensors have four dimensions: (batch, heads, length, width)", 4, (0, 1, 2, 3)),
    _layout("heads come after the length: (batch, length, heads, width)", 4, (0, 2, 1, 3)),
    _layout(
        "tensors have four dimensions, and heads come after the length in the result alone",
        4,
        (0, 1, 2, 3),
        (0, 2, 1, 3),
    ),
    _layout("the length comes first: (length, batch, width)", 3, (1, 0, 2)),
]


def _only_output(result: Any, arguments: list, oracle: Callable | None) -> Any:
    if isinstance(result, tuple | list):
        raise Inexpressible
    ours = oracle(*arguments) if oracle else result
    return (result, *ours[1:]) if isinstance(ours, tuple | list) else result


def _first_of_several(result: Any, arguments: list, oracle: Callable | None) -> Any:
    return result[0] if isinstance(result, tuple | list) else result


def _reversed(result: Any, arguments: list, oracle: Callable | None) -> Any:
    if isinstance(result, tuple) and len({getattr(each, "shape", None) for each in result}) == 1:
        raise Inexpressible  # what looks alike, such as inputs and labels, may not change places
    return tuple(reversed(result)) if isinstance(result, tuple) else result


def _length_first(result: Any, arguments: list, oracle: Callable | None) -> Any:
    first, *rest = result if isinstance(result, tuple | list) else (result,)
    return (first.transpose(0, 1), *rest) if rest else first.transpose(0, 1)


LENGTH_FIRST = Convention(
    "the length comes first: (length, batch, width), as in torch without batch_first",
    _on_tensors(lambda x: x.transpose(0, 1), lambda x: x.dim() == 3 and not _boolean(x)), _length_first,
)  # fmt: skip
FIRST_ALONE = Convention("only the first result is returned (the others were not looked at)", result=_only_output,
                         of_form=True)  # fmt: skip
_REVERSED = Convention("the results come in the reverse order", result=_reversed)
_MORE = Convention("more is returned than the first result (the rest was not looked at)", result=_first_of_several,
                   of_form=True)  # fmt: skip


DROPPED_WEIGHTS = Convention("dropout falls on the attention weights too, as in torch", during=WholeWeights,
                             of_form=True)  # fmt: skip


def _orders(names: list[str]) -> list[Convention]:
    """Make the conventions of other orders of the first arguments: two, three, or four where none is a mask."""
    found = []
    for number in (2, 3, *([] if "mask" in names else [4])):
        for order in itertools.permutations(range(number)):
            if len(names) >= number and order[-1] != number - 1:
                words = ", ".join(names[place] for place in order)
                found.append(Convention(f"the arguments come in the order {words}", functools.partial(_taken, order)))
    return found


def _taken(order: tuple[int, ...], arguments: list) -> list:
    return [*(arguments[place] for place in order), *arguments[len(order) :]]


def parameters(function: Callable) -> list[str]:
    """Name the parameters of a function, as far as Python knows them."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _gives_several(function: Callable) -> bool:
    return "tuple" in str(inspect.signature(function).return_annotation).lower()


def candidates(right: Callable, names: list[str]) -> Iterator[tuple[Convention, ...]]:
    """Yield combinations of conventions of functions, the smaller ones first.

    Args:
        right: the solution, which says by its annotation whether it returns several results.
        names: of our arguments; none where theirs have the same names in the same order, and so cannot be exchanged.
    """
    yield from _combined(LAYOUTS, MASKS, _orders(names), [FIRST_ALONE, _REVERSED] if _gives_several(right) else [_MORE])


def of_classes(right: type) -> Iterator[tuple[Convention, ...]]:
    """Yield those of classes, which are called by the names of the arguments; a class without a mask has none."""
    results = [FIRST_ALONE] if _gives_several(right.forward) else []
    masks = any("mask" in name for name in parameters(right.forward))
    dropped = [DROPPED_WEIGHTS] if masks and "dropout" in parameters(right) else []
    yield from _combined(SHAPES_OF_MASKS, MASKS, results, dropped) if masks else [()]
    yield from _combined([LENGTH_FIRST], results) if masks else []


def _combined(*kinds: list[Convention], at_most: int = 3) -> list[tuple[Convention, ...]]:
    combinations = itertools.product(*([None, *kind] for kind in kinds))
    found = (tuple(each for each in chosen if each) for chosen in combinations)
    return sorted((each for each in found if len(each) <= at_most), key=len)


def adapted(function: Callable, conventions: tuple[Convention, ...], oracle: Callable | None) -> Callable:
    """Make an implementation with our conventions of one with others; a mask that it takes by name is handed so."""
    keyword = _mask_by_name(function)

    @functools.wraps(function)
    def answer(*arguments: Any, **more: Any) -> Any:
        theirs = list(arguments)
        for convention in conventions:
            theirs = convention.arguments(theirs)
        if keyword and len(theirs) > keyword[0]:
            theirs, more = theirs[: keyword[0]], {keyword[1]: theirs[keyword[0]], **more}
        with contextlib.ExitStack() as inside:
            for convention in conventions:
                inside.enter_context(convention.during())
            result = function(*theirs, **more)
        for convention in reversed(conventions):
            result = convention.result(result, list(arguments), oracle)
        return result

    answer.again = lambda other: adapted(other, conventions, oracle)  # of a repaired one
    return answer


def _mask_by_name(function: Callable) -> tuple[int, str] | None:
    """Find a mask that only its name can be handed to: how many arguments come before it, and its name."""
    try:
        those = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = [each for each in those if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    named = [each.name for each in those if each.kind == each.KEYWORD_ONLY and "mask" in each.name]
    return (len(positional), named[0]) if named else None
