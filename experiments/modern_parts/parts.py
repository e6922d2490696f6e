"""The parts of the modern block, one at a time in a language model and in a translator: the runs of chapter 18.

Every variant is the model of chapter 13, or the Transformer of the ladder, with something replaced, so that all go
through the same code in the same order.

Dimension names: ``batch`` texts; ``length`` tokens; ``heads`` of queries, ``groups`` of keys; ``d_k`` width of a head.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.language_model import LanguageModel
from transformer_course.modern_transformer import RMSNorm, rotate
from transformer_course.multi_head_attention import fused_attention, merge_heads, split_heads
from transformer_course.training.ladder.models import small_transformer
from transformer_course.transformer import Transformer
from transformer_course.transformer_blocks import LayerNorm

BASE = "the block of chapter 13"
# What each variant replaces; SwiGLU's width is two thirds of 512, to a multiple of eight.
VARIANTS: dict[str, tuple[str, ...]] = {
    BASE: (),
    "RMS norm": ("rms norm",),
    "rotary positions": ("rotary",),
    "SwiGLU": ("swiglu",),
    "two groups of keys": ("groups",),
    "QK-norm": ("qk norm",),
    "no biases": ("no biases",),
    "all of them": ("rms norm", "rotary", "swiglu", "groups", "qk norm", "no biases"),
}
SIZES = {"d_model": 128, "num_heads": 4, "num_layers": 2, "d_ff": 512, "max_length": 64}
NUM_GROUPS, GATED_WIDTH, MAX_LENGTH = 2, 344, 512


def make_model(name: str, vocab_size: int) -> nn.Module:
    """Make the model of chapter 13 with the parts of a variant; ``torch.manual_seed`` decides on its weights.

    Args:
        name: in ``VARIANTS``.
        vocab_size: number of different tokens.

    Returns:
        The model, ``model(tokens (batch, length)) -> logits``.

    >>> torch.manual_seed(0) and None
    >>> sum(p.numel() for p in make_model("SwiGLU", 65).parameters())
    415712
    """
    parts = VARIANTS[name]
    model = LanguageModel(vocab_size, **SIZES)
    _replace(model, parts)
    if "rotary" in parts:
        model.position = NoPositions()
    return model


def make_translator(name: str, source_vocab_size: int, target_vocab_size: int) -> Transformer:
    """Make the Transformer of the ladder with the parts of a variant; ``torch.manual_seed`` decides on its weights.

    Where positions turn, they do so in the self-attention of both sides: a word of the target has no distance to one of
    the source.

    Args:
        name: in ``VARIANTS``.
        source_vocab_size: number of different source tokens.
        target_vocab_size: number of different target tokens.

    Returns:
        The model.
    """
    parts = VARIANTS[name]
    model = small_transformer(source_vocab_size, target_vocab_size)
    _replace(model, parts)
    if "rotary" in parts:
        for embedding in (model.source_embedding, model.target_embedding):
            embedding.encoding.zero_()
    return model


def _replace(model: nn.Module, parts: tuple[str, ...]) -> None:
    """Put the parts of a variant into the blocks of a model and the norms behind them."""
    for block in [module for module in model.modules() if hasattr(module, "feed_forward")]:
        if {"rotary", "groups", "qk norm"} & set(parts):
            block.self_attention = GroupedAttention(model.d_model, SIZES["num_heads"], parts)
        if {"groups", "qk norm"} & set(parts) and hasattr(block, "cross_attention"):
            crossing = tuple(part for part in parts if part != "rotary")
            block.cross_attention = GroupedAttention(model.d_model, SIZES["num_heads"], crossing)
        if "swiglu" in parts:
            block.feed_forward = GatedNetwork(model.d_model, GATED_WIDTH)
    for module in list(model.modules()):
        for name, child in module.named_children():
            if "rms norm" in parts and isinstance(child, LayerNorm):
                setattr(module, name, RMSNorm(model.d_model))
        if "no biases" in parts and getattr(module, "bias", None) is not None:
            module.bias = None


class NoPositions(nn.Module):
    """Stand in the place of the table of positions, and say nothing."""

    def forward(self, places: Tensor) -> Tensor:
        """Return one zero for all places."""
        return torch.zeros((), device=places.device)


class GroupedAttention(nn.Module):
    """``MultiHeadAttention`` of chapter 07, with biases, and with what the variant asks for.

    Args:
        d_model: width of the model.
        num_heads: a divisor of d_model.
        parts: of these ``"rotary"``, ``"groups"`` and ``"qk norm"`` change something.
    """

    def __init__(self, d_model: int, num_heads: int, parts: tuple[str, ...]):
        super().__init__()
        self.d_model, self.num_heads, d_k = d_model, num_heads, d_model // num_heads
        self.num_groups = NUM_GROUPS if "groups" in parts else num_heads
        self.w_query, self.w_output = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.w_key, self.w_value = (nn.Linear(d_model, self.num_groups * d_k) for _ in range(2))
        for linear in (self.w_query, self.w_key, self.w_value, self.w_output):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)
        self.norm_query, self.norm_key = (RMSNorm(d_k) if "qk norm" in parts else nn.Identity() for _ in range(2))
        self.turn = Turn(MAX_LENGTH, d_k) if "rotary" in parts else nn.Identity()

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        need_weights: bool = False,
        is_causal: bool = False,
    ) -> tuple[Tensor, None]:
        """Attend as ``MultiHeadAttention`` does; weights are never returned."""
        query = self.turn(self.norm_query(split_heads(self.w_query(query), self.num_heads)))
        key = self.turn(self.norm_key(split_heads(self.w_key(key), self.num_groups)))
        value = split_heads(self.w_value(value), self.num_groups)  # (batch, groups, length, d_k)
        if self.num_groups < self.num_heads:
            # Copies, which chapter 17 avoids: with 64 characters they cost less than what avoids them.
            repeats = self.num_heads // self.num_groups
            key, value = (each.repeat_interleave(repeats, dim=1) for each in (key, value))
        return self.w_output(merge_heads(fused_attention(query, key, value, mask, is_causal))), None


class Turn(nn.Module):
    """``rotate`` at the positions 0, 1, 2, ..., with sines and cosines that are computed once.

    Args:
        max_length: how many positions.
        d_k: width of a head, even.
    """

    def __init__(self, max_length: int, d_k: int):
        super().__init__()
        first = torch.tensor([1.0, 0.0]).repeat(d_k // 2).expand(max_length, d_k)  # (1, 0) turns to (cos, sin)
        turned = rotate(first, torch.arange(max_length)).unflatten(-1, (-1, 2))  # (max_length, d_k / 2, 2)
        self.register_buffer("turns", torch.view_as_complex(turned.contiguous()), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Turn the rows of ``(batch, heads, length, d_k)``: a pair of columns is a complex number."""
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())  # (batch, heads, length, d_k / 2)
        return torch.view_as_real(pairs * self.turns[: x.shape[-2]]).flatten(-2)


class GatedNetwork(nn.Module):
    """``swiglu`` with biases, in the place of ``FeedForward``.

    Args:
        d_model: width of input and output.
        d_ff: width in between.
    """

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.gate, self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        for linear in (self.gate, self.up, self.down):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Map each position: ``(..., d_model)`` to the same shape."""
        return self.down(F.silu(self.gate(x)) * self.up(x))
