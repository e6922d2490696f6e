"""Chapter 18: what has changed in the block since 2017.

Four parts are replaced. The norm subtracts no mean, which is cheaper and is not missed (``rms_norm``). Positions rotate
queries and keys, so that scores depend on distances (``rotate``). The feed-forward network multiplies two maps of its
input, which was found to be better at equal size (``swiglu``). Heads share keys and values, so that a cache is smaller.
``ModernBlock`` puts the four together. The checks of arguments are at the end.

Source: Zhang and Sennrich (2019), "Root Mean Square Layer Normalization"; Su et al. (2021), "RoFormer"; Shazeer (2020),
"GLU Variants Improve Transformer"; Touvron et al. (2023), "LLaMA", section 2.2, which puts these three together;
Ainslie et al. (2023), "GQA".

Dimension names: ``...`` any leading dimensions (batch, heads), ``length``, ``d_model`` the width of the model,
``d_ff`` the width inside the feed-forward network, ``heads`` of queries, ``groups`` of keys and values (many models'
``num_kv_heads``), ``d_k`` the width of one head.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.precision import at_least_float32
from transformer_course.common.validation import (
    require_divisor,
    require_even,
    require_features,
    require_floating,
    require_mask,
    require_positive,
    require_positive_number,
    require_shape,
    require_within,
)
from transformer_course.multi_head_attention import fused_attention, merge_heads, split_heads
from transformer_course.positional_encoding import pair_frequencies, turn_pairs
from transformer_course.published.pretrained import load_gpt2, load_marian

# The chapter's second half, published weights in the course's own blocks, is `published/pretrained.py`: `load_gpt2` and
# `load_marian` rename the tensors of a file, turn them where needed, and copy them into blocks of chapters 09 to 13.
__all__ = ["ModernBlock", "RMSNorm", "load_gpt2", "load_marian", "rms_norm", "rotate", "swiglu"]


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """Give each position root mean square 1 over its own features, then a learned gain. No mean is subtracted.

    Source: Zhang and Sennrich (2019), equation 4.

    Args:
        x: ``(..., d_model)``, floating.
        weight: ``(d_model,)``, the gain.
        eps: added to the mean of the squares, inside the root.

    Returns:
        The normalised features ``(..., d_model)``.

    >>> rms_norm(torch.tensor([1.0, 7.0]), weight=torch.tensor([1.0, 10.0]))  # the root of (1 + 49) / 2 is 5
    tensor([ 0.2000, 14.0000])
    """
    require_shape("weight", weight, ("d_model",))
    require_features("x", x, weight.shape[0])
    require_within("eps", eps, 0)
    wide = at_least_float32(x)
    mean_square = wide.square().mean(dim=-1, keepdim=True)  # (..., 1)
    return (wide / (mean_square + eps).sqrt() * weight).to(x.dtype)


class RMSNorm(nn.Module):
    """Hold the gain of ``rms_norm``, and compute it with torch's kernel.

    Source: Zhang and Sennrich (2019), equation 4.

    Args:
        d_model: number of features.
        eps: added to the mean of the squares.
    """

    def __init__(self, d_model: int, eps: float = 1e-6):
        super().__init__()
        require_positive("d_model", d_model)
        require_within("eps", eps, 0)
        self.weight = nn.Parameter(torch.ones(d_model))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """Normalise each position: ``(..., d_model)`` to the same shape."""
        require_features("x", x, self.weight.shape[0])
        return F.rms_norm(x, self.weight.shape, self.weight, self.eps)


def rotate(x: Tensor, positions: Tensor, base: float = 10_000.0) -> Tensor:
    """Rotate each column pair of queries or keys counter-clockwise, by an angle that grows with the position.

    This is ``rotary_encoding`` of chapter 08 for any positions and any base: the dot product of a rotated query and a
    rotated key depends on their positions through the difference alone.

    Source: Su et al. (2021), section 3.2.2, equation 15.

    Args:
        x: ``(..., length, d)``, floating, d even.
        positions: ``(length,)``, where each row stands; they need be neither in order nor whole.
        base: pair i, which is columns 2i and 2i + 1, is rotated by ``position * base ** (-2i / d)`` radians; i from 0.

    Returns:
        The rotated rows, in the shape and dtype of x.

    >>> rotate(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), torch.tensor([0, 1]))
    tensor([[1.0000, 0.0000],
            [0.5403, 0.8415]])
    """
    require_rotation(x, positions, base)
    angles = positions.to(x.device)[:, None] * pair_frequencies(x.shape[-1], base, x.device)  # (length, d / 2)
    return turn_pairs(x, angles)


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    """Change each position on its own: gate times up, then down.

    Source: Shazeer (2020), equation 6, FFN_SwiGLU.

    Args:
        x: ``(..., d_model)``, floating.
        w_gate: ``(d_ff, d_model)``; what comes out of it goes through ``silu(z) = z * sigmoid(z)``.
        w_up: ``(d_ff, d_model)``.
        w_down: ``(d_model, d_ff)``.

    Returns:
        ``(silu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T``, ``(..., d_model)``.
    """
    require_gates(x, w_gate, w_up, w_down)
    return (F.silu(x @ w_gate.mT) * (x @ w_up.mT)) @ w_down.mT  # (..., d_model)


class ModernBlock(nn.Module):
    """The block of a language model of today. It hides nothing by itself: a language model passes ``is_causal=True``.

    It is pre-norm with RMS norms, queries and keys are rotated by their position, several heads share a group of keys
    and values, the feed-forward network is gated, and nothing has a bias. This is Llama's layer, whose files on
    Hugging Face pair column i of a head with column i + d_k / 2, not with its neighbour: ``published/llama_model.py``
    reorders the rows of ``w_query`` and ``w_key`` when it loads them (and the gains of their norms).

    Source: Touvron et al. (2023), section 2.2; Ainslie et al. (2023), section 2.2, for the groups; for ``qk_norm``
    Henry et al. (2020), "Query-Key Normalization for Transformers", with the RMS norm that stands there today.

    Args:
        d_model: width of the model.
        num_heads: a divisor of d_model; ``d_k = d_model / num_heads`` is even.
        num_groups: sets of keys and values, a divisor of num_heads. Head i reads group ``i // (heads / groups)``.
        d_ff: width inside the feed-forward network.
        qk_norm: normalise each query and each key, over its d_k numbers, before it is rotated, so that long vectors
            cannot make scores large.
        base: as in ``rotate``.
        eps: as in ``rms_norm``, in all norms.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        num_groups: int,
        d_ff: int,
        qk_norm: bool = False,
        base: float = 10_000.0,
        eps: float = 1e-6,
    ):
        super().__init__()
        self.d_k = require_block(d_model, num_heads, num_groups, d_ff)
        self.d_model, self.num_heads, self.num_groups, self.base = d_model, num_heads, num_groups, base
        self.norm_1, self.norm_2 = RMSNorm(d_model, eps), RMSNorm(d_model, eps)
        self.w_query = nn.Linear(d_model, num_heads * self.d_k, bias=False)
        self.w_key = nn.Linear(d_model, num_groups * self.d_k, bias=False)
        self.w_value = nn.Linear(d_model, num_groups * self.d_k, bias=False)
        self.w_output = nn.Linear(num_heads * self.d_k, d_model, bias=False)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
        self.norm_query = RMSNorm(self.d_k, eps) if qk_norm else nn.Identity()
        self.norm_key = RMSNorm(self.d_k, eps) if qk_norm else nn.Identity()
        for module in self.children():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)

    def forward(
        self, x: Tensor, mask: Tensor | None = None, positions: Tensor | None = None, is_causal: bool = False
    ) -> Tensor:
        """Pass a batch of sentences through the two sublayers.

        Args:
            x: ``(batch, length, d_model)``.
            mask: bool, broadcastable to ``(batch, heads, length, length)``; True = may be attended to.
            positions: ``(length,)``, where each word stands; None means 0, 1, 2, ...
            is_causal: True hides from each word those in later rows of x, beside what the mask hides.

        Returns:
            ``(batch, length, d_model)``.
        """
        require_sentence(x, mask, positions, self.d_model, self.num_heads)
        if positions is None:
            positions = torch.arange(x.shape[1], device=x.device)
        query, key, value = self.project(self.norm_1(x), positions)
        # Copied to each head of the group, for torch's kernel, which stores no weights; `grouped_query_attention` of
        # chapter 17 copies nothing, but stores the weights.
        copies = self.num_heads // self.num_groups
        key = key.repeat_interleave(copies, dim=1)  # (batch, heads, length, d_k)
        value = value.repeat_interleave(copies, dim=1)  # (batch, heads, length, d_k)
        heads = fused_attention(query, key, value, mask, is_causal)  # (batch, heads, length, d_k)
        x = x + self.w_output(merge_heads(heads))
        # `swiglu` takes the weights: these three layers are not called, and hooks on them do not run.
        return x + swiglu(self.norm_2(x), self.w_gate.weight, self.w_up.weight, self.w_down.weight)

    def project(self, x: Tensor, positions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Turn normalised words into queries, keys and values.

        Args:
            x: ``(batch, length, d_model)``.
            positions: ``(length,)``.

        Returns:
            Queries ``(batch, heads, length, d_k)``, keys and values ``(batch, groups, length, d_k)``; queries and keys
            are rotated. Keys and values are what a cache keeps.
        """
        query = self.norm_query(split_heads(self.w_query(x), self.num_heads))  # (batch, heads, length, d_k)
        key = self.norm_key(split_heads(self.w_key(x), self.num_groups))  # (batch, groups, length, d_k)
        value = split_heads(self.w_value(x), self.num_groups)  # (batch, groups, length, d_k)
        return rotate(query, positions, self.base), rotate(key, positions, self.base), value


def require_block(d_model: int, num_heads: int, num_groups: int, d_ff: int) -> int:
    """Return d_k, or raise ``ValueError`` unless a ``ModernBlock`` of these sizes can be made."""
    require_positive("d_model", d_model)
    require_divisor("num_heads", num_heads, "d_model", d_model)
    require_divisor("num_groups", num_groups, "num_heads", num_heads)
    require_positive("d_ff", d_ff)
    require_even("d_model / num_heads", d_model // num_heads)
    return d_model // num_heads


def require_sentence(x: Tensor, mask: Tensor | None, positions: Tensor | None, d_model: int, num_heads: int) -> None:
    """Raise ``ValueError`` unless a ``ModernBlock`` can read these."""
    require_shape("x", x, ("batch", "length", d_model))
    require_floating("x", x)
    batch, length, _ = x.shape
    if mask is not None:
        require_mask(mask, (batch, num_heads, length, length))
    if positions is not None:
        require_shape("positions", positions, (length,))


def require_rotation(x: Tensor, positions: Tensor, base: float) -> None:
    """Raise ``ValueError`` unless ``rotate`` can rotate these rows."""
    require_floating("x", x)
    if x.dim() < 2 or x.shape[-1] % 2:
        raise ValueError(f"x: expected shape (..., length, d) with an even d, got {tuple(x.shape)}")
    require_shape("positions", positions, (x.shape[-2],))
    require_positive_number("base", base)


def require_gates(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> None:
    """Raise ``ValueError`` unless ``swiglu`` can multiply these."""
    require_shape("w_gate", w_gate, ("d_ff", "d_model"))
    d_ff, d_model = w_gate.shape
    require_features("x", x, d_model)
    require_shape("w_up", w_up, (d_ff, d_model))
    require_shape("w_down", w_down, (d_model, d_ff))
