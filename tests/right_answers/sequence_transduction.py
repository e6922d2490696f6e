"""Right answers to exercise 01 in unusual forms.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import math
from itertools import zip_longest

import torch
from torch.nn import functional as F

from transformer_course.common.validation import (
    require_labels,
    require_long,
    require_shape,
    require_share,
    require_token_lists,
)


def pad_sequences__zip(sequences, pad_id=0):
    """Turn columns into rows."""
    require_token_lists("sequences", sequences)
    columns = [torch.tensor(column) for column in zip_longest(*sequences, fillvalue=pad_id)]
    return torch.stack(columns, 1) if columns else torch.empty(len(sequences), 0, dtype=torch.int64)


def pad_sequences__mask(sequences, pad_id=0):
    """Write all words at once, where a mask says that there is one."""
    require_token_lists("sequences", sequences)
    lengths = torch.tensor([len(each) for each in sequences], dtype=torch.long)
    there = torch.arange(max(lengths.tolist(), default=0)) < lengths[:, None]
    words = torch.tensor([word for each in sequences for word in each], dtype=torch.long)
    return torch.full(there.shape, pad_id).masked_scatter(there, words)


def teacher_forcing_pair__rolled(target):
    """Roll in the right direction, and drop the last column of both."""
    require_shape("target", target, ("batch", "length"))
    require_long("target", target)
    return [each.narrow(1, 0, target.shape[1] - 1) for each in (target, target.roll(-1, 1))]


def teacher_forcing_pair__windows(target):
    """Cut windows of two words."""
    require_shape("target", target, ("batch", "length"))
    require_long("target", target)
    if target.shape[1] == 1:
        return target[:, :0], target[:, :0]
    first, second = target.unfold(1, 2, 1).unbind(-1)
    return first.contiguous(), second.contiguous()


def require_bos__loop(name, target):
    """Look at one row after the other."""
    for row in target.tolist():
        if row[0] != 1:
            raise ValueError(f"The argument {name!r} must start with BOS, but I found {row[0]}.")


def require_bos__unique(name, target):
    """Show all tokens that stand in front."""
    tokens = set(target[:, 0].tolist()) - {1}
    if tokens:
        raise ValueError(f"{name} has rows without BOS, which begin with {sorted(tokens)}")


def sequence_log_probability__loops(logits, labels, pad_id=0):
    """Go through sentences and words, with logsumexp."""
    require_shape("logits", logits, ("batch", "length", "vocab_size"))
    require_labels(logits, labels, pad_id)
    totals = []
    for rows, words in zip(logits, labels, strict=True):
        terms = [row[w] - row.logsumexp(0) for row, w in zip(rows, words, strict=True) if w != pad_id]
        totals.append(torch.stack(terms).sum() if terms else rows[:0].sum())
    return torch.stack(totals)


def sequence_log_probability__compared(logits, labels, pad_id=0):
    """Find each label's entry by a comparison with all words, in float64."""
    require_shape("logits", logits, ("batch", "length", "vocab_size"))
    require_labels(logits, labels, pad_id)
    hit = (labels[..., None] == torch.arange(logits.shape[-1])) & (labels != pad_id)[..., None]
    return torch.where(hit, logits.double().log_softmax(-1), 0.0).sum((1, 2)).to(logits.dtype)


def label_smoothing_loss__selected(logits, labels, smoothing=0.1, pad_id=0):
    """Select what counts first, and write the labels out as distributions."""
    require_labels(logits, labels, pad_id)
    require_share("smoothing", smoothing)
    rows, words = logits[labels != pad_id], labels[labels != pad_id]
    q = torch.full_like(rows, smoothing / logits.shape[-1])
    q[torch.arange(len(words)), words] += 1 - smoothing
    logs = torch.where(q > 0, rows.log_softmax(-1), 0.0)
    return -(q * logs).sum() / max(len(words), 1)


def label_smoothing_loss__logits(logits, labels, smoothing=0.1, pad_id=0):
    """Never form log probabilities."""
    require_labels(logits, labels, pad_id)
    require_share("smoothing", smoothing)
    keep = (labels != pad_id).reshape(-1)
    rows, words = logits.flatten(0, -2) if logits.dim() > 1 else logits[None], labels.reshape(-1)
    rows, words = rows[keep], words[keep]
    wanted = (1 - smoothing) * rows[range(len(words)), words]
    if smoothing:
        wanted = wanted + smoothing * rows.mean(-1)
    return (torch.logsumexp(rows, -1) - wanted).sum() / (keep.sum() + (~keep.any()))


def lowest_loss__paper(vocab_size, smoothing):
    """Work it out."""
    small = smoothing / vocab_size
    large = 1 - smoothing + small
    return -large * math.log(large) - (vocab_size - 1) * small * math.log(small), large


def lowest_loss__gradient_descent(vocab_size, smoothing):
    """Descend on one number, the lead of the right word, by bisection of the slope."""
    low, high = 0.0, 50.0
    for _ in range(60):
        lead = torch.tensor((low + high) / 2, requires_grad=True)
        logits = F.pad(lead[None], (0, vocab_size - 1))
        loss = F.cross_entropy(logits, torch.tensor(0), label_smoothing=smoothing)
        (slope,) = torch.autograd.grad(loss, lead)
        low, high = (low, lead.item()) if slope > 0 else (lead.item(), high)
    return [loss.item(), logits.softmax(0)[0].item()]


def fixed_loss__ignore_index(logits, target):
    """Let torch leave the padding out."""
    return F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=0)


def fixed_loss__selected(logits, target):
    """Select the words first."""
    words = target[:, 1:]
    return -logits[words != 0].log_softmax(-1).gather(1, words[words != 0][:, None]).mean()


def perplexity__product(batches, pad_id=0):
    """Take the geometric mean of 1 / P."""
    logs = [x.log_softmax(-1)[y != pad_id].gather(1, y[y != pad_id][:, None]) for x, y in batches]
    return torch.cat(logs).mean().neg().exp().item()
