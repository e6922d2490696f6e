"""Right answers to exercise 03 in unusual forms.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import math

import torch
from torch.nn import functional as F

from transformer_course.common.validation import (
    require_floating,
    require_map,
    require_mask,
    require_sentences,
    require_shapes,
)
from transformer_course.rnn_encoder_decoder import encode


def bidirectional_encode__one_by_one(embedded, lengths, forward_cell, backward_cell, hidden):
    """Read every sentence alone, without its padding."""
    require_sentences(embedded, lengths, hidden)
    rows = []
    for words, real, start in zip(embedded, lengths.tolist(), hidden, strict=True):
        padding = embedded.shape[1] - real
        halves = []
        for cell, order in ((forward_cell, list(range(real))), (backward_cell, list(range(real))[::-1])):
            state, found = start[None], {}
            for place in order:
                state = found[place] = cell(words[place][None], state)
            halves.append(
                torch.cat([*(found[place] for place in range(real)), state.new_zeros(padding, state.shape[1])])
            )
        rows.append(torch.hstack(halves))
    return torch.stack(rows)


def bidirectional_encode__backwards(embedded, lengths, forward_cell, backward_cell, hidden):
    """Go from the last column to the first; a sentence waits in its first state until its last word comes."""
    require_sentences(embedded, lengths, hidden)
    left, _ = encode(embedded, lengths, forward_cell, hidden)
    state, states = hidden, []
    for column in range(embedded.shape[1] - 1, -1, -1):
        real = (lengths > column)[:, None]
        state = torch.where(real, backward_cell(embedded[:, column], state), state)
        states = [state * real, *states]
    return torch.cat([left, torch.stack(states, dim=1)], dim=2)


def dot_score__einsum(query, keys):
    """Name the dimensions."""
    require_shapes(query=(query, "batch d"), keys=(keys, "batch length d"))
    return torch.einsum("ijk,ik->ij", keys, query)


def dot_score__bmm(query, keys):
    """Multiply row vectors by transposed keys."""
    require_shapes(query=(query, "batch d"), keys=(keys, "batch length d"))
    return torch.bmm(query[:, None, :], keys.mT)[:, 0]


def _require_additive(query, keys, w_query, w_key, v):
    weights = {"w_query": (w_query, "d_a d_q"), "w_key": (w_key, "d_a d_k"), "v": (v, "d_a")}
    require_shapes(query=(query, "batch d_q"), keys=(keys, "batch length d_k"), **weights)


def additive_score__concat(query, keys, w_query, w_key, v):
    """Multiply one matrix by query and key, one above the other."""
    _require_additive(query, keys, w_query, w_key, v)
    both = torch.cat([query[:, None].repeat(1, keys.shape[1], 1), keys], 2)
    return F.linear(torch.tanh(F.linear(both, torch.cat([w_query, w_key], 1))), v[None])[..., 0]


def additive_score__by_words(query, keys, w_query, w_key, v):
    """Go through the words, with 1 - 2 / (e^2x + 1) for tanh."""
    _require_additive(query, keys, w_query, w_key, v)
    words = [query @ w_query.T + keys[:, place] @ w_key.T for place in range(keys.shape[1])]
    return torch.stack([torch.mv(2 * torch.sigmoid(2 * word) - 1, v) for word in words], dim=1)


def _require_look(scores, values, mask):
    require_floating("scores", scores)
    require_shapes(scores=(scores, "batch length"), values=(values, "batch length d"))
    if mask is not None:
        require_mask(mask, tuple(scores.shape))


def attend__exponentials(scores, values, mask=None):
    """Shift by the largest allowed score, and divide by what is left."""
    _require_look(scores, values, mask)
    mask = scores == scores if mask is None else mask
    shifted = scores.masked_fill(~mask, -math.inf)
    largest = shifted.amax(1, keepdim=True).detach()
    exponentials = (shifted - largest.nan_to_num(neginf=0.0)).exp()
    total = exponentials.sum(1, keepdim=True)
    weights = exponentials / torch.where(total == 0, torch.ones_like(total), total)
    return [torch.einsum("bl,bld->bd", weights, values), weights]


def attend__row_by_row(scores, values, mask=None):
    """Look for each sentence alone, at its allowed words only."""
    _require_look(scores, values, mask)
    contexts, rows = [], []
    for row in range(len(scores)):
        places = list(range(scores.shape[1])) if mask is None else mask[row].nonzero()[:, 0].tolist()
        weights = torch.zeros_like(scores[row])
        if places:
            index = torch.tensor(places)
            weights = weights.index_add(0, index, scores[row, index].softmax(0))
        rows.append(weights)
        contexts.append(weights @ values[row])
    return torch.stack(contexts), torch.stack(rows)


def alignment_error_rate__counted(weights, sure, possible=None):
    """Count hits in a loop, with a running best."""
    require_map("weights", weights)
    hits, total = 0, len(sure)
    for target, row in enumerate(weights.tolist()):
        link = (target, max(range(len(row)), key=row.__getitem__))
        hits += (link in sure) + (link in sure or (possible is not None and link in possible))
        total += 1
    return 1.0 - hits / total if total else 0.0


def alignment_error_rate__misses(weights, sure, possible=None):
    """Add up what is missed, as a share."""
    require_map("weights", weights)
    links = {(i, int((row == row.max()).nonzero()[0])) for i, row in enumerate(weights)}
    allowed = set().union(sure, possible or [])
    misses = len(links - allowed) + len(sure - links)
    return misses / max(len(links) + len(sure), 1)


def fixed_decoder__exponentials(embedded, hidden, memory, mask, cell, score):
    """Mask the exponentials, and divide by what is left."""
    states, rows = torch.zeros(0), []
    for word in embedded.transpose(0, 1):
        scores = score(hidden, memory)
        exponentials = (scores - scores.amax(1, keepdim=True)).exp() * mask
        rows += [exponentials / exponentials.sum(1, keepdim=True)]
        hidden = cell(torch.hstack([word, torch.einsum("bn,bnd->bd", rows[-1], memory)]), hidden)
        states = hidden[:, None] if len(rows) == 1 else torch.cat([states, hidden[:, None]], 1)
    return states, torch.stack(rows, 1)


def fixed_decoder__recursive(embedded, hidden, memory, mask, cell, score):
    """Do the first word, and leave the others to a call of its own."""
    weights = score(hidden, memory).masked_fill(~mask, -torch.inf).softmax(1)
    state = cell(torch.cat([embedded[:, 0], (weights[..., None] * memory).sum(1)], 1), hidden)
    if embedded.shape[1] == 1:
        return state[:, None], weights[:, None]
    states, rows = fixed_decoder__recursive(embedded[:, 1:], state, memory, mask, cell, score)
    return torch.cat([state[:, None], states], 1), torch.cat([weights[:, None], rows], 1)


def share_on_padding__rest(weights, lengths):
    """Take the share of the real words from 1."""
    real = [float(sentence[:, :n].sum(-1).mean()) for sentence, n in zip(weights, lengths.tolist(), strict=True)]
    return 1 - sum(real) / len(real)


def share_on_padding__cumulated(weights, lengths):
    """Read off the running total in front of the padding."""
    before = F.pad(weights.cumsum(-1), (1, 0))  # (batch, target_length, source_length + 1)
    index = lengths[:, None, None].expand(-1, weights.shape[1], 1)
    return (before[..., -1] - before.gather(2, index)[..., 0]).mean().item()
