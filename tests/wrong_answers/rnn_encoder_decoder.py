"""Wrong answers, written otherwise than those that the checks hold: exercise 02."""

import torch

from transformer_course.common.states import map_tensors
from transformer_course.common.validation import require_sentences


def gru_cell__gates_by_rows(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh):
    """`z` and `1 - z` change places"""
    d = hidden.shape[1]
    word = x @ weight_ih.mT + bias_ih
    state = hidden @ weight_hh.mT + bias_hh
    r = 1 / (1 + (-(word[:, :d] + state[:, :d])).exp())
    z = 1 / (1 + (-(word[:, d : 2 * d] + state[:, d : 2 * d])).exp())
    n = torch.tanh(word[:, 2 * d :] + r * state[:, 2 * d :])
    return torch.lerp(hidden, n, z)


def encode__list_of_rows(embedded, lengths, cell, hidden):
    """the cell reads the padding too"""
    columns = []
    for position in range(embedded.shape[1]):
        hidden = cell(embedded.select(1, position), hidden)
        columns.append(hidden * (position < lengths).to(hidden).view(-1, 1))
    return torch.stack(columns, 1) if columns else hidden.new_zeros(len(hidden), 0, hidden.shape[1]), hidden


def length_penalty__written_out(length, alpha):
    """length ** alpha"""
    return torch.tensor(float(length)).pow(alpha).item()


def gru_cell__two_mistakes(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh):
    """the update gate keeps what it should replace and, second, `bias_ih` is not added"""
    words, states = (x @ weight_ih.mT).tensor_split(3, 1), (hidden @ weight_hh.mT + bias_hh).tensor_split(3, 1)
    r, z = ((word + state).sigmoid() for word, state in zip(words[:2], states[:2], strict=True))
    return torch.lerp(hidden, (words[2] + r * states[2]).tanh(), z)


def encode__masks_multiplied(embedded, lengths, cell, hidden):
    """multiplied with 0: 0 times NaN is NaN"""
    require_sentences(embedded, lengths, hidden)
    outputs = hidden.new_zeros(*embedded.shape[:2], hidden.shape[1])
    for position in range(embedded.shape[1]):
        mask = (position < lengths).to(hidden).unsqueeze(1)
        hidden = mask * cell(embedded[:, position], hidden) + (1 - mask) * hidden
        outputs[:, position] = hidden * mask
    return outputs, hidden


def encode__sorted_by_length(embedded, lengths, cell, hidden):
    """not put back into their order"""
    lengths, order = lengths.sort(descending=True)
    hidden, columns = hidden[order], []
    for position in range(embedded.shape[1]):
        real = (lengths > position).unsqueeze(1)
        hidden = torch.where(real, cell(embedded[order, position], hidden), hidden)
        columns.append(hidden * real)
    return torch.stack(columns, 1) if columns else hidden.new_zeros(len(hidden), 0, hidden.shape[1]), hidden


def encode__nothing_to_stack(embedded, lengths, cell, hidden):
    """`torch.stack` needs at least one tensor"""
    require_sentences(embedded, lengths, hidden)
    columns = []
    for position, words in enumerate(embedded.unbind(1)):
        real = (lengths > position).unsqueeze(1)
        hidden = cell(words, hidden).where(real, hidden)
        columns.append(hidden.where(real, 0.0))
    return torch.stack(columns, 1), hidden


def greedy_decode__nobody_remembers(step, state, batch_size, max_length, bos_id=1, eos_id=2, pad_id=0):
    """no row is remembered as ended"""
    columns = [torch.full((batch_size,), bos_id)]
    while len(columns) <= max_length and not (columns[-1] == eos_id).all():
        logits, state = step(columns[-1], state)
        columns.append(logits.max(1).indices)
    return torch.stack(columns, 1)[:, 1:]


def length_penalty__precedence(length, alpha):
    """the exponent is applied to a part of the fraction only"""
    return (5 + length) / pow(6, alpha)


def beam_search__one_sentence(step, state, beam_width, max_length, alpha=0.0, bos_id=1, eos_id=2):
    """one sentence alone"""
    logits, _ = step(torch.tensor([bos_id]), state)
    best = logits.log_softmax(1).max(1)
    return best.indices.tolist(), best.values.item()


def exact_match__narrower(written, wanted):
    """tensors of different width are compared"""
    return torch.eq(written, wanted).prod(1).double().mean().item()


def beam_search__words_before_eos(step, state, beam_width, max_length, alpha=0.0, bos_id=1, eos_id=2):
    """EOS is not counted in the length"""
    alive, found = [((), 0.0)], []
    for _ in range(max_length):
        logits, state = step(torch.tensor([words[-1] if words else bos_id for words, _ in alive]), state)
        table = logits.log_softmax(1)
        best = sorted(
            ((total + table[row, word].item(), row, (*words, word))
             for row, (words, total) in enumerate(alive) for word in range(table.shape[1])),
            reverse=True,
        )[:beam_width]  # fmt: skip
        found += [(words, total) for total, _, words in best if words[-1] == eos_id or len(words) == max_length]
        alive = [(words, total) for total, _, words in best if words[-1] != eos_id]
        keep = torch.tensor([row for _, row, words in best if words[-1] != eos_id], dtype=torch.long)
        state = map_tensors(lambda tensor, keep=keep: tensor[keep], state)
        if not alive:
            break
    ranked = [
        (list(words), total * (6 / (5 + sum(word != eos_id for word in words))) ** alpha) for words, total in found
    ]
    return sorted(ranked, key=lambda pair: -pair[1])[:beam_width]
