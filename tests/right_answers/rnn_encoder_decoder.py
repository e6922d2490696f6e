"""Right answers to exercise 02 in unusual forms: loops over numbers, other orders of work, other searches.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import torch
from torch.nn import functional as F

from transformer_course.common.states import map_tensors, require_rows
from transformer_course.common.validation import require_cell, require_not_negative, require_positive, require_sentences


def gru_cell__one_sentence_at_a_time(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh):
    """Compute each gate of each sentence with a product of its own."""
    require_cell(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh, gates=3)
    words, states, n = weight_ih.split(hidden.shape[1]), weight_hh.split(hidden.shape[1]), hidden.shape[1]
    rows = []
    for word, state in zip(x, hidden, strict=True):
        parts = [
            (words[k].mv(word) + bias_ih[k * n :][:n], states[k].mv(state) + bias_hh[k * n :][:n]) for k in range(3)
        ]
        reset, update = (1 / (1 + torch.exp(-sum(part))) for part in parts[:2])
        candidate = torch.tanh(parts[2][0] + reset * parts[2][1])
        rows.append(candidate + update * (state - candidate))
    return torch.stack(rows) if rows else hidden.clone()


def gru_cell__one_product(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh):
    """Put word, state and a 1 side by side, and compute both gates with one product."""
    require_cell(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh, gates=3)
    n = 2 * hidden.shape[1]
    both = torch.cat([x, hidden, torch.ones_like(x[:, :1])], dim=1)
    weights = torch.cat([weight_ih[:n], weight_hh[:n], (bias_ih + bias_hh)[:n, None]], dim=1)
    reset, update = torch.einsum("bi,oi->bo", both, weights).sigmoid().tensor_split(2, dim=1)
    candidate = (x @ weight_ih[n:].T + bias_ih[n:] + reset * (hidden @ weight_hh[n:].T + bias_hh[n:])).tanh()
    return torch.lerp(candidate, hidden, update)


def encode__only_living_rows(embedded, lengths, cell, hidden):
    """Hand only those sentences to the cell that still have a word."""
    require_sentences(embedded, lengths, hidden)
    outputs = [[hidden.new_zeros(hidden.shape[1])] * embedded.shape[1] for _ in hidden]
    states = list(hidden)
    for position in range(embedded.shape[1]):
        living = [row for row, length in enumerate(lengths.tolist()) if length > position]
        if living:
            after = cell(embedded[living, position], torch.stack([states[row] for row in living]))
            for row, state in zip(living, after, strict=True):
                states[row] = outputs[row][position] = state
    flat = [state for row in outputs for state in row]
    shape = (*embedded.shape[:2], hidden.shape[1])
    stacked = torch.stack(flat).view(shape) if flat else hidden.new_zeros(shape)
    return stacked, torch.stack(states) if states else hidden


def encode__final_state_by_gather(embedded, lengths, cell, hidden):
    """Read the padding too, and pick what counts afterwards; a list for the pair."""
    require_sentences(embedded, lengths, hidden)
    states = [hidden]
    for words in embedded.unbind(1):
        states.append(cell(words, states[-1]))
    stacked = torch.stack(states, dim=1)
    final = stacked.gather(1, lengths[:, None, None].expand(-1, 1, hidden.shape[1])).squeeze(1)
    real = torch.arange(embedded.shape[1]) < lengths[:, None]
    return [torch.where(real[..., None], stacked[:, 1:], torch.zeros_like(stacked[:, 1:])), final]


def greedy_decode__filled_in(step, state, batch_size, max_length, bos_id=1, eos_id=2, pad_id=0):
    """Begin with a full table of padding, and fill it in; rows that have ended read EOS."""
    require_not_negative("max_length", max_length)
    table, living, last = torch.full((batch_size, max_length), pad_id), [True] * batch_size, [bos_id] * batch_size
    for column in range(max_length):
        if not any(living):
            return table[:, :column]
        logits, state = step(torch.tensor(last), state)
        for row in range(batch_size):
            if living[row]:
                last[row] = int(logits[row].sort(descending=True, stable=True).indices[0])
                table[row, column] = last[row]
                living[row] = last[row] != eos_id
            else:
                last[row] = eos_id
    return table


def greedy_decode__padded_afterwards(step, state, batch_size, max_length, bos_id=1, eos_id=2, pad_id=0):
    """Let ended sentences write on, and put the padding in at the end."""
    require_not_negative("max_length", max_length)
    columns = [torch.full((batch_size,), bos_id)]
    while len(columns) <= max_length and batch_size:
        logits, state = step(columns[-1], state)
        columns.append(logits.softmax(-1).max(-1).indices)
        if (torch.stack(columns[1:]) == eos_id).any(0).all():
            break
    written = torch.stack(columns, 1)[:, 1:] if len(columns) > 1 else torch.zeros(batch_size, 0, dtype=torch.long)
    ends = (written == eos_id).int()
    return written.masked_fill(ends.cumsum(1) - ends > 0, pad_id)


def length_penalty__logarithm(length, alpha):
    """Go by way of the logarithm."""
    require_not_negative("length", length)
    return float(torch.exp(alpha * torch.log1p(torch.tensor((length - 1) / 6, dtype=torch.float64))))


def length_penalty__power_of_each(length, alpha):
    """Raise numerator and denominator by themselves."""
    return pow(5.0 + length, alpha) / pow(6.0, alpha)


def beam_search__places_refilled(step, state, beam_width, max_length, alpha=0.0, bos_id=1, eos_id=2):
    """Look at twice as many candidates, so that sentences which end leave their place; stop with beam_width ends."""
    require_positive("beam_width", beam_width)
    require_positive("max_length", max_length)
    require_rows("state", state, 1)
    living, ended = [([], 0.0)], []
    for length in range(1, max_length + 1):
        logits, state = step(torch.tensor([words[-1] if words else bos_id for words, _ in living]), state)
        table = logits.double().softmax(-1).log().tolist()
        candidates = [
            (total + value, row, word) for row, (_, total) in enumerate(living) for word, value in enumerate(table[row])
        ]
        new, rows = [], []
        for total, row, word in sorted(candidates, reverse=True)[: 2 * beam_width]:
            words = [*living[row][0], word]
            if word == eos_id:
                ended.append((words, total / ((5 + length) / 6) ** alpha))
            elif len(new) < beam_width:
                new.append((words, total))
                rows.append(row)
        living = new
        if not living or (length == max_length):
            break
        state = map_tensors(lambda part, rows=rows: torch.stack([part[row] for row in rows]), state)
    cut = [(words, total / ((5 + max_length) / 6) ** alpha) for words, total in living]
    return sorted(ended + cut, key=lambda entry: -entry[1])[:beam_width]


def beam_search__ended_ones_keep_their_place(step, state, beam_width, max_length, alpha=0.0, bos_id=1, eos_id=2):
    """Keep ended sentences among the hypotheses; one call of step for each living one; tuples and lists exchanged."""
    require_positive("beam_width", beam_width)
    require_positive("max_length", max_length)
    require_rows("state", state, 1)
    beam = [((), 0.0, state)]
    for _ in range(max_length):
        grown = []
        for words, total, own in beam:
            if words[-1:] == (eos_id,):
                grown.append((words, total, own))
                continue
            logits, after = step(torch.tensor([words[-1] if words else bos_id]), own)
            values = F.log_softmax(logits[0].double(), dim=0)
            grown += [((*words, word), total + value, after) for word, value in enumerate(values.tolist())]
        beam = sorted(grown, key=lambda entry: entry[1], reverse=True)[:beam_width]
    scored = ([list(words), total * (6 / (5 + len(words))) ** alpha] for words, total, _ in beam)
    return sorted(scored, key=lambda entry: entry[1])[::-1]


def exact_match__lists(written, wanted):
    """Compare lists without their padding."""
    pairs = zip(*([[t for t in row if t] for row in each.tolist()] for each in (written, wanted)), strict=True)
    return sum(one == other for one, other in pairs) / len(wanted)


def exact_match__number_of_differences(written, wanted):
    """Count the places that differ, in the columns that both have, and what is no padding in the others."""
    both = min(written.shape[1], wanted.shape[1])
    wrong = (written[:, :both] != wanted[:, :both]).sum(1)
    wrong = wrong + written[:, both:].ne(0).sum(1) + wanted[:, both:].ne(0).sum(1)
    return float(wrong.eq(0).sum()) / wrong.numel()


def fixed_ranking__moved_forward(hypotheses, alpha):
    """Sort by minus the score; lists for pairs."""
    return sorted(([w[1:], t * ((4 + len(w)) / 6) ** -alpha] for w, t in hypotheses), key=lambda pair: -pair[1])


def fixed_ranking__compared_by_products(hypotheses, alpha):
    """Sort by the number of hypotheses that are better."""
    scored = [([*w][1:], s / ((5 + len(w) - 1) / 6) ** alpha) for w, s in hypotheses]
    return sorted(scored, key=lambda entry: sum(other[1] > entry[1] for other in scored))
