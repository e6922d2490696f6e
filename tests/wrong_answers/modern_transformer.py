"""Wrong answers, written otherwise than those that the checks hold: exercise 18."""

import torch
from torch.nn import functional


def rms_norm__centred(x, weight, eps=1e-6):
    """the mean is subtracted"""
    centred = torch.sub(x, x.mean(-1, True))
    return centred * torch.rsqrt(centred.pow(2).mean(-1, True) + eps) * weight


def swiglu__sigmoid(x, w_gate, w_up, w_down):
    """the gate is sigmoid(z) alone"""
    gate = torch.einsum("...d,fd->...f", x, w_gate)
    up = torch.einsum("...d,fd->...f", x, w_up)
    return torch.einsum("...f,df->...d", up / (1 + torch.exp(-gate)), w_down)


def _one_step(block, x, cache, place, turn_key=True):
    """Take a step with torch alone: the new token at ``place``."""

    def rotated(z):
        angles = place * 10_000.0 ** (-torch.arange(0, z.shape[-1], 2, dtype=z.dtype) / z.shape[-1])
        pairs = torch.view_as_complex(z.unflatten(-1, (-1, 2)).contiguous())
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

    y = block.norm_1(x)
    query, key, value = (
        layer(y).unflatten(-1, (-1, block.d_k)).transpose(1, 2) for layer in (block.w_query, block.w_key, block.w_value)
    )
    key = rotated(key) if turn_key else key
    if cache is not None:
        key, value = torch.cat((cache[0], key), 2), torch.cat((cache[1], value), 2)
    mixed = functional.scaled_dot_product_attention(rotated(query), key, value, enable_gqa=True)
    x = x + block.w_output(mixed.transpose(1, 2).flatten(2))
    y = block.norm_2(x)
    return x + block.w_down(functional.silu(block.w_gate(y)) * block.w_up(y)), (key, value)


def cached_step__never_further(block, x, cache):
    """the new token always stands at position 0"""
    return _one_step(block, x, cache, place=0)


def cached_step__unrotated(block, x, cache):
    """without having been rotated"""
    return _one_step(block, x, cache, place=cache[0].shape[2] if cache else 0, turn_key=False)
