"""Wrong answers, written otherwise than those that the checks hold: exercise 03."""

import torch


def attend__einsum(scores, values, mask=None):
    """the mask is applied after softmax"""
    weights = torch.exp(scores - torch.logsumexp(scores, dim=1).unsqueeze(1))
    if mask is not None:
        weights = weights * mask.double().to(weights)
    return torch.einsum("bl,bld->bd", weights, values), weights


def attend__wrong_way_round(scores, values, mask=None):
    """the wrong way round"""
    if mask is not None:
        scores = torch.where(mask, torch.full_like(scores, -float("inf")), scores)
    weights = torch.nan_to_num(torch.softmax(scores, 1))
    return torch.bmm(weights[:, None], values)[:, 0], weights


def additive_score__loop(query, keys, w_query, w_key, v):
    """tanh is missing"""
    columns = [(query @ w_query.T + keys[:, i] @ w_key.T) @ v for i in range(keys.shape[1])]
    return torch.stack(columns, 1) if columns else keys.new_zeros(keys.shape[:2])


def dot_score__cosine(query, keys):
    """the cosine"""
    return torch.cosine_similarity(query.unsqueeze(1), keys, dim=-1)


def bidirectional_encode__both_from_the_left(embedded, lengths, forward_cell, backward_cell, hidden):
    """the second network reads from left to right"""
    halves = []
    for cell in (forward_cell, backward_cell):
        state, states = hidden, []
        for i in range(embedded.shape[1]):
            real = (i < lengths)[:, None]
            state = torch.where(real, cell(embedded[:, i], state), state)
            states.append(state * real)
        halves.append(torch.stack(states, 1) if states else hidden.new_zeros(len(hidden), 0, hidden.shape[1]))
    return torch.cat(halves, -1)


def attend__one_maximum(scores, values, mask=None):
    """the largest score of all sentences is subtracted"""
    if mask is not None:
        scores = scores.masked_fill(~mask, -float("inf"))
    powers = torch.exp(scores - scores.max())
    weights = powers / (powers.sum(dim=1, keepdim=True) + 1e-9)
    return (weights[:, :, None] * values).sum(1), weights


def attend__low_but_not_low_enough(scores, values, mask=None):
    """below which an allowed score may lie too"""
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, -1000.0))
    weights = torch.softmax(scores, dim=1)
    return torch.einsum("bl,bld->bd", weights, values), weights


def alignment_error_rate__f_measure(weights, sure, possible=None):
    """combined to an F-measure"""
    links = {(i, j) for i, j in enumerate(weights.argmax(1).tolist())}
    recall = len(links & sure) / max(len(sure), 1)
    precision = len(links & (sure | (possible or set()))) / max(len(links), 1)
    return 1 - 2 * precision * recall / ((precision + recall) or 1)


def share_on_padding__of_the_target(weights, lengths):
    """target words past the length are taken for padding"""
    past = torch.arange(weights.shape[1]) >= lengths[:, None]
    return (weights * past[:, :, None]).sum(-1).mean().item()
