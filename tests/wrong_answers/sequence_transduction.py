"""Wrong answers, written otherwise than those that the checks hold: exercise 01."""

import torch
from torch.nn import functional as F


def sequence_log_probability__einsum_of_logits(logits, labels, pad_id=0):
    """logits are used as if they were log probabilities"""
    chosen = F.one_hot(labels.clamp(min=0), logits.shape[-1]).to(logits)
    return torch.einsum("blv,blv,bl->b", logits, chosen, (labels != pad_id).to(logits))


def sequence_log_probability__padding_in_a_loop(logits, labels, pad_id=0):
    """padding counts like a word"""
    sums = []
    for sentence, words in zip(logits, labels, strict=True):
        total = logits.new_zeros(())
        for row, word in zip(sentence, words.tolist(), strict=True):
            total = total + row[word if 0 <= word < len(row) else 0] - torch.logsumexp(row, 0)
        sums.append(total)
    return torch.stack(sums) if sums else logits.new_zeros(0)


def teacher_forcing_pair__narrow(target):
    """the two results are exchanged"""
    length = target.shape[1] - 1
    return target.narrow(1, 1, length), target.narrow(1, 0, length)


def pad_sequences__numpy_like(sequences, pad_id=0):
    """the padding stands in front"""
    width = max(map(len, sequences), default=0)
    return torch.tensor([[pad_id] * (width - len(x)) + list(x) for x in sequences]).long().reshape(-1, width)


def label_smoothing_loss__over_wrong_words(logits, labels, smoothing=0.1, pad_id=0):
    """only the wrong words share the smoothing"""
    vocab_size, real = logits.shape[-1], labels != pad_id
    shares = torch.full_like(logits, smoothing / max(vocab_size - 1, 1))
    shares.scatter_(-1, labels.clamp(0, vocab_size - 1).unsqueeze(-1), 1 - smoothing)
    return -(shares * F.log_softmax(logits, -1)).sum(-1)[real].sum() / max(int(real.sum()), 1)
