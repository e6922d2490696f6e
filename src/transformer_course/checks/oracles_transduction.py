"""What is right, by torch's own functions: the oracle of the checks of sentences, their labels and their loss."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.utils import rnn


def right_padded(sequences: Sequence[Sequence[int]], pad_id: int = 0) -> Tensor:
    """Let torch pad the sequences; without any, the result has shape (0, 0)."""
    rows = [torch.tensor(list(each), dtype=torch.long) for each in sequences]
    if not rows:
        return torch.zeros(0, 0, dtype=torch.long)
    return rnn.pad_sequence(rows, batch_first=True, padding_value=pad_id)


def right_pair(target: Tensor) -> tuple[Tensor, Tensor]:
    """Take away the last column, and the first one."""
    length = target.shape[1]
    return target.narrow(1, 0, length - 1), target.narrow(1, 1, length - 1)


def right_log_probability(logits: Tensor, labels: Tensor, pad_id: int = 0) -> Tensor:
    """Sum up torch's cross entropy of each sentence, in float64."""
    losses = F.cross_entropy(logits.double().transpose(1, 2), labels, ignore_index=pad_id, reduction="none")
    return -losses.sum(1).to(logits.dtype)


def right_loss(logits: Tensor, labels: Tensor, smoothing: float = 0.1, pad_id: int = 0) -> Tensor:
    """Compute torch's cross entropy with label smoothing, in float64; padding alone gives 0."""
    total = F.cross_entropy(
        logits.double().reshape(-1, logits.shape[-1]),
        labels.reshape(-1),
        ignore_index=pad_id,
        reduction="sum",
        label_smoothing=smoothing,
    )
    return (total / max(int((labels != pad_id).sum()), 1)).to(logits.dtype)


def lowest(vocab_size: int, smoothing: float) -> tuple[float, float]:
    """Work out the lowest loss and the right word's probability there: both belong to the smoothed labels."""
    others = smoothing / vocab_size
    right = 1 - smoothing + others
    terms = [right] + [others] * (vocab_size - 1)
    return sum(-p * math.log(p) for p in terms if p > 0), right


def right_perplexity(batches: Sequence[tuple[Tensor, Tensor]], pad_id: int = 0) -> float:
    """Compute the perplexity of all labels of all batches as if they were one."""
    total = sum(
        float(F.cross_entropy(logits.double().flatten(0, 1), labels.flatten(), ignore_index=pad_id, reduction="sum"))
        for logits, labels in batches
    )
    return math.exp(total / sum(int((labels != pad_id).sum()) for _, labels in batches))
