"""Wrong answers, written otherwise than those that the checks hold: exercise 06."""

import torch


def causal_mask__comparison(length, device=None):
    """the diagonal is hidden"""
    places = torch.arange(length, device=device)
    return places.view(-1, 1) > places.view(1, -1)


def causal_mask__as_in_torch(length, device=None):
    """the wrong way round"""
    return torch.full((length, length), float("-inf"), device=device).triu(1).isinf()


def padding_mask__by_lengths(tokens, pad_id=0):
    """`pad_id` is not used"""
    return tokens.ne(torch.zeros_like(tokens)).unsqueeze(1).unsqueeze(1)


def combine_masks__sum(*masks):
    """combined with `or`"""
    given = [each.int() for each in masks if each is not None]
    total = given[0] if given else None
    for each in given[1:]:
        total = total + each
    return None if total is None else total.clamp(max=1).bool()


def masked_softmax__zeros(scores, mask=None):
    """the hidden scores become 0"""
    powers = torch.exp(scores if mask is None else torch.where(mask, scores, torch.zeros_like(scores)))
    return powers / powers.sum(dim=-1, keepdim=True)


def combine_masks__in_place(*masks):
    """`&=`"""
    result = None
    for mask in filter(lambda each: each is not None, masks):
        if result is None:
            result = mask
        else:
            result &= mask
    return result


def influence__growth(attention, query, key, value):
    """only what grows is seen"""
    before, found = attention(query, key, value), torch.zeros(len(query), len(key), dtype=torch.bool)
    for j in range(len(key)):
        row = (torch.arange(len(key)) == j).unsqueeze(1)
        for after in (attention(query, key + 2 * row, value), attention(query, key, value + 2 * row)):
            found[:, j] |= (after - before).amax(1) > 1e-8
    leaves = key.clone().requires_grad_(), value.clone().requires_grad_()
    for i, output in enumerate(attention(query, *leaves)):
        for gradient in torch.autograd.grad(output.sum(), leaves, retain_graph=True, allow_unused=True):
            found[i] |= gradient.amax(1) > 1e-8 if gradient is not None else False
    return found


def influence__both_at_once(attention, query, key, value):
    """key j and value j are changed in one call"""
    before = attention(query, key, value)
    leaves = key.clone().requires_grad_(), value.clone().requires_grad_()
    outputs, columns, rows = attention(query, *leaves), [], []
    for j in range(len(key)):
        at_j = (torch.arange(len(key)) == j)[:, None]
        after = attention(query, torch.where(at_j, 0.7 - key, key), torch.where(at_j, 0.7 - value, value))
        columns.append((after - before).abs().amax(1) > 1e-8)
    for output in outputs:
        given = torch.autograd.grad(output.sum(), leaves, retain_graph=True, allow_unused=True)
        rows.append(sum((each.abs().amax(1) for each in given if each is not None), torch.zeros(len(key))) > 1e-8)
    return torch.stack(columns, 1) | torch.stack(rows)


def influence__halved(attention, query, key, value):
    """set to 0, or multiplied"""
    before, leaves = attention(query, key, value), [x.clone().requires_grad_() for x in (key, value)]
    outputs, found = attention(query, *leaves), torch.zeros(len(query), len(key), dtype=torch.bool)
    for j in range(len(key)):
        half = torch.ones(len(key), 1, dtype=key.dtype)
        half[j] = 0.5
        for after in (attention(query, key * half, value), attention(query, key, value * half)):
            found[:, j] |= ((after - before).abs() > 1e-8).any(1)
    for i, output in enumerate(outputs):
        for each in torch.autograd.grad(output.sum(), leaves, retain_graph=True, allow_unused=True):
            found[i] |= (each.abs() > 1e-8).any(1) if each is not None else False
    return found
