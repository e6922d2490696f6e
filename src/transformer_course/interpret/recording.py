"""Collect the attention maps of any model that is built from the course's attention, without touching the model.

Chapter 12 measures what is collected here. The blocks ask their attention for the output only (``need_weights=False``);
a hook before each call asks for the weights as well, and a hook after it keeps them.
"""

import inspect
from types import TracebackType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from transformer_course.common.validation import require_index
from transformer_course.multi_head_attention import MultiHeadAttention


class RecordedMap(NamedTuple):
    """One call of one attention module: its name in the model, and its weights ``(batch, heads, m, n)``."""

    name: str
    weights: Tensor


class AttentionRecorder:
    """Record every attention map that a model computes inside a ``with`` block.

    The maps carry no gradient and stay on the device of the model. While recording, attention takes the path that
    computes weights: the outputs agree with those of the fast path up to rounding. What does not pass through
    ``forward`` of the attention is not seen, in particular decoding with cached keys and values.

    Args:
        model: any module with attention inside, or an attention itself.
        kinds: the classes to look for; add your own, as long as it returns ``(output, weights)``.

    Raises:
        ValueError: if there is no attention in the model.

    Example:
        >>> attention = MultiHeadAttention(d_model=6, num_heads=2)
        >>> with AttentionRecorder(nn.ModuleDict({"layer": attention})) as recorder:
        ...     _ = attention(torch.ones(1, 4, 6), torch.ones(1, 5, 6), torch.ones(1, 5, 6), need_weights=False)
        >>> [(name, tuple(weights.shape)) for name, weights in recorder.maps]
        [('layer', (1, 2, 4, 5))]
    """

    def __init__(self, model: nn.Module, kinds: tuple[type[nn.Module], ...] = (MultiHeadAttention,)):
        self.maps: list[RecordedMap] = []
        """What was recorded, in the order of the calls."""
        self._modules = {name: module for name, module in model.named_modules() if isinstance(module, kinds)}
        self._handles: list[torch.utils.hooks.RemovableHandle] = []
        if not self._modules:
            wanted = " or ".join(kind.__name__ for kind in kinds)
            raise ValueError(f"model: expected at least one {wanted} inside, got {type(model).__name__} without any")

    @property
    def names(self) -> list[str]:
        """The names of the attention modules in the model; each can be called any number of times."""
        return list(self._modules)

    def stack(self, containing: str = "", sentence: int = 0) -> Tensor:
        """Put the maps of one sentence together, as the functions of chapter 12 take them.

        Args:
            containing: take only modules with this text in their name, such as ``"encoder"``.
            sentence: index in the batch.

        Returns:
            The maps ``(layers, heads, m, n)``, in the order of the calls.

        Raises:
            ValueError: if nothing fits, the maps differ in shape, or there is no such sentence.
        """
        chosen = [weights for name, weights in self.maps if containing in name]
        if not chosen:
            raise ValueError(
                f"containing: expected text from the name of a module that was called, {self.names}, got {containing!r}"
            )
        shapes = {tuple(weights.shape) for weights in chosen}
        if len(shapes) > 1:
            raise ValueError(
                f"containing: expected modules with maps of one shape, got {sorted(shapes)}; name one kind of "
                "attention, and record one forward pass"
            )
        require_index("sentence", sentence, chosen[0].shape[0])
        return torch.stack([weights[sentence] for weights in chosen])  # (layers, heads, m, n)

    def __enter__(self) -> "AttentionRecorder":
        self._remove_hooks()
        self.maps = []
        for name, module in self._modules.items():
            if "need_weights" in inspect.signature(module.forward).parameters:
                self._handles.append(module.register_forward_pre_hook(_ask_for_weights, with_kwargs=True))
            self._handles.append(module.register_forward_hook(self._keep(name)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._remove_hooks()

    def _remove_hooks(self) -> None:
        while self._handles:
            self._handles.pop().remove()

    def _keep(self, name: str) -> Any:
        def keep(module: nn.Module, inputs: tuple, output: tuple[Tensor, Tensor]) -> None:
            self.maps.append(RecordedMap(name, output[1].detach()))

        return keep


def _ask_for_weights(module: nn.Module, inputs: tuple, keywords: dict) -> tuple[tuple, dict]:
    bound = inspect.signature(module.forward).bind(*inputs, **keywords)
    bound.arguments["need_weights"] = True
    return bound.args, bound.kwargs
