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


def label_smoothing_loss__padding_has_no_share(logits, labels, smoothing=0.1, pad_id=0):
    """the part that treats all words alike"""
    real, vocab_size = labels != pad_id, logits.shape[-1]
    shares = torch.full_like(logits, smoothing / (vocab_size - 1))
    shares.scatter_(-1, labels.masked_fill(~real, 0).unsqueeze(-1), 1 - smoothing)
    shares[..., 0] = 0.0
    return -(shares * logits.log_softmax(-1)).sum(-1)[real].mean()


def label_smoothing_loss__a_mean_for_each_part(logits, labels, smoothing=0.1, pad_id=0):
    """averaged over the positions too"""
    real, log_probabilities = labels != pad_id, logits.log_softmax(-1)
    of_labels = log_probabilities.gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return -(1 - smoothing) * of_labels[real].mean() - smoothing * log_probabilities.mean()


def label_smoothing_loss__a_small_number(logits, labels, smoothing=0.1, pad_id=0):
    """a small number (epsilon)"""
    real, log_probabilities = labels != pad_id, (logits.softmax(-1) + 1e-7).log()
    shares = F.one_hot(labels.masked_fill(~real, 0), logits.shape[-1]).to(logits) * (1 - smoothing)
    losses = -((shares + smoothing / logits.shape[-1]) * log_probabilities).sum(-1)
    return losses.masked_fill(~real, 0.0).sum() / real.sum().clamp(min=1)


def sequence_log_probability__until_the_end(logits, labels, pad_id=0):
    """everything after the first EOS is left out"""
    sums = []
    for rows, words in zip(logits.log_softmax(-1), labels.tolist(), strict=True):
        end = words.index(2) + 1 if 2 in words else len(words)
        chosen = [row[word] for row, word in zip(rows, words[:end], strict=False) if word != pad_id]
        sums.append(sum(chosen, logits.new_zeros(())))
    return torch.stack(sums)


def pad_sequences__zeros_replaced(sequences, pad_id=0):
    """every 0 becomes `pad_id`"""
    padded = torch.zeros(len(sequences), max(map(len, sequences), default=0), dtype=torch.long)
    for row, words in zip(padded, sequences, strict=True):
        row[: len(words)] = torch.tensor(words, dtype=torch.long)
    padded[padded == 0] = pad_id
    return padded


def pad_sequences__largest_sequence(sequences, pad_id=0):
    """`max` compares the sequences themselves"""
    longest = len(max(sequences)) if sequences else 0
    return torch.tensor([[*words, *[pad_id] * (longest - len(words))] for words in sequences])


def teacher_forcing_pair__rows_without_eos(target):
    """EOS is cut out of the rows"""
    return torch.stack([row[row != 2] for row in target]), target[:, 1:]


def require_bos__nothing_of_what_came(name, target):
    """does not say what came"""
    for row in target.tolist():
        if row[0] != 1:
            raise ValueError(f"the argument {name} has no BOS")


def lowest_loss__by_hand(vocab_size, smoothing):
    """the descent has not arrived"""
    logits = torch.zeros(vocab_size, requires_grad=True)
    for _ in range(100):
        loss = F.cross_entropy(logits, torch.tensor(2), label_smoothing=smoothing)
        logits = (logits - 0.05 * torch.autograd.grad(loss, logits)[0]).detach().requires_grad_()
    return loss.item(), logits.softmax(0)[2].item()


def fixed_loss__logarithm_then_reshape(logits, target):
    """not every position gets the logits"""
    labels, real = target[:, 1:], target[:, :-1] != 0
    losses = F.nll_loss(logits.log_softmax(-1).reshape(len(labels), -1, labels.shape[1]), labels, reduction="none")
    return (losses * real).sum() / real.sum()


def pad_sequences__largest_words_first(sequences, pad_id=0):
    """compares the lists word by word"""
    width = len(sorted(sequences)[-1]) if sequences else 0
    rows = [(list(words) + [pad_id] * width)[:width] for words in sequences]
    return torch.tensor(rows, dtype=torch.long).reshape(len(rows), width)
