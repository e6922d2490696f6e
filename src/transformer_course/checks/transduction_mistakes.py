"""The known mistakes of exercise 01, each as code with the mistake would compute it."""

import math

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.checks.reporting import Mistake
from transformer_course.common.tokens import BOS, EOS

BY_HAND = "take two sentences of one and three words, and work the result out by hand"


def padding_mistakes(sequences: list[list[int]], pad_id: int) -> list[Mistake]:
    """Wrong rectangles of the right size."""
    longest = max(map(len, sequences))
    filled = [[pad_id] * (longest - len(each)) + each for each in sequences]
    zeros = [each + [0] * (longest - len(each)) for each in sequences]
    last = [each + (each[-1:] or [pad_id]) * (longest - len(each)) for each in sequences]
    order = sorted(sequences, key=len, reverse=True)
    ordered = [each + [pad_id] * (longest - len(each)) for each in order]
    return [
        Mistake(
            torch.tensor(filled),
            "the padding stands in front of the words",
            "the words are written to the end of the row",
            "word i of a sequence belongs to column i",
        ),
        Mistake(
            torch.tensor(zeros),
            "the rest of the rows holds 0",
            "`pad_id` is not used",
            "fill the rectangle with `pad_id` before the words go in",
        ),
        Mistake(
            torch.tensor(last),
            "the last word of a sequence is repeated to the end of its row",
            "the rest of the row is filled with a word, not with padding",
            "fill the rectangle with `pad_id` before the words go in",
        ),
        Mistake(
            torch.tensor(ordered),
            "the rows are sorted by length",
            "the sequences were put into another order",
            "row i belongs to sequence i",
        ),
    ]


def pair_mistakes(target: Tensor) -> tuple[list[Mistake], list[Mistake]]:
    """Wrong decoder inputs, and wrong labels, of the right shape."""
    early, late = target[:, :-1], target[:, 1:]
    cut = early.masked_fill(early == EOS, 0)
    rolled = target.roll(1, dims=1)[:, 1:]
    inputs = [
        Mistake(
            late,
            "the decoder reads the very words that it shall say",
            "the decoder's input is shifted too. Or (it shows in the same way): the two results are exchanged",
            "the first word that the decoder reads is BOS; return the input first, then the labels",
        ),
        Mistake(
            cut,
            "EOS is missing from the decoder's input",
            "EOS was taken out of each row. It may stay: what the decoder says after it is padding in the labels, "
            "and counts nowhere",
            "take away a column, the same for all rows, and look at no value",
        ),
        Mistake(
            target.clone()[:, -early.shape[1] :].index_fill(1, torch.tensor([0]), BOS),
            "after BOS, the input goes on with the third word",
            "BOS was put in front of a target that was shifted twice",
            "the target begins with BOS already",
        ),
    ]
    labels = [
        Mistake(
            early,
            "the labels are the decoder's input itself",
            "the labels are not shifted: a model that copies its input would be perfect",
            "at each position the label is the word after the one that the decoder reads there",
        ),
        Mistake(
            rolled,
            "each label is the word before",
            "the shift goes in the wrong direction",
            "write down input and labels of a sentence of two words, one below the other",
        ),
        Mistake(
            late.masked_fill(late == EOS, 0),
            "EOS is missing from the labels",
            "EOS was taken out, so that the model never learns to stop",
            "the model has to say EOS too",
        ),
    ]
    return inputs, labels


def log_probability_mistakes(logits: Tensor, labels: Tensor, right: Tensor) -> list[Mistake]:
    """Wrong log probabilities of sentences, for a pad_id of 0."""
    real = labels != 0

    def picked(numbers: Tensor, keep: Tensor = real) -> Tensor:
        return numbers.gather(-1, labels.unsqueeze(-1)).squeeze(-1) * keep

    logs = logits.log_softmax(-1)
    after_eos = real & (labels != EOS)
    return [
        Mistake(
            picked(logs, torch.ones_like(real)).sum(1),
            "padding adds to the sum",
            "the labels that are padding are not left out",
            "the same sentence with more padding has the same probability: set what padding adds to 0",
        ),
        Mistake(
            right / real.sum(1).clamp(min=1),
            "the mean over the words of a sentence",
            "`mean` in the place of `sum`",
            "by the chain rule the log probability of the sentence is the sum of those of its words",
        ),
        Mistake(
            right / labels.shape[1],
            "the sum over the words, divided by the padded length",
            "`mean` in the place of `sum`, over padding too",
            "by the chain rule the log probability of the sentence is the sum of those of its words",
        ),
        Mistake(
            right.exp(), "a probability, between 0 and 1", "the logarithm is missing", "the task asks for log P(E|F)"
        ),
        Mistake(
            picked(logits.softmax(-1)).sum(1),
            "a sum of probabilities",
            "the logarithm is missing",
            "probabilities of words are multiplied; which function turns a product into a sum?",
        ),
        Mistake(
            picked(logits).sum(1),
            "a sum of logits",
            "softmax is missing: logits are not normalised",
            "the probabilities of all words at one position sum to 1; do yours?",
        ),
        Mistake(
            -right,
            "all signs are turned",
            "this is the loss, not the log probability",
            "the logarithm of a probability is 0 at most",
        ),
        Mistake(
            picked(logits.softmax(-1).log_softmax(-1)).sum(1),
            "softmax is taken twice",
            "log_softmax of what softmax returned",
            "`log_softmax` takes the logits as they are",
        ),
        Mistake(
            picked(logits.log_softmax(1)).sum(1),
            "softmax runs over the positions of the sentence",
            "another dimension than the last one",
            "which numbers compete: the words of the vocabulary at one position",
        ),
        Mistake(
            (logs.amax(-1) * real).sum(1),
            "the log probability of the most probable words, whatever the labels are",
            "the maximum in the place of the label's entry",
            "pick the entry of the label: `gather`",
        ),
        Mistake(
            picked(logs, after_eos).sum(1),
            "EOS is left out",
            "EOS is treated as padding",
            "a sentence ends because the model says so: the probability of EOS is a factor too",
        ),
        Mistake(
            right / math.log(2),
            "the logarithm has base 2",
            "`log2`: these are bits",
            "the task asks for nats: the natural logarithm",
        ),
    ]


def loss_mistakes(logits: Tensor, labels: Tensor, smoothing: float, right: Tensor) -> list[Mistake]:
    """Wrong smoothed losses, for a pad_id of 0 and logits (batch, length, vocab_size)."""
    real, vocab_size = labels != 0, logits.shape[-1]
    logs = logits.log_softmax(-1)
    hot = F.one_hot(labels, vocab_size).to(logits.dtype)

    def mean(shares: Tensor, keep: Tensor = real, numbers: Tensor = logs) -> Tensor:
        return -((shares * numbers).sum(-1) * keep).sum() / keep.sum()

    smooth = (1 - smoothing) * hot + smoothing / vocab_size
    others = (1 - smoothing) * hot + smoothing / (vocab_size - 1) * (1 - hot)
    mixed = (1 - smoothing) * hot + smoothing / vocab_size * (1 - hot)
    without_pad = (1 - smoothing) * hot + smoothing / (vocab_size - 2) * (1 - hot)
    without_pad[..., 0] = 0
    entropy = -(smooth * smooth.log()).sum(-1)[real].mean()
    sentences = -(((smooth * logs).sum(-1) * real).sum(1) / real.sum(1).clamp(min=1))
    denominator = "padding counts in the number of labels"
    return [
        Mistake(
            right * real.sum() / labels.numel(),
            "a loss that is too small; it falls when padding is added",
            f"{denominator}: `mean` divides by all positions",
            "divide by the number of labels that are not padding",
        ),
        Mistake(
            mean(smooth, torch.ones_like(real)),
            "padding is learned like a word",
            "the labels that are padding are not left out",
            "add padding to your batch: nothing may change",
        ),
        Mistake(
            right * real.sum(),
            "the sum over all labels",
            "the division by the number of labels is missing",
            "a mean does not grow when a batch is doubled",
        ),
        Mistake(
            mean(others),
            "only the wrong words share the smoothing: `smoothing / (vocab_size - 1)` each",
            "the smoothing is not spread over the right word too. This is another, usual definition",
            "the task spreads it over the whole vocabulary: the right word gets its share as well",
        ),
        Mistake(
            mean(mixed),
            "the shares of the words do not sum to 1",
            "two definitions are mixed: `smoothing / vocab_size` for the wrong words, and none of it for the right one",
            "print the sum of the shares for one position",
        ),
        Mistake(
            mean(without_pad),
            "padding and the right word get no share of the smoothing",
            "`smoothing / (vocab_size - 2)`, a usual definition that is not the one of the task",
            "the task spreads it over all words of the vocabulary, number 0 included",
        ),
        Mistake(
            mean(hot),
            "the cross entropy without smoothing",
            "`smoothing` is not used",
            "follow the formula of the task",
        ),
        Mistake(
            mean(smoothing * hot + (1 - smoothing) / vocab_size),
            "the right word gets the small share, and all words the large one",
            "`smoothing` and `1 - smoothing` change places",
            "with smoothing 0 the right word gets everything",
        ),
        Mistake(
            mean(smooth, numbers=logits.softmax(-1).log_softmax(-1)),
            "softmax is taken twice",
            "log_softmax of what softmax returned",
            "`log_softmax` takes the logits as they are",
        ),
        Mistake(
            sentences.mean(),
            "the mean of the means of the sentences",
            "each sentence is averaged on its own, so a word of a short sentence counts more",
            "one sum over everything, one division at the end",
        ),
        Mistake(
            right - entropy,
            "the loss is smaller by a constant, the entropy of the smoothed labels",
            "a Kullback-Leibler divergence (`KLDivLoss`) in the place of a cross entropy",
            "the task asks for the cross entropy; the two differ by a constant",
        ),
        Mistake(-right, "the sign is turned", "the minus in front of the logarithm is missing", "a loss is positive"),
        Mistake(
            mean(smooth, numbers=logits),
            "softmax is missing",
            "logits are used as if they were log probabilities",
            "`log_softmax` over the last dimension comes first",
        ),
    ]


def batch_loss_mistakes(logits: Tensor, target: Tensor) -> list[Mistake]:
    """The broken loss of the task with one, two or all of its three bugs left in it."""
    words = {
        "shift": ("the labels are the words that the decoder has just read", "compare position 0 of both"),
        "softmax": ("softmax is applied before cross_entropy, which applies it itself", "what should the loss be "
                    "when one logit is far above the others?"),
        "padding": ("the mean is taken over padding too", "does the loss change when a column of padding is added?"),
    }  # fmt: skip
    found = []
    for number in range(1, 8):
        bugs = [name for position, name in enumerate(words) if number >> position & 1]
        labels = target[:, :-1] if "shift" in bugs else target[:, 1:]
        numbers = logits.softmax(-1) if "softmax" in bugs else logits
        losses = F.cross_entropy(numbers.transpose(1, 2), labels, reduction="none") * (labels != 0)
        count = labels.numel() if "padding" in bugs else (labels != 0).sum()
        found.append(
            Mistake(
                losses.sum() / count,
                f"{len(bugs)} of the three bugs {'is' if len(bugs) == 1 else 'are'} still there",
                "; and ".join(words[bug][0] for bug in bugs) if len(bugs) == 1 else "not all bugs are mended",
                "; ".join(words[bug][1] for bug in bugs),
            )
        )
    return found
