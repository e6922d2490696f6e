"""Right answers to exercise 09 in unusual forms: other algorithms, other layers with the same parameters.

A function or class belongs to the task that its name begins with, up to two underscores in a row.
"""

import math
from collections import OrderedDict

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.common.validation import (
    require_features,
    require_one_of,
    require_positive,
    require_shape,
    require_within,
)
from transformer_course.multi_head_attention import MultiHeadAttention


class LayerNorm__standardised_by_length(nn.Module):
    """Divide by the length of the centred word: sqrt(d) / |centred|, with d * eps under the root."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        require_positive("d_model", d_model)
        require_within("eps", eps, 0)
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.weight = nn.Parameter(torch.ones(d_model))
        self.size, self.eps = d_model, eps

    def forward(self, x):
        require_features("x", x, self.size)
        centre = torch.eye(self.size, dtype=x.dtype) - 1 / self.size
        centred = x @ centre
        squares = torch.einsum("...i,...i->...", centred, centred)[..., None] + self.size * self.eps
        return torch.addcmul(self.bias, centred * self.weight, math.sqrt(self.size) * squares.rsqrt())


class LayerNorm__var_mean(nn.Module):
    """Take both statistics at once, and fold gain and deviation into one factor."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        require_positive("d_model", d_model)
        require_within("eps", eps, 0)
        self.register_parameter("weight", nn.Parameter(torch.full((d_model,), 1.0)))
        self.register_parameter("bias", nn.Parameter(torch.full((d_model,), 0.0)))
        self.eps = torch.tensor(eps, dtype=torch.float64).item()

    def forward(self, x):
        require_features("x", x, len(self.weight))
        variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        factor = self.weight * (variance + self.eps) ** -0.5
        return x.sub(mean) * factor + self.bias


class FeedForward__by_hand(nn.Module):
    """Multiply by hand, with a mask drawn by hand."""

    def __init__(self, d_model, d_ff, dropout=0.0, activation="relu"):
        super().__init__()
        require_positive("d_model", d_model)
        require_positive("d_ff", d_ff)
        require_within("dropout", dropout, 0, 1)
        require_one_of("activation", activation, ("relu", "gelu"))
        self.linear_2, self.linear_1 = nn.Linear(d_ff, d_model), nn.Linear(d_model, d_ff)
        self.p, self.bend = dropout, activation

    def forward(self, x):
        require_features("x", x, self.linear_1.in_features)
        z = x @ self.linear_1.weight.T + self.linear_1.bias
        hidden = z.clamp(min=0) if self.bend == "relu" else z * 0.5 * torch.special.erfc(-z / math.sqrt(2))
        if self.training and self.p > 0:
            kept = torch.rand_like(hidden) >= self.p
            hidden = torch.where(kept, hidden / max(1 - self.p, 1e-9), 0.0)
        return hidden @ self.linear_2.weight.T + self.linear_2.bias


def FeedForward__sequence(d_model, d_ff, dropout=0.0, activation="relu"):
    """Make a sequence whose layers have names."""
    require_positive("d_model", d_model)
    require_positive("d_ff", d_ff)
    require_one_of("activation", activation, ("relu", "gelu"))
    require_within("dropout", dropout, 0, 1)

    class Named(nn.Sequential):
        def forward(self, x):
            require_features("x", x, d_model)
            return super().forward(x)

    bend = nn.ReLU() if activation == "relu" else nn.GELU()
    layers = nn.Linear(d_model, d_ff), bend, nn.Dropout(dropout), nn.Linear(d_ff, d_model)
    return Named(OrderedDict(zip(("linear_1", "bend", "drop", "linear_2"), layers, strict=True)))


class _Wired(nn.Module):
    """A block whose steps lie in a list; norms are taken from a plain list, dropout is functional."""

    attentions = ("self_attention",)

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, activation="relu", norm_first=False):
        super().__init__()
        require_within("dropout", dropout, 0, 1)
        self.width, self.p, self.first = d_model, dropout, norm_first
        self.feed_forward = FeedForward__sequence(d_model, d_ff, dropout, activation)
        for name in self.attentions:
            setattr(self, name, MultiHeadAttention(d_model, num_heads))
        self.norms = []
        for number in range(len(self.attentions) + 1):
            self.norms.append(nn.LayerNorm(d_model))
            setattr(self, f"norm_{number + 1}", self.norms[-1])

    def walk(self, x, *sublayers):
        for sublayer, norm in zip((*sublayers, self.feed_forward), self.norms, strict=True):
            said = F.dropout(sublayer(norm(x) if self.first else x), self.p, self.training)
            x = torch.add(x, said) if self.first else norm(x + said)
        return x


class EncoderBlock__list(_Wired):
    """Walk through a list of sublayers."""

    def forward(self, x, mask=None):
        require_shape("x", x, ("batch", "length", self.width))
        return self.walk(x, lambda y: self.self_attention(y, y, y, mask, need_weights=False)[0])


class DecoderBlock__list(_Wired):
    """Walk through a list of sublayers."""

    attentions = ("self_attention", "cross_attention")

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        require_shape("x", x, ("batch", "length", self.width))
        require_shape("memory", memory, (len(x), "source_length", self.width))
        return self.walk(
            x,
            lambda y: self.self_attention(y, y, y, self_mask)[0],
            lambda y: self.cross_attention(y, memory, memory, memory_mask)[0],
        )


class EncoderBlock__one_sentence_at_a_time(EncoderBlock__list):
    """Go through the sentences with a loop."""

    def forward(self, x, mask=None):
        require_shape("x", x, ("batch", "length", self.width))
        heads = self.self_attention.num_heads
        masks = [None] * len(x) if mask is None else mask.expand(len(x), heads, x.shape[1], x.shape[1])
        found = [EncoderBlock__list.forward(self, each[None], m) for each, m in zip(x, masks, strict=True)]
        return torch.cat(found)


class DecoderBlock__residuals_last(DecoderBlock__list):
    """Collect what is said, and add it up at the end where the norms come first."""

    def walk(self, x, *sublayers):
        if not self.first:
            return super().walk(x, *sublayers)
        said = [x]
        for sublayer, norm in zip((*sublayers, self.feed_forward), self.norms, strict=True):
            said.append(F.dropout(sublayer(norm(torch.stack(said).sum(0))), self.p, self.training))
        return torch.stack(said).sum(0)


def gradient_per_block__backward(blocks, x, upstream, memory=None):
    """Use backward, and clear the gradients before."""
    for block in blocks:
        block.zero_grad()
        x = block(x, *[memory][: memory is not None])
    x.backward(upstream)
    return [math.hypot(*(p.grad.norm().item() for p in block.parameters())) for block in blocks]


def gradient_per_block__from_the_top(blocks, x, upstream, memory=None):
    """Carry the gradient down block by block."""
    stream, more = [x.detach()], [] if memory is None else [memory]
    for block in blocks:
        stream.append(block(stream[-1], *more).detach())
    found = []
    for block, start in zip(reversed(blocks), reversed(stream[:-1]), strict=True):
        start = start.clone().requires_grad_()
        parameters = list(block.parameters())
        upstream, *own = torch.autograd.grad(block(start, *more), [start, *parameters], upstream)
        found.insert(0, sum(float(each.double().square().sum()) for each in own) ** 0.5)
    return found


def fixed_block__loop(x, attend, think, norm_1, norm_2, dropout):
    """Write one loop for both sublayers."""
    for sublayer, norm in ((attend, norm_1), (think, norm_2)):
        x = dropout(sublayer(norm(x))) + x
    return x


def fixed_block__sum(x, attend, think, norm_1, norm_2, dropout):
    """Add what is said to x at the end."""
    first = dropout(attend(norm_1(x)))
    second = dropout(think(norm_2(x + first)))
    return x + (first + second)


def layer_norm_backward__jacobian(x, weight, grad_output, eps=1e-5):
    """Multiply with the Jacobian of each word."""
    size = x.shape[-1]
    centre = torch.eye(size, dtype=x.dtype) - 1 / size
    centred = x @ centre
    deviation = (centred.square().mean(-1, keepdim=True) + eps).sqrt()
    normal = centred / deviation
    jacobian = (centre - normal[..., :, None] * normal[..., None, :] / size) / deviation[..., None]
    return ((grad_output * weight)[..., None, :] @ jacobian).squeeze(-2)
