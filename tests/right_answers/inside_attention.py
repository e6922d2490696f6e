"""Right answers to exercise 12 in unusual forms.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import contextlib

import torch
from torch.nn import functional as F

from transformer_course.common.validation import require_index, require_lists, require_maps, require_weights


def attention_entropy__masked_fill(weights):
    """Let ln 1 stand in for ln 0."""
    require_weights("weights", weights)
    return (weights * weights.masked_fill(weights == 0, 1).log()).sum(-1).neg()


def attention_entropy__cross_product(weights):
    """Multiply each row with its own logarithms as vectors."""
    require_weights("weights", weights)
    safe = torch.where(weights == 0, torch.ones_like(weights), weights)
    return -torch.einsum("...n,...n->...", weights, torch.log(safe))


def head_similarity__loop(weights):
    """Go through all pairs."""
    require_maps("weights", weights)
    table = []
    for layer in weights:
        rows = []
        for one in layer:
            row = []
            for other in layer:
                size = one.norm() * other.norm()
                row.append((one * other).sum() / torch.where(size == 0, torch.ones_like(size), size))
            rows.append(torch.stack(row))
        table.append(torch.stack(rows))
    return torch.stack(table)


def head_similarity__normalize(weights):
    """Let torch normalise."""
    require_maps("weights", weights)
    flat = F.normalize(weights.flatten(2), dim=-1, eps=torch.finfo(weights.dtype).tiny)
    return torch.einsum("lax,lbx->lab", flat, flat)


def attention_rollout__not_halved(weights):
    """Leave the halves out: they cancel."""
    require_maps("weights", weights, square=True)
    one = torch.eye(weights.shape[-1], dtype=weights.dtype)
    mixed = weights.mean(1) + one
    mixed = mixed / mixed.sum(-1, keepdim=True)
    result = one
    for step in reversed(list(mixed)):  # from above
        result = result @ step
    return result


def attention_rollout__multi_dot(weights):
    """Multiply the whole chain at once."""
    require_maps("weights", weights, square=True)
    one = torch.eye(weights.shape[-1], dtype=weights.dtype)
    steps = [F.normalize(layer.mean(0) + one, p=1, dim=-1) for layer in weights]
    return torch.linalg.multi_dot([*steps[::-1], one]) if steps else one


def head_importance__hook(heads, evaluate):
    """Silence what w_output reads."""
    for attention, index in heads:
        require_index("heads", index, attention.num_heads)
    complete = evaluate()

    def without(attention, index):
        def hook(module, inputs):
            x = inputs[0].unflatten(-1, (attention.num_heads, attention.d_k)).clone()
            x[..., index, :] = 0
            return (x.flatten(-2),)

        handle = attention.w_output.register_forward_pre_hook(hook)
        try:
            return complete - evaluate()
        finally:
            handle.remove()

    return [without(attention, index) for attention, index in heads]


def head_importance__context(heads, evaluate):
    """Exchange the data of the weight in a context manager."""
    for attention, index in heads:
        require_index("heads", index, attention.num_heads)

    @contextlib.contextmanager
    def silent(attention, index):
        weight = attention.w_output.weight
        original = weight.data
        weight.data = original.clone()
        weight.data[:, index * attention.d_k : (index + 1) * attention.d_k].fill_(0)
        try:
            yield
        finally:
            weight.data = original

    complete, drops = evaluate(), []
    for attention, index in heads:
        with silent(attention, index):
            drops.append(complete - evaluate())
    return drops


def rank_agreement__signs(first, second):
    """Multiply matrices of signs."""
    require_lists("first", first, "second", second)
    signs = [torch.sign(x[:, None] - x[None]) for x in (torch.tensor(list(v)).double() for v in (first, second))]
    n = len(first)
    return ((signs[0] * signs[1]).sum() / (n * (n - 1))).item()


def fixed_diversity__loop(weights):
    """Sum over the sentences."""
    found = []
    for sentence in weights:
        flat = F.normalize(sentence.flatten(1), dim=1)
        table = flat @ flat.T
        n = len(table)
        found.append((table.sum() - table.trace()) / (n * (n - 1)))
    return float(torch.stack(found).mean())


def attention_entropy__xlogy(weights):
    """Let `xlogy` treat 0 ln 0, and keep ln 0 away from the gradient."""
    require_weights("weights", weights)
    return -torch.xlogy(weights, weights.masked_fill(weights == 0, 1.0)).sum(-1)
