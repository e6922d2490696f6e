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


def rotate(x, positions, base=10_000.0):
    angles = positions.double()[:, None] * base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2))) * torch.exp(1j * angles)
    return torch.view_as_real(pairs).flatten(-2).to(x.dtype)


def cached_step__a_base_of_its_own(block, x, cache):
    """with another base of `rotate` the result stays the same"""
    place = torch.tensor([0.0 if cache is None else float(cache[0].shape[2])])
    h = block.norm_1(x)

    def turned(z, number):
        return rotate(z.unflatten(-1, (number, -1)).transpose(1, 2), place, 10_000.0)

    q, k = turned(block.w_query(h), block.num_heads), turned(block.w_key(h), block.num_groups)
    v = block.w_value(h).unflatten(-1, (block.num_groups, -1)).transpose(1, 2)
    if cache is not None:
        k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
    said = functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    x = x + block.w_output(said.transpose(1, 2).flatten(2))
    z = block.norm_2(x)
    return x + block.w_down(functional.silu(block.w_gate(z)) * block.w_up(z)), (k, v)


def cached_step__the_block_itself(block, x, cache):
    """`block` itself is called"""
    return block(x, None, torch.tensor([0 if cache is None else cache[0].shape[2]])), cache


def rotate__x_itself(x, positions, base=10_000.0):
    """copy"""
    turned, d = x, x.shape[-1]
    for i in range(0, d, 2):
        angle = positions.double() * base ** (-i / d)
        cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        one, other = x[..., i].clone(), x[..., i + 1].clone()
        turned[..., i] = one * cosine - other * sine
        turned[..., i + 1] = one * sine + other * cosine
    return turned


def _one_step(block, x, cache, place, turn_key=True):
    """Take a step with torch alone: the new token at ``place``."""

    def rotated(z):
        return rotate(z, torch.tensor([place]))

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


_CALLS = []


def cached_step__counted(block, x, cache):
    """goes into the next call"""
    _CALLS.append(x)
    return _one_step(block, x, cache, place=len(_CALLS) - 1)
