"""Chapter 01: sequence transduction, the probability of a sentence and the loss that training lowers.

A model of translation gives every sentence y a probability, word by word: P(y|x) is the product of the probabilities
of its words, each given x and the words before. ``pad_sequences`` makes a batch of sentences; ``teacher_forcing_pair``
makes of the right answer what the model reads and what it shall say; ``sequence_log_probability`` adds up what it says.
Training lowers the cross entropy: this sum with its sign changed, divided by the number of words, which
``label_smoothing_loss`` computes, with smoothed labels if wanted.

Source: Sutskever et al. (2014), "Sequence to Sequence Learning with Neural Networks", section 2.

Dimension names: ``batch`` sentences, ``length`` positions of the padded sentence, ``vocab_size`` words to choose from.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from transformer_course.common.tokens import BOS, PAD
from transformer_course.common.validation import (
    may_look_inside,
    require_labels,
    require_long,
    require_shape,
    require_share,
    require_token_lists,
)


def pad_sequences(sequences: Sequence[Sequence[int]], pad_id: int = PAD) -> Tensor:
    """Put sequences of different lengths into one rectangle, filled up with padding on the right.

    Args:
        sequences: token ids, one list for each sentence; lists may be empty, and so may the whole.
        pad_id: the token id that fills the rest of each row.

    Returns:
        int64 ``(batch, length)``, on the CPU; length is that of the longest sequence, ``(0, 0)`` for no sequence.

    >>> pad_sequences([[5, 6, 7], [8]])
    tensor([[5, 6, 7],
            [8, 0, 0]])
    """
    require_token_lists("sequences", sequences)
    longest = max((len(sequence) for sequence in sequences), default=0)
    padded = torch.full((len(sequences), longest), pad_id, dtype=torch.long)
    for row, sequence in enumerate(sequences):
        padded[row, : len(sequence)] = torch.tensor(list(sequence), dtype=torch.long)
    return padded


def teacher_forcing_pair(target: Tensor) -> tuple[Tensor, Tensor]:
    """Split the right answer into what the decoder reads and what it shall say, which is one word ahead.

    Source: Williams & Zipser (1989), "A Learning Algorithm for Continually Running Fully Recurrent Neural Networks".

    Args:
        target: int64 ``(batch, length)``; each row starts with BOS and ends with EOS, and then perhaps padding.

    Returns:
        The decoder's input and its labels, both ``(batch, length - 1)``. At each position the input holds the word
        before, the label the word itself. (In a padded row EOS is read too; the label there is padding.)

    Raises:
        ValueError: if the length is 0, or (looked at on the CPU only) a row has no BOS in front.
    """
    require_shape("target", target, ("batch", "length"))
    require_long("target", target)
    if target.shape[1] == 0:
        raise ValueError("target: expected a length of at least 1, for BOS, got 0")
    if may_look_inside(target) and (target[:, 0] != BOS).any():
        row = int((target[:, 0] != BOS).nonzero()[0])
        raise ValueError(f"target: expected BOS = {BOS} in front of each row, got {int(target[row, 0])} in row {row}")
    return target[:, :-1], target[:, 1:]


def sequence_log_probability(logits: Tensor, labels: Tensor, pad_id: int = PAD) -> Tensor:
    """Add up the log probabilities of the words of each sentence: log P(y|x) by the chain rule.

    Source: Sutskever et al. (2014), section 2, equation 1.

    Args:
        logits: ``(batch, length, vocab_size)``, floating (float16 may overflow: give ``.float()``); those at position t
            may depend on the words before t only.
        labels: int64 ``(batch, length)``, the words of the sentence and EOS.
        pad_id: the label that marks padding, which adds nothing.

    Returns:
        ``(batch,)``, in nats; 0 for a row of padding.

    Raises:
        ValueError: if (looked at on the CPU only) a label is no word.
    """
    require_shape("logits", logits, ("batch", "length", "vocab_size"))
    require_labels(logits, labels, pad_id)
    return _label_log_probabilities(logits.log_softmax(dim=-1), labels, pad_id).sum(dim=-1)  # (batch,)


def label_smoothing_loss(logits: Tensor, labels: Tensor, smoothing: float = 0.1, pad_id: int = PAD) -> Tensor:
    """Mean cross entropy against labels that leave a little probability to every word of the vocabulary.

    Source: Szegedy et al. (2016), "Rethinking the Inception Architecture for Computer Vision", section 7; used in
    Vaswani et al. (2017), section 5.4.

    Args:
        logits: ``(..., vocab_size)``, floating; in float16 the sum over thousands of labels may overflow.
        labels: int64 ``(...)``.
        smoothing: the share of probability that is spread evenly over all words, the right one included; from 0 to 1.
        pad_id: the label that marks padding, which counts neither in the sum nor in the number of labels.

    Returns:
        A single number, in nats for each label that is not padding. Padding alone gives 0, with a gradient of 0. With
        smoothing, a word of the vocabulary that is impossible (logit -inf) makes it infinite.

    Raises:
        ValueError: if (looked at on the CPU only) a label is no word.
    """
    require_labels(logits, labels, pad_id)
    require_share("smoothing", smoothing)
    real = labels != pad_id
    log_probabilities = logits.log_softmax(dim=-1)  # (..., vocab_size)
    loss = torch.zeros_like(log_probabilities[..., 0])  # (...)
    # Each part only if it counts: 0 times the log of an impossible word would be NaN.
    if smoothing < 1:
        loss = loss - (1 - smoothing) * _label_log_probabilities(log_probabilities, labels, pad_id)
    if smoothing > 0:
        loss = loss - smoothing * log_probabilities.mean(dim=-1).masked_fill(~real, 0.0)
    return loss.sum() / real.sum().clamp(min=1)  # a single number


def _label_log_probabilities(log_probabilities: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    """Pick the log probability of each label, 0 at padding: ``(..., vocab_size)`` and ``(...)`` to ``(...)``."""
    padding = labels == pad_id
    word = labels.masked_fill(padding, 0).unsqueeze(-1)  # (..., 1); pad_id need not be in the vocabulary
    return log_probabilities.gather(-1, word).squeeze(-1).masked_fill(padding, 0.0)  # (...)
