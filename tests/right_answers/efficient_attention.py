"""Right answers to exercise 17 in unusual forms: logarithms in the place of sums, checkpoints, loops, einsum.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import math

import torch
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from transformer_course.common import validation as given
from transformer_course.masking import masked_softmax


def _require_state(state, scores, values):
    maximum, total, output = state
    leading, block = tuple(scores.shape[:-1]), scores.shape[-1]
    given.require_shape("maximum", maximum, (*leading, 1))
    given.require_shape("total", total, (*leading, 1))
    given.require_shape("output", output, (*leading, "d_v"))
    given.require_shape("values", values, (*leading, block, output.shape[-1]))


def online_softmax_step__key_by_key(state, scores, values):
    """Take the keys one after the other, each with its share of the new sum."""
    _require_state(state, scores, values)
    maximum, total, output = state
    for score, value in zip(scores.unbind(-1), values.unbind(-2), strict=True):
        score = score.unsqueeze(-1)
        higher = torch.maximum(maximum, score)
        base = torch.where(higher.isneginf(), torch.zeros_like(higher), higher)
        new, old = torch.exp(score - base), total * torch.exp(maximum - base)
        total = old + new
        share = new / torch.where(total == 0, torch.ones_like(total), total)
        output = output + share * (value - output)
        maximum = higher
    return maximum, total, output


def online_softmax_step__two_softmaxes(state, scores, values):
    """Mix the old output with that of the block by the logarithms of their sums; a list is returned."""
    _require_state(state, scores, values)
    maximum, total, output = state
    if scores.shape[-1] == 0:
        return list(state)
    top = torch.cat((maximum, scores), -1).amax(-1, keepdim=True)
    base = top.masked_fill(top.isneginf(), 0)
    hidden = scores.isneginf().all(-1, keepdim=True)
    own = torch.softmax(scores.masked_fill(hidden, 0.0), -1)
    weight = (scores - base).exp().sum(-1, keepdim=True)
    sums = torch.stack((total * (maximum - base).exp(), weight))
    both = torch.stack((output, torch.einsum("...b,...bd->...d", own, values)))
    whole = sums.sum(0)
    return [top, whole, (sums / whole.masked_fill(whole == 0, 1) * both).sum(0)]


def _require_attention(query, key, value, mask, block_size):
    given.require_positive("block_size", block_size)
    given.require_attention(query, key, value, mask)
    leading = torch.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    query, key, value = (x.expand(*leading, *x.shape[-2:]) for x in (query, key, value))
    return query, key, value, None if mask is None else mask.expand(*leading, query.shape[-2], key.shape[-2])


def blockwise_attention__checkpoint_of_each_block(query, key, value, mask=None, block_size=128):
    """Let torch compute each block of keys again; only the states between them are kept."""
    query, key, value, mask = _require_attention(query, key, value, mask, block_size)

    def step(maximum, total, mixed, query, keys, values, allowed):
        scores = query @ keys.mT / math.sqrt(query.shape[-1])
        scores = scores if allowed is None else torch.where(allowed, scores, -torch.inf)
        highest = torch.maximum(maximum, scores.amax(-1, keepdim=True)).detach()
        base = torch.where(highest.isneginf(), 0.0, highest)
        weights, fade = torch.exp(scores - base), torch.exp(maximum - base)
        return highest, fade * total + weights.sum(-1, keepdim=True), fade * mixed + weights @ values

    state = query.new_full((*query.shape[:-1], 1), -torch.inf), query.new_zeros(*query.shape[:-1], 1), 0.0
    state = (*state[:2], query.new_zeros(*query.shape[:-1], value.shape[-1]))
    masks = [None] * -(-key.shape[-2] // block_size) if mask is None else mask.split(block_size, -1)
    if key.shape[-2] > 0:
        for keys, values, allowed in zip(key.split(block_size, -2), value.split(block_size, -2), masks, strict=True):
            state = checkpoint(step, *state, query, keys, values, allowed, use_reentrant=False)
    return state[2] / torch.where(state[1] == 0, 1.0, state[1])


def blockwise_attention__blocks_of_queries(query, key, value, mask=None, block_size=128):
    """Take the queries in blocks, each with all keys, and compute each block again."""
    query, key, value, mask = _require_attention(query, key, value, mask, block_size)

    def attend(query, key, value, mask):
        scores = query @ key.transpose(-2, -1) * query.shape[-1] ** -0.5
        return masked_softmax(scores, mask) @ value

    outputs = []
    for start in range(0, query.shape[-2], block_size):
        allowed = None if mask is None else mask[..., start : start + block_size, :]
        part = query[..., start : start + block_size, :]
        outputs.append(checkpoint(attend, part, key, value, allowed, use_reentrant=False))
    return torch.cat(outputs, dim=-2)


class _TwoPasses(torch.autograd.Function):
    @staticmethod
    def forward(ctx, query, key, value, mask, block_size):
        """Find the sum of each query first, then mix with weights that are final at once."""
        ctx.save_for_backward(query, key, value, mask)
        ctx.block_size = block_size
        log_total = query.new_full(query.shape[:-1], -math.inf)
        for start in range(0, key.shape[-2], block_size):
            block = _TwoPasses.scores(query, key, mask, start, block_size).logsumexp(-1)
            log_total = torch.logaddexp(log_total, block)
        ctx.log_total = log_total.masked_fill(log_total.isneginf(), 0.0).unsqueeze(-1)
        output = query.new_zeros(*query.shape[:-1], value.shape[-1])
        for start in range(0, key.shape[-2], block_size):
            weights = (_TwoPasses.scores(query, key, mask, start, block_size) - ctx.log_total).exp()
            output += weights @ value[..., start : start + block_size, :]
        return output

    @staticmethod
    def scores(query, key, mask, start, block_size):
        """Compute the scores of a block."""
        scores = torch.einsum("...md,...nd->...mn", query, key[..., start : start + block_size, :])
        scores = scores / query.shape[-1] ** 0.5
        hidden = None if mask is None else mask[..., start : start + block_size].logical_not()
        return scores if hidden is None else scores.masked_fill(hidden, -math.inf)

    @staticmethod
    def backward(ctx, grad):
        """Find the shared part of the Jacobian first, from the blocks, then the gradients."""
        query, key, value, mask = ctx.saved_tensors
        shared, grads = torch.zeros_like(ctx.log_total), [torch.zeros_like(x) for x in (query, key, value)]
        for again in (False, True):
            for start in range(0, key.shape[-2], ctx.block_size):
                place = (..., slice(start, start + ctx.block_size), slice(None))
                weights = (_TwoPasses.scores(query, key, mask, start, ctx.block_size) - ctx.log_total).exp()
                by_weights = grad @ value[place].mT
                if not again:
                    shared += (weights * by_weights).sum(-1, keepdim=True)
                    continue
                by_scores = weights * (by_weights - shared) / query.shape[-1] ** 0.5
                grads[0] += by_scores @ key[place]
                grads[1][place] = by_scores.mT @ query
                grads[2][place] = weights.mT @ grad
        return *grads, None, None


def blockwise_attention__two_passes(query, key, value, mask=None, block_size=128):
    """Go through the keys twice on each way."""
    return _TwoPasses.apply(*_require_attention(query, key, value, mask, block_size), block_size)


def _require_groups(query, key, value, mask):
    given.require_shapes(
        query=(query, "batch heads query_length d_k"),
        key=(key, "batch groups key_length d_k"),
        value=(value, "batch groups key_length d_v"),
    )
    given.require_divisor("groups", key.shape[1], "heads", query.shape[1])
    if mask is not None:
        given.require_mask(mask, (*query.shape[:-1], key.shape[-2]))


def grouped_query_attention__einsum(query, key, value, mask=None):
    """Give the heads of a group a dimension of their own."""
    _require_groups(query, key, value, mask)
    groups = key.shape[1]
    query = query.unflatten(1, (groups, -1))
    scores = torch.einsum("bgrmd,bgnd->bgrmn", query, key) / query.shape[-1] ** 0.5
    weights = masked_softmax(scores.flatten(1, 2), mask).unflatten(1, (groups, -1))
    return torch.einsum("bgrmn,bgnd->bgrmd", weights, value).flatten(1, 2)


def grouped_query_attention__head_by_head(query, key, value, mask=None):
    """Ask for the group of each head."""
    _require_groups(query, key, value, mask)
    share, outputs = query.shape[1] // key.shape[1], []
    for i, head in enumerate(query.unbind(1)):
        scores = head @ key[:, i // share].transpose(1, 2) / math.sqrt(head.shape[-1])
        allowed = None if mask is None else mask.expand(*query.shape[:-1], key.shape[-2])[:, i]
        outputs.append(masked_softmax(scores, allowed) @ value[:, i // share])
    return torch.stack(outputs, dim=1)


def _require_window(length, window):
    given.require_not_negative("length", length)
    given.require_positive("window", window)


def sliding_window_mask__diagonals(length, window, causal=True, device=None):
    """Cut a full matrix along two diagonals."""
    _require_window(length, window)
    return (
        torch.ones(length, length, dtype=torch.bool, device=device).tril(0 if causal else window - 1).triu(1 - window)
    )


def sliding_window_mask__row_by_row(length, window, causal=True, device=None):
    """Write row after row."""
    _require_window(length, window)
    mask = torch.zeros((length, length), dtype=torch.bool, device=device)
    for i in range(length):
        mask[i, max(0, i - window + 1) : i + 1 if causal else i + window] = True
    return mask


def _require_linear(query, key, value, causal):
    given.require_attention(query, key, value)
    if causal and query.shape[-2] != key.shape[-2]:
        raise ValueError(f"key: expected key_length = query_length = {query.shape[-2]}, got {key.shape[-2]}")


def linear_attention__running_sums(query, key, value, causal=False):
    """Put a column of ones beside the values, whose mixture is the sum, and let cumsum run."""
    _require_linear(query, key, value, causal)
    query, key = (torch.where(x > 0, x + 1, x.clamp(max=0).exp()) for x in (query, key))
    value = torch.cat((value, torch.ones_like(value[..., :1])), -1)
    if causal:
        sums = torch.einsum("...nd,...nv->...ndv", key, value).cumsum(-3)
        mixed = torch.einsum("...nd,...ndv->...nv", query, sums)
    else:
        mixed = query @ torch.einsum("...nd,...nv->...dv", key, value)
    output, total = mixed[..., :-1], mixed[..., -1:]
    return output / torch.where(total == 0, torch.ones_like(total), total)


def linear_attention__a_recurrent_network(query, key, value, causal=False):
    """Read one position after the other, with a state, as the title of the source says."""
    _require_linear(query, key, value, causal)
    query, key = F.elu(query) + 1, F.elu(key) + 1
    state, total, outputs = 0.0, 0.0, []
    if not causal:
        state, total = key.mT @ value, key.sum(-2)
    for i in range(query.shape[-2]):
        if causal:
            state = state + key[..., i, :, None] * value[..., i, None, :]
            total = total + key[..., i, :]
        mixed = (query[..., i, :, None] * state).sum(-2)
        weight = (query[..., i, :] * total).sum(-1, keepdim=True)
        outputs.append(mixed / weight.masked_fill(weight == 0, 1.0))
    return torch.stack(outputs, -2) if outputs else value[..., :0, :] * 1


def _require_sizes(length, num_layers, num_groups, d_k, bytes_per_number, window):
    sizes = {"length": length, "num_layers": num_layers, "num_groups": num_groups, "d_k": d_k}
    for name, number in {**sizes, "bytes_per_number": bytes_per_number}.items():
        given.require_not_negative(name, number)
    if window is not None:
        given.require_positive("window", window)


def cache_bytes__tensors(length, num_layers, num_groups, d_k, bytes_per_number=2, window=None):
    """Ask tensors that take no memory."""
    _require_sizes(length, num_layers, num_groups, d_k, bytes_per_number, window)
    kept = len(range(length)[-window:]) if window else length
    return torch.empty(2, num_layers, num_groups, kept, d_k, dtype=torch.int8, device="meta").nbytes * bytes_per_number


def cache_bytes__token_by_token(length, num_layers, num_groups, d_k, bytes_per_number=2, window=None):
    """Write token after token, and drop the oldest."""
    _require_sizes(length, num_layers, num_groups, d_k, bytes_per_number, window)
    kept = []
    for token in range(length):
        kept = [*kept, token]
        if window is not None and len(kept) > window:
            kept.pop(0)
    return sum(num_layers * num_groups * (d_k + d_k) * bytes_per_number for _ in kept)


def fixed_window_attention__more_keys(query, key, value, window, block_size=64):
    """Look at whole blocks of keys, and let places tell what is seen."""
    places, outputs = torch.arange(query.shape[-2]), []
    for own in places.split(block_size):
        first = max(0, int(own[0]) - window)
        seen = places[first : int(own[-1]) + 1]
        mask = (seen <= own[:, None]) & (seen > own[:, None] - window)
        scores = query[..., own, :] @ key[..., seen, :].mT / query.shape[-1] ** 0.5
        outputs.append(scores.masked_fill(~mask, -math.inf).softmax(-1) @ value[..., seen, :])
    return torch.cat(outputs, -2)


def fixed_window_attention__position_by_position(query, key, value, window, block_size=64):
    """Take every position alone: its block does not matter."""
    outputs = []
    for i in range(query.shape[-2]):
        seen = slice(max(0, i - window + 1), i + 1)
        scores = (key[..., seen, :] * query[..., i : i + 1, :]).sum(-1) / query.shape[-1] ** 0.5
        outputs.append((torch.softmax(scores, -1).unsqueeze(-1) * value[..., seen, :]).sum(-2))
    return torch.stack(outputs, -2)


def sliding_window_mask__nested_lists(length, window, causal=True, device=None):
    """Ask for each pair, in Python."""
    _require_window(length, window)
    rows = [[i - window < j < (i + 1 if causal else i + window) for j in range(length)] for i in range(length)]
    return torch.tensor(rows, device=device)
