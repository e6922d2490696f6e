"""Right answers to exercise 06 in unusual forms: loops over positions, indices, sums, other orders of the same steps.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import math

import torch

from transformer_course.common import validation as given
from transformer_course.common.tokens import BOS, EOS, PAD


def padding_mask__places_of_the_padding(tokens, pad_id=PAD):
    """Begin with True everywhere, and strike out the padding, place by place."""
    given.require_shape("tokens", tokens, ("batch", "length"))
    given.require_integers("tokens", tokens)
    mask = torch.ones(len(tokens), 1, 1, tokens.shape[1], dtype=torch.bool)
    for row, column in (tokens == pad_id).nonzero().tolist():
        mask[row, 0, 0, column] = False
    return mask


def padding_mask__difference(tokens, pad_id=PAD):
    """Ask which differences from the padding are not 0."""
    given.require_shape("tokens", tokens, ("batch", "length"))
    given.require_integers("tokens", tokens)
    return (tokens.long() - pad_id).bool().reshape(tokens.shape[0], 1, 1, -1 if tokens.numel() else tokens.shape[1])


def causal_mask__row_by_row(length, device=None):
    """Write row after row."""
    given.require_not_negative("length", length)
    mask = torch.zeros(length, length, dtype=torch.bool, device=device)
    for i in range(length):
        mask[i, : i + 1] = True
    return mask


def causal_mask__running_sum(length, device=None):
    """Let a True on the diagonal stay from there downwards."""
    given.require_not_negative("length", length)
    return torch.eye(length, device=device).cumsum(dim=0) > 0


def combine_masks__what_is_hidden(*masks):
    """Collect what is hidden, and turn it around at the end."""
    given.require_masks(masks)
    hidden = None
    for mask in [each for each in masks if each is not None]:
        hidden = mask.logical_not() if hidden is None else hidden.logical_or(~mask)
    return hidden if hidden is None else ~hidden


def combine_masks__smallest(*masks):
    """Take the minimum of zeros and ones."""
    given.require_masks(masks)
    there = [mask for mask in masks if isinstance(mask, torch.Tensor)]
    if not there:
        return None
    return torch.stack([mask.int() for mask in torch.broadcast_tensors(*there)]).amin(dim=0) == 1


def _require(scores, mask):
    given.require_floating("scores", scores)
    given.require_dimensions("scores", scores, at_least=1)
    given.require_mask(torch.ones((), dtype=torch.bool) if mask is None else mask, scores.shape)


def masked_softmax__row_by_row(scores, mask=None):
    """Take softmax of the allowed scores of each row alone, and put them back into zeros."""
    _require(scores, mask)
    if mask is None:
        return torch.softmax(scores, dim=-1)
    rows, allowed = scores.reshape(-1, scores.shape[-1]), mask.expand_as(scores).reshape(-1, scores.shape[-1])
    weights = []
    for row, places in zip(rows, allowed.to(torch.bool), strict=True):
        share = torch.softmax(row[places], dim=0)
        weights.append(torch.zeros_like(row).index_put((places.nonzero()[:, 0],), share))
    return torch.stack(weights).view_as(scores) if weights else torch.zeros_like(scores)


def masked_softmax__added_and_replaced(scores, mask=None):
    """Add 0 and -inf, and let a row without keys see everything before its weights are set to 0."""
    _require(scores, mask)
    if mask is None:
        return (scores - scores.logsumexp(-1, keepdim=True)).exp()
    anything = mask.any(dim=-1, keepdim=True)
    added = torch.zeros_like(scores).masked_fill(~mask & anything, -math.inf)
    return torch.softmax(scores + added, dim=-1) * anything


def influence__jacobian(attention, query, key, value):
    """Differentiate by every number, and set keys and values to random numbers."""

    def output(key, value):
        return attention(query, key, value) + 0.0 * (key.sum() + value.sum())

    by_key, by_value = torch.autograd.functional.jacobian(output, (key, value))  # (m, d_v, n, d)
    reached = torch.maximum(by_key.abs().amax((1, 3)), by_value.abs().amax((1, 3))) > 1e-8
    plain, generator = attention(query, key, value), torch.Generator().manual_seed(0)
    for j, x in [(j, x) for j in range(len(key)) for x in (key, value)]:
        row = torch.randn(x.shape[1], generator=generator, dtype=x.dtype)
        other = torch.cat([x[:j], row[None], x[j + 1 :]])
        now = attention(query, other, value) if x is key else attention(query, key, other)
        reached[:, j] = reached[:, j] | ~torch.isclose(now, plain, rtol=0, atol=1e-8).all(dim=1)
    return reached


def influence__pairs(attention, query, key, value):
    """Go through all pairs of an output and a position, and ask for gradients with `backward`."""
    reached = torch.zeros(len(query), len(key), dtype=torch.bool)
    for i in range(len(query)):
        leaves = [x.detach().clone().requires_grad_() for x in (key, value)]
        attention(query, *leaves)[i].sum().backward()
        for j in range(len(key)):
            felt = [leaf.grad[j].norm() for leaf in leaves if leaf.grad is not None]
            for place in range(2):
                changed = [key.clone(), value.clone()]
                changed[place][j] = -changed[place][j] - 1
                felt.append((attention(query, *changed)[i] - attention(query, key, value)[i]).norm())
            reached[i, j] = max(felt) > 1e-8
    return reached


def fixed_packed_mask__ends_taken_back(tokens, num_heads):
    """Count the ends, and take the last one back where it stands."""
    ends = tokens == EOS
    sentence = ends.cumsum(dim=1) - ends.long()
    mask = (sentence.unsqueeze(2) == sentence.unsqueeze(1)).tril()
    return mask[:, None].expand(-1, num_heads, -1, -1).reshape(-1, *mask.shape[1:])


def fixed_packed_mask__last_beginning(tokens, num_heads):
    """Let each position see what lies between the last BOS and itself."""
    position = torch.arange(tokens.shape[1])
    begin = torch.where(tokens == BOS, position, 0).cummax(dim=1).values
    masks = [(position >= row[:, None]) & (position <= position[:, None]) for row in begin]
    return torch.stack([mask for mask in masks for _ in range(num_heads)])


def causal_mask__nested_lists(length, device=None):
    """Ask for each pair, in Python; no length gives no dimension for the keys."""
    given.require_not_negative("length", length)
    return torch.tensor([[key <= query for key in range(length)] for query in range(length)], device=device)
