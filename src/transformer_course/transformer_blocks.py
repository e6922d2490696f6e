"""Chapter 09: layer normalisation, the feed-forward network, and the blocks of encoder and decoder.

A block is a few sublayers in the same frame: what each computes is added to its input, so that the gradient has a way
past it, and a norm (``layer_norm``) comes after the addition or before the sublayer (``residual``). The sublayers are
the attention of chapter 07, which moves information between positions, and ``FeedForward``, which works on each alone.
``EncoderBlock`` has two sublayers, ``DecoderBlock`` one more, which attends to the source.

Source: Vaswani et al. (2017), "Attention Is All You Need", sections 3.1 and 3.3.

Dimension names: ``batch``, ``length`` (of the source in the encoder, of the target in the decoder),
``source_length``, ``d_model`` the width of the model, ``d_ff`` the width inside the feed-forward network.
"""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.precision import at_least_float32
from transformer_course.common.validation import (
    require_features,
    require_floating,
    require_mask,
    require_one_of,
    require_positive,
    require_shape,
    require_within,
)
from transformer_course.multi_head_attention import MultiHeadAttention

Sublayer = Callable[[Tensor], Tensor]
# "gelu_tanh" is how GPT-2 computes GELU; "silu" is also called swish.
ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "gelu_tanh": partial(F.gelu, approximate="tanh"), "silu": F.silu}


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Give each position mean 0 and variance 1 over its own features, then a learned gain and shift.

    Source: Ba et al. (2016), "Layer Normalization", equation 4 with the statistics of equation 3.

    Args:
        x: ``(..., d_model)``, floating.
        weight: ``(d_model,)``, the gain.
        bias: ``(d_model,)``, the shift.
        eps: added to the variance, so that constant features do not divide by zero.

    Returns:
        The normalised features ``(..., d_model)``.

    >>> layer_norm(torch.tensor([1.0, 3.0]), weight=torch.ones(2), bias=torch.zeros(2), eps=0.0)
    tensor([-1.,  1.])
    """
    require_shape("weight", weight, ("d_model",))
    require_shape("bias", bias, tuple(weight.shape))
    require_features("x", x, weight.shape[0])
    require_within("eps", eps, 0)
    wide = at_least_float32(x)
    centred = wide - wide.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)
    return (centred / (variance + eps).sqrt() * weight + bias).to(x.dtype)


class LayerNorm(nn.Module):
    """Hold the gain and the shift of ``layer_norm``, and compute it.

    The module calls torch's kernel instead of the lines above: the same numbers and gradients, several times faster
    (``benchmarks/layer_norm.py``).

    Source: Ba et al. (2016), section 3.1.

    Args:
        d_model: number of features.
        eps: added to the variance.
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        require_positive("d_model", d_model)
        require_within("eps", eps, 0)
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """Normalise each position: ``(..., d_model)`` to the same shape."""
        require_features("x", x, self.weight.shape[0])
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


class FeedForward(nn.Module):
    """Change each position on its own: linear, activation, dropout, linear.

    The weights start Xavier uniform, the biases at zero, as in the attention beside it.

    Source: Vaswani et al. (2017), section 3.3, equation 2; Hendrycks & Gimpel (2016), "Gaussian Error Linear Units",
    section 2, for "gelu", with its approximation "gelu_tanh" and the SiLU.

    Args:
        d_model: width of input and output.
        d_ff: width in between.
        dropout: probability with which an activation is set to zero in training.
        activation: a name in ``ACTIVATIONS``: ``"relu"``, ``"gelu"``, ``"gelu_tanh"`` or ``"silu"``.
    """

    def __init__(self, d_model: int, d_ff: int, dropout: float = 0.0, activation: str = "relu"):
        super().__init__()
        require_positive("d_model", d_model)
        require_positive("d_ff", d_ff)
        require_one_of("activation", activation, tuple(ACTIVATIONS))
        self.linear_1 = nn.Linear(d_model, d_ff)
        self.linear_2 = nn.Linear(d_ff, d_model)
        self.dropout = make_dropout(dropout)
        self.activation = activation
        for linear in (self.linear_1, self.linear_2):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Map each position: ``(..., d_model)`` to the same shape."""
        require_features("x", x, self.linear_1.in_features)
        hidden = ACTIVATIONS[self.activation](self.linear_1(x))  # (..., d_ff)
        return self.linear_2(self.dropout(hidden))  # (..., d_model)


def residual(x: Tensor, sublayer: Sublayer, norm: Sublayer, dropout: Sublayer, norm_first: bool) -> Tensor:
    """Add a sublayer's output to its input, and normalise: after the addition (post-norm) or before the sublayer.

    Source: Vaswani et al. (2017), sections 3.1 and 5.4, LayerNorm(x + Dropout(Sublayer(x))); Xiong et al. (2020), "On
    Layer Normalization in the Transformer Architecture", figure 1b, for the other order.

    Args:
        x: ``(batch, length, d_model)``.
        sublayer: maps ``(batch, length, d_model)`` to the same shape.
        norm: the normalisation.
        dropout: applied to the sublayer's output.
        norm_first: False = post-norm, normalise the sum (the paper); True = pre-norm, normalise the sublayer's input,
            so that x itself runs through the whole model untouched.

    Returns:
        ``(batch, length, d_model)``.
    """
    if norm_first:
        return x + dropout(sublayer(norm(x)))
    return norm(x + dropout(sublayer(x)))


class EncoderBlock(nn.Module):
    """Read: every position attends to all positions, then goes through the feed-forward network.

    Dropout is applied to what each sublayer adds, as in the paper (section 5.4), and inside the feed-forward network,
    as in torch's layer. That one drops attention weights too, this one does not; in evaluation both compute the same.

    Source: Vaswani et al. (2017), section 3.1, encoder.

    Args:
        d_model: width of the model.
        num_heads: a divisor of d_model.
        d_ff: width inside the feed-forward network.
        dropout: probability of dropout in training.
        activation: a name in ``ACTIVATIONS``: ``"relu"``, ``"gelu"``, ``"gelu_tanh"`` or ``"silu"``.
        norm_first: True = pre-norm, normalise before each sublayer; False = post-norm, after each addition.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int,
        dropout: float = 0.0,
        activation: str = "relu",
        norm_first: bool = False,
    ):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout, activation)
        self.norm_1, self.norm_2 = LayerNorm(d_model), LayerNorm(d_model)
        self.dropout = make_dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x: Tensor, mask: Tensor | None = None, is_causal: bool = False) -> Tensor:
        """Pass a batch of sentences through the two sublayers.

        Args:
            x: ``(batch, length, d_model)``.
            mask: bool, broadcastable to ``(batch, heads, length, length)``; True = may be attended to.
            is_causal: True hides from each position what comes after it, beside what the mask hides.

        Returns:
            ``(batch, length, d_model)``.
        """
        _check_sentence("x", x, self.self_attention.d_model)

        def attend(inputs: Tensor) -> Tensor:
            return self.self_attention(inputs, inputs, inputs, mask, need_weights=False, is_causal=is_causal)[0]

        x = residual(x, attend, self.norm_1, self.dropout, self.norm_first)
        return residual(x, self.feed_forward, self.norm_2, self.dropout, self.norm_first)


class DecoderBlock(nn.Module):
    """Write: attend to what is written so far, then to the source, then go through the feed-forward network.

    The block hides nothing by itself: without ``is_causal=True`` or a causal ``self_mask`` each position sees the words
    that it is to predict.

    Source: Vaswani et al. (2017), section 3.1, decoder.

    Args:
        d_model: width of the model.
        num_heads: a divisor of d_model.
        d_ff: width inside the feed-forward network.
        dropout: probability of dropout in training, as in ``EncoderBlock``.
        activation: a name in ``ACTIVATIONS``: ``"relu"``, ``"gelu"``, ``"gelu_tanh"`` or ``"silu"``.
        norm_first: True = pre-norm, normalise before each sublayer; False = post-norm, after each addition.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int,
        dropout: float = 0.0,
        activation: str = "relu",
        norm_first: bool = False,
    ):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout, activation)
        self.norm_1, self.norm_2, self.norm_3 = LayerNorm(d_model), LayerNorm(d_model), LayerNorm(d_model)
        self.dropout = make_dropout(dropout)
        self.norm_first = norm_first

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        self_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """Pass a batch of sentences through the three sublayers.

        Args:
            x: ``(batch, length, d_model)``.
            memory: ``(batch, source_length, d_model)``, the encoder's result.
            self_mask: bool, broadcastable to ``(batch, heads, length, length)``; True = may be attended to.
            memory_mask: bool, broadcastable to ``(batch, heads, length, source_length)``; True = may be attended to.
            is_causal: True also hides from each position of x what comes after it, as a decoder needs that writes one
                word after the other.

        Returns:
            ``(batch, length, d_model)``.
        """
        self._check(x, memory, self_mask, memory_mask)

        def attend_to_self(inputs: Tensor) -> Tensor:
            return self.self_attention(inputs, inputs, inputs, self_mask, need_weights=False, is_causal=is_causal)[0]

        def attend_to_source(inputs: Tensor) -> Tensor:
            return self.cross_attention(inputs, memory, memory, memory_mask, need_weights=False)[0]

        x = residual(x, attend_to_self, self.norm_1, self.dropout, self.norm_first)
        x = residual(x, attend_to_source, self.norm_2, self.dropout, self.norm_first)
        return residual(x, self.feed_forward, self.norm_3, self.dropout, self.norm_first)

    def _check(self, x: Tensor, memory: Tensor, self_mask: Tensor | None, memory_mask: Tensor | None) -> None:
        attention = self.self_attention
        _check_sentence("x", x, attention.d_model)
        _check_sentence("memory", memory, attention.d_model, batch=x.shape[0])
        for name, mask, attended in (("self_mask", self_mask, x), ("memory_mask", memory_mask, memory)):
            if mask is not None:
                require_mask(mask, (x.shape[0], attention.num_heads, x.shape[1], attended.shape[1]), name)


def make_dropout(dropout: float) -> nn.Dropout:
    """Make a dropout layer; ``ValueError`` unless the number is a probability."""
    require_within("dropout", dropout, 0, 1)
    return nn.Dropout(dropout)


def _check_sentence(name: str, x: Tensor, d_model: int, batch: int | str = "batch") -> None:
    require_shape(name, x, (batch, "length", d_model))
    require_floating(name, x)
