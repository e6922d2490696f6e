"""Checks at the public boundary: each error names the argument, what was expected and what came."""

from torch import Tensor, broadcast_shapes
from torch import bool as torch_bool
from torch import long as torch_long


def require_floating(name: str, tensor: Tensor) -> None:
    """Raise ``ValueError`` unless the tensor holds floating-point numbers."""
    if not tensor.is_floating_point():
        raise ValueError(f"{name}: expected a floating dtype, got {tensor.dtype}")


def require_dimensions(name: str, tensor: Tensor, at_least: int) -> None:
    """Raise ``ValueError`` if the tensor has fewer dimensions than needed."""
    if tensor.dim() < at_least:
        raise ValueError(f"{name}: expected at least {at_least} dimension(s), got shape {tuple(tensor.shape)}")


def require_pair(name: str, tensor: Tensor, other_name: str, other: Tensor) -> None:
    """Raise ``ValueError`` unless both are stacks of floating rows of one dtype, and their stacks broadcast."""
    for each_name, each in ((other_name, other), (name, tensor)):
        require_dimensions(each_name, each, at_least=2)
        require_floating(each_name, each)
    if tensor.dtype != other.dtype:
        raise ValueError(f"{name}: expected dtype {other.dtype} as in {other_name}, got {tensor.dtype}")
    try:
        broadcast_shapes(tensor.shape[:-2], other.shape[:-2])
    except RuntimeError:
        raise ValueError(
            f"{name}: expected leading dimensions that broadcast with those of {other_name}, "
            f"{tuple(other.shape[:-2])}, got {tuple(tensor.shape[:-2])}"
        ) from None


def require_mask(mask: Tensor, shape: tuple[int, ...], name: str = "mask") -> None:
    """Raise ``ValueError`` unless the mask is boolean and broadcasts to exactly ``shape``."""
    if mask.dtype != torch_bool:
        raise ValueError(f"{name}: expected dtype torch.bool (True = may be attended to), got {mask.dtype}")
    try:
        fits = broadcast_shapes(mask.shape, shape) == tuple(shape)
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(f"{name}: expected a shape that broadcasts to {tuple(shape)}, got {tuple(mask.shape)}")


def require_positive(name: str, number: int) -> None:
    """Raise ``ValueError`` unless the number is an integer of at least 1."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ValueError(f"{name}: expected an integer of at least 1, got {number!r}")


def require_not_negative(name: str, number: int) -> None:
    """Raise ``ValueError`` unless the number is an integer of at least 0."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise ValueError(f"{name}: expected an integer of at least 0, got {number!r}")


def require_shape(name: str, tensor: Tensor, shape: tuple[int | str, ...]) -> None:
    """Raise ``ValueError`` unless the tensor has this shape; a word such as ``"length"`` stands for any size."""
    fits = tensor.dim() == len(shape) and all(
        isinstance(wanted, str) or wanted == size for wanted, size in zip(shape, tensor.shape, strict=True)
    )
    if not fits:
        wanted = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
        raise ValueError(f"{name}: expected shape ({wanted}), got {tuple(tensor.shape)}")


def require_shapes(**tensors: tuple[Tensor, str]) -> None:
    """Raise ``ValueError`` unless the shapes fit: ``query=(query, "batch d")``; a name is one size in all of them."""
    sizes: dict[str, int] = {}
    for name, (tensor, dimensions) in tensors.items():
        require_shape(name, tensor, tuple(sizes.get(each, each) for each in dimensions.split()))
        sizes |= dict(zip(dimensions.split(), tensor.shape, strict=True))


def require_map(name: str, weights: Tensor) -> None:
    """Raise ``ValueError`` unless weights are (target_length, source_length), with a source word for target words."""
    require_shape(name, weights, ("target_length", "source_length"))
    if weights.shape[0] > 0 and weights.shape[1] == 0:
        raise ValueError(f"{name}: expected at least one source word, got shape {tuple(weights.shape)}")


def require_long(name: str, tensor: Tensor) -> None:
    """Raise ``ValueError`` unless the tensor holds 64-bit integers: token ids, labels, lengths."""
    if tensor.dtype != torch_long:
        raise ValueError(f"{name}: expected dtype torch.int64, got {tensor.dtype}")


def require_integers(name: str, tensor: Tensor) -> None:
    """Raise ``ValueError`` unless the tensor holds integers of any size; booleans are none."""
    if tensor.is_floating_point() or tensor.is_complex() or tensor.dtype == torch_bool:
        raise ValueError(f"{name}: expected an integer dtype, got {tensor.dtype}")


def require_masks(masks: tuple[Tensor | None, ...]) -> None:
    """Raise ``ValueError`` unless each mask is None or a boolean tensor, and their shapes broadcast."""
    shape = ()
    for position, mask in enumerate(masks):
        name = f"masks[{position}]"
        if mask is None:
            continue
        if not isinstance(mask, Tensor):
            raise ValueError(f"{name}: expected a tensor or None, got {type(mask).__name__}")
        try:
            shape = broadcast_shapes(shape, mask.shape)
        except RuntimeError:
            raise ValueError(
                f"{name}: expected a shape that broadcasts with the masks before it, {tuple(shape)}, "
                f"got {tuple(mask.shape)}"
            ) from None
        require_mask(mask, shape, name)


def require_sentences(embedded: Tensor, lengths: Tensor, hidden: Tensor) -> None:
    """Raise ``ValueError`` unless embedded words (batch, length, d), their lengths, and the first states fit."""
    require_shape("embedded", embedded, ("batch", "length", "d"))
    require_floating("embedded", embedded)
    batch, length, _ = embedded.shape
    require_shape("lengths", lengths, (batch,))
    require_long("lengths", lengths)
    require_shape("hidden", hidden, (batch, "d_hidden"))
    if ((lengths < 0) | (lengths > length)).any():
        raise ValueError(f"lengths: expected values from 0 to length = {length}, got {lengths.tolist()}")


def require_attention(query: Tensor, key: Tensor, value: Tensor | None = None, mask: Tensor | None = None) -> None:
    """Raise ``ValueError`` unless query, key, value and mask fit: widths, lengths, dtypes, leading dimensions."""
    require_pair("key", key, "query", query)
    if key.shape[-1] != query.shape[-1]:
        raise ValueError(f"key: expected d_k = {query.shape[-1]} as in query, got {key.shape[-1]}")
    if query.shape[-1] == 0:
        raise ValueError("query: expected d_k of at least 1, got 0")
    if value is not None:
        require_pair("value", value, "key", key)
        if value.shape[-2] != key.shape[-2]:
            raise ValueError(f"value: expected key_length = {key.shape[-2]} rows as in key, got {value.shape[-2]}")
    if mask is not None:
        leading = broadcast_shapes(query.shape[:-2], key.shape[:-2])
        require_mask(mask, (*leading, query.shape[-2], key.shape[-2]))


def require_even(name: str, number: int) -> None:
    """Raise ``ValueError`` unless the number is an even integer of at least 2."""
    require_positive(name, number)
    if number % 2:
        raise ValueError(f"{name}: expected an even number, got {number}")


def require_positions(name: str, tokens: Tensor, start: int, max_length: int) -> None:
    """Raise ``ValueError`` unless tokens ``(batch, length)`` from position ``start`` on fit into ``max_length``."""
    require_shape(name, tokens, ("batch", "length"))
    if tokens.is_floating_point():
        raise ValueError(f"{name}: expected whole numbers, got {tokens.dtype}")
    require_not_negative("start", start)
    if start + tokens.shape[1] > max_length:
        last = start + tokens.shape[1] - 1
        raise ValueError(f"{name}: expected positions below max_length = {max_length}, got {start} to {last}")


def require_scale(scale: float) -> None:
    """Raise ``ValueError`` unless the number that scores are divided by is positive."""
    if not scale > 0:
        raise ValueError(f"scale: expected a positive number, got {scale}")


def require_like(name: str, tensor: Tensor, other_name: str, other: Tensor) -> None:
    """Raise ``ValueError`` unless both have the same shape and dtype."""
    if tensor.shape != other.shape or tensor.dtype != other.dtype:
        raise ValueError(
            f"{name}: expected shape {tuple(other.shape)} and dtype {other.dtype} as in {other_name}, "
            f"got {tuple(tensor.shape)} and {tensor.dtype}"
        )


def require_at_least_two(name: str, number: int) -> None:
    """Raise ``ValueError`` unless the number is an integer of at least 2."""
    require_positive(name, number)
    if number < 2:
        raise ValueError(f"{name}: expected at least 2, got {number}")


def require_divisor(name: str, number: int, of_name: str, of: int) -> None:
    """Raise ``ValueError`` unless the number is a positive integer that divides the other one."""
    require_positive(name, number)
    if of % number:
        raise ValueError(f"{name}: expected a divisor of {of_name} = {of}, got {number}")
