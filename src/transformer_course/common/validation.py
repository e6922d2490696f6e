"""Checks at the public boundary: each error names the argument, what was expected and what came."""

import operator
from collections.abc import Sequence
from math import inf

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


def require_same_dtype(name: str, tensor: Tensor, other_name: str, other: Tensor) -> None:
    """Raise ``ValueError`` unless both have one dtype."""
    if tensor.dtype != other.dtype:
        raise ValueError(f"{name}: expected dtype {other.dtype} as in {other_name}, got {tensor.dtype}")


def require_key(key: Tensor, query: Tensor) -> None:
    """Raise ``ValueError`` unless keys and queries can be compared: floating rows of one dtype and one width."""
    for name, rows in (("query", query), ("key", key)):
        require_dimensions(name, rows, at_least=2)
        require_floating(name, rows)
    require_same_dtype("key", key, "query", query)
    if key.shape[-1] != query.shape[-1]:
        raise ValueError(f"key: expected d_k = {query.shape[-1]} as in query, got {key.shape[-1]}")
    if query.shape[-1] == 0:
        raise ValueError("query: expected d_k of at least 1, got 0")
    _require_stack("key", key, "query", query.shape[:-2])


def require_value(value: Tensor, key: Tensor, query: Tensor) -> None:
    """Raise ``ValueError`` unless there is one value for each key; the keys have passed ``require_key``."""
    require_dimensions("value", value, at_least=2)
    require_same_dtype("value", value, "key", key)
    if value.shape[-2] != key.shape[-2]:
        raise ValueError(f"value: expected key_length = {key.shape[-2]} rows as in key, got {value.shape[-2]}")
    _require_stack("value", value, "query and key", broadcast_shapes(query.shape[:-2], key.shape[:-2]))


def _require_stack(name: str, tensor: Tensor, other_names: str, leading: tuple[int, ...]) -> None:
    try:
        broadcast_shapes(tensor.shape[:-2], leading)
    except RuntimeError:
        raise ValueError(
            f"{name}: expected leading dimensions that broadcast with those of {other_names}, {tuple(leading)}, "
            f"got {tuple(tensor.shape[:-2])}"
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


def require_positive_number(name: str, number: float) -> None:
    """Raise ``ValueError`` unless the number is greater than 0; NaN is not."""
    if not number > 0:
        raise ValueError(f"{name}: expected a positive number, got {number}")


def require_not_negative(name: str, number: int) -> None:
    """Raise ``ValueError`` unless the number is an integer of at least 0."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise ValueError(f"{name}: expected an integer of at least 0, got {number!r}")


def require_within(name: str, number: float, low: float, high: float = inf) -> None:
    """Raise ``ValueError`` unless the number lies between these two, or is one of them."""
    if not low <= number <= high:
        wanted = f"of at least {low}" if high == inf else f"from {low} to {high}"
        raise ValueError(f"{name}: expected a number {wanted}, got {number}")


def require_one_of(name: str, value: str, words: tuple[str, ...]) -> None:
    """Raise ``ValueError`` unless the value is one of these words."""
    if value not in words:
        raise ValueError(f"{name}: expected {' or '.join(map(repr, words))}, got {value!r}")


def require_features(name: str, tensor: Tensor, d_model: int) -> None:
    """Raise ``ValueError`` unless the tensor is floating, and its last dimension has this size."""
    require_floating(name, tensor)
    if tensor.dim() == 0 or tensor.shape[-1] != d_model:
        raise ValueError(f"{name}: expected {d_model} features in the last dimension, got shape {tuple(tensor.shape)}")


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


def require_tokens(name: str, tokens: Tensor, shape: tuple[int | str, ...], at_least: int = 0) -> None:
    """Raise ``ValueError`` unless these are token ids (or places) of this shape, with so many in the last dimension."""
    require_long(name, tokens)
    require_shape(name, tokens, shape)
    if tokens.shape[-1] < at_least:
        raise ValueError(f"{name}: expected {at_least} or more tokens in a row, got {tokens.shape[-1]}")


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


def require_cell(
    x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor, gates: int
) -> None:
    """Raise ``ValueError`` unless word, state, and the weights of a recurrent cell with so many blocks fit together."""
    require_shape("x", x, ("batch", "d"))
    require_shape("hidden", hidden, (x.shape[0], "d_hidden"))
    d, d_hidden = x.shape[1], hidden.shape[1]
    require_shape("weight_ih", weight_ih, (gates * d_hidden, d))
    require_shape("weight_hh", weight_hh, (gates * d_hidden, d_hidden))
    require_shape("bias_ih", bias_ih, (gates * d_hidden,))
    require_shape("bias_hh", bias_hh, (gates * d_hidden,))


def require_sentences(embedded: Tensor, lengths: Tensor, hidden: Tensor) -> None:
    """Raise ``ValueError`` unless embedded words (batch, length, d), their lengths, and the first states fit."""
    require_shape("embedded", embedded, ("batch", "length", "d"))
    require_floating("embedded", embedded)
    batch, length, _ = embedded.shape
    require_shape("lengths", lengths, (batch,))
    require_shape("hidden", hidden, (batch, "d_hidden"))
    require_lengths(lengths, length)


def may_look_inside(tensor: Tensor) -> bool:
    """Tell whether values may be read back: a GPU would have to finish all its work first, in every step."""
    return tensor.device.type == "cpu"


def require_lengths(lengths: Tensor, length: int) -> None:
    """Raise ``ValueError`` unless lengths are int64 and (looked at on the CPU only) each is from 0 to ``length``."""
    require_long("lengths", lengths)
    if may_look_inside(lengths) and ((lengths < 0) | (lengths > length)).any():
        raise ValueError(f"lengths: expected values from 0 to length = {length}, got {lengths.tolist()}")


def require_attention(query: Tensor, key: Tensor, value: Tensor | None = None, mask: Tensor | None = None) -> None:
    """Raise ``ValueError`` unless query, key, value and mask fit: widths, lengths, dtypes, leading dimensions."""
    require_key(key, query)
    leading = broadcast_shapes(query.shape[:-2], key.shape[:-2])
    if value is not None:
        require_value(value, key, query)
        require_floating("value", value)
    if mask is not None:
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
    if not 0 < scale < inf:
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


def require_maps(name: str, weights: Tensor, square: bool = False) -> None:
    """Raise ``ValueError`` unless these are floating maps ``(layers, heads, m, n)``; square: m = n, and a head."""
    require_shape(name, weights, ("layers", "heads", "m", "n"))
    require_floating(name, weights)
    if square and (weights.shape[2] != weights.shape[3] or weights.shape[1] == 0):
        raise ValueError(f"{name}: expected at least 1 head, and square maps, got {tuple(weights.shape)}")


def require_weights(name: str, weights: Tensor) -> None:
    """Raise ``ValueError`` unless these are attention weights ``(..., m, n)``: floating, none of them negative."""
    require_dimensions(name, weights, at_least=2)
    require_floating(name, weights)
    if (weights < 0).any():
        raise ValueError(f"{name}: expected numbers of at least 0, got {weights.min().item()}")


def require_index(name: str, index: int, size: int) -> None:
    """Raise ``ValueError`` unless the index is from 0 to size - 1."""
    if not 0 <= index < size:
        raise ValueError(f"{name}: expected an index from 0 to {size - 1}, got {index}")


def require_lists(first_name: str, first: Sequence, second_name: str, second: Sequence) -> None:
    """Raise ``ValueError`` unless both lists have the same length, of at least 2."""
    if len(first) != len(second) or len(first) < 2:
        raise ValueError(
            f"{second_name}: expected 2 numbers or more, as many as in {first_name}, got {len(first)} and {len(second)}"
        )


def require_token_lists(name: str, lists: Sequence[Sequence[int]]) -> None:
    """Raise ``ValueError`` unless all lists hold integers only."""
    for number, each in enumerate(lists):
        for token in each:
            try:
                operator.index(token)
            except TypeError:
                raise ValueError(f"{name}: expected integers in each list, got {token!r} in list {number}") from None


def require_labels(logits: Tensor, labels: Tensor, pad_id: int) -> None:
    """Raise ``ValueError`` unless each label has its row of logits, and (on the CPU only) is a word or padding."""
    require_dimensions("logits", logits, at_least=1)
    require_floating("logits", logits)
    require_shape("labels", labels, tuple(logits.shape[:-1]))
    require_long("labels", labels)
    vocab_size = logits.shape[-1]
    if vocab_size == 0:
        raise ValueError("logits: expected vocab_size of at least 1, got 0")
    if may_look_inside(labels):
        wrong = labels[(labels != pad_id) & ((labels < 0) | (labels >= vocab_size))]
        if wrong.numel() > 0:
            raise ValueError(f"labels: expected words from 0 to {vocab_size - 1} or padding, got {int(wrong[0])}")


def require_not_padding(name: str, token: int, pad_id: int) -> None:
    """Raise ``ValueError`` if the token is the one that fills the short sentences."""
    if token == pad_id:
        raise ValueError(f"{name}: expected another token than padding, {pad_id}")


def require_share(name: str, number: float) -> None:
    """Raise ``ValueError`` unless the number is from 0 to 1."""
    if not 0 <= number <= 1:
        raise ValueError(f"{name}: expected a share from 0 to 1, got {number}")


def require_cache(name: str, cache: tuple[Tensor, Tensor] | None, shape: tuple[int | str, ...]) -> None:
    """Raise ``ValueError`` unless cache is None, or keys and values that have this shape, both the same."""
    if cache is not None:
        require_shape(f"{name}[0]", cache[0], shape)
        require_shape(f"{name}[1]", cache[1], tuple(cache[0].shape))


def require_corpus(hypotheses: Sequence, references: Sequence) -> None:
    """Raise ``ValueError`` unless each hypothesis has a reference, and all of them are lists of words or ids."""
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(texts, Tensor):
            raise ValueError(
                f"{name}: expected lists of tokens, got a tensor of shape {tuple(texts.shape)}; its rows hold EOS and "
                "padding, which are no words: cut them off, as Vocabulary.decode does"
            )
    if len(hypotheses) != len(references):
        raise ValueError(f"references: expected one for each of {len(hypotheses)} hypotheses, got {len(references)}")
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        for index, text in enumerate(texts):
            if isinstance(text, str):
                raise ValueError(f"{name}: expected lists of tokens, got the string {text!r} at {index}")
            # Tensors of equal value are no equal keys: nothing would ever be found.
            if isinstance(text, Tensor) or any(isinstance(token, Tensor) for token in text):
                raise ValueError(f"{name}: expected lists of words or ids, got tensors at {index}; use .tolist()")
