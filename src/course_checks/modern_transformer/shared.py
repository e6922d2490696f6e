"""What the tasks of exercise 18 share: rotations of columns, and models that a learner's function makes."""

import copy
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_checks.subject import unwrapped
from course_checks.words import Finding

UNIT = "modern_transformer"


def turned(x: Tensor, angles: Tensor, halves: bool = False) -> Tensor:
    """Turn columns 2i and 2i + 1 of x ``(..., length, d)`` by ``angles (length, d / 2)``; or i and i + d / 2."""
    pairs = x.double().unflatten(-1, (2, -1)).mT if halves else x.double().unflatten(-1, (-1, 2))
    numbers = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * torch.exp(1j * angles))
    return (numbers.mT if halves else numbers).flatten(-2).to(x.dtype)


def angles_of(positions: Tensor, d: int, base: float = 10_000.0) -> Tensor:
    """Give the angle of each position and pair, ``(length, d / 2)``, in float64."""
    return torch.outer(positions.double(), base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d))


def block_says(
    block: nn.Module, x: Tensor, places: Tensor, mask: Tensor | None = None, cache: tuple | None = None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """Compute a modern block with torch, for words at ``places``, behind those whose keys and values are cached.

    Returns:
        What comes out, and the keys and values of all words.
    """
    y, layers = block.norm_1(x), (block.w_query, block.w_key, block.w_value)
    query, key, value = (layer(y).unflatten(-1, (-1, block.d_k)).transpose(1, 2) for layer in layers)
    if hasattr(block, "norm_query"):
        query, key = block.norm_query(query), block.norm_key(key)
    query, key = (turned(z, angles_of(places, block.d_k)) for z in (query, key))
    if cache is not None:
        key, value = (torch.cat(pair, 2) for pair in zip(cache, (key, value), strict=True))
    mixed = F.scaled_dot_product_attention(query, key, value, mask, enable_gqa=True)
    x = x + block.w_output(mixed.transpose(1, 2).flatten(2))
    y = block.norm_2(x)
    return x + block.w_down(F.silu(block.w_gate(y)) * block.w_up(y)), (key, value)


def loaded(answer: Any, *given: dict | int) -> Any:
    """Call a function that loads a model, and require that it leaves the dictionaries as they were.

    Raises:
        Finding: which names what it has changed.
    """
    before = [dict(each) if isinstance(each, dict) else None for each in given]
    copies = [copy.deepcopy(each) for each in given]  # what the function may change is no other case's
    tensors = {name: tensor.clone() for name, tensor in given[0].items()}
    model = answer(*copies)
    for now, earlier in zip(copies, before, strict=True):
        if earlier is None:
            continue
        changed = [
            name for name in earlier if name not in now or not _equal(now[name], tensors.get(name, earlier[name]))
        ]
        changed += [name for name in now if name not in earlier]
        if changed:
            raise Finding(
                f"the call changed the dictionary that it was given, at {changed[0]!r}",
                "dictionaries that are the same after the call as before it",
                "`pop`, `del`, `clear`, `update` or an assignment to `state[...]`; or a tensor that is written into",
                "make a dictionary of your own: `renamed = {}`, or `dict(state)`", final=True,
            )  # fmt: skip
    return model


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, Tensor):
        return isinstance(other, Tensor) and one.shape == other.shape and torch.equal(one, other)
    return one == other


def made(model: Any) -> Any:
    """Return the model that a function made, in evaluation mode.

    Raises:
        Finding: if it is no module.
    """
    raw = unwrapped(model)
    if not isinstance(raw, nn.Module):
        raise Finding(
            f"it returned an object of type {type(raw).__name__}", "the model, an nn.Module", "the return statement",
            "the last line returns the model",
        )  # fmt: skip
    raw.eval()
    return model
