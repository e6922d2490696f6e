"""Calls without dropout on attention weights, which torch's own layers have and the course's have not."""

from collections.abc import Callable
from typing import Any, ClassVar

from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode


class WholeWeights(TorchFunctionMode):
    """Leaves out dropout that falls on attention weights: those of torch's functions, and rows that sum to 1."""

    _PLACES: ClassVar = {F.multi_head_attention_forward: 10, F.scaled_dot_product_attention: 4}

    def __torch_function__(self, function: Callable, types: Any, arguments: tuple = (), keywords: Any = None) -> Any:
        """Call a function of torch, without it."""
        if function is F.dropout and _are_weights(arguments[0]):
            return arguments[0]
        keywords, place = keywords or {}, self._PLACES.get(function)
        if place is not None and len(arguments) > place:
            arguments = (*arguments[:place], 0.0, *arguments[place + 1 :])
        elif place is not None:
            keywords = keywords | {"dropout_p": 0.0}
        return function(*arguments, **keywords)


def _are_weights(x: Tensor) -> bool:
    sums = x.detach().sum(-1)
    return x.dim() > 2 and bool(((sums - 1).abs() < 1e-4).logical_or(sums == 0).all())
