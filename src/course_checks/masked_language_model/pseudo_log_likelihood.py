"""Task `pseudo_log_likelihood` of exercise 14."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, refusal
from course_checks.masked_language_model.models import SmallReader
from course_checks.masked_language_model.shared import MASK, UNIT
from course_checks.task import Task
from course_checks.words import Finding, Wrong
from transformer_course.common.tokens import PAD

task = Task("pseudo_log_likelihood", UNIT)

_ONE = "print what goes into the model for a sentence of three words: three calls or rows, with one mask_id in each"
_PADS = "score a sentence alone, and again with PAD behind it"
_MODE = "which mode has the model when it comes, and when it goes?"
_WORD = "for each place: what does the model see there, and of which token do you read the probability?"


@task.oracle
def right(model, tokens, mask_id):
    """Take cross entropy, one sentence and one place at a time, with the sentence alone."""
    mode, pad_id, scores = model.training, getattr(model, "pad_id", PAD), []
    model.eval()
    with torch.no_grad():
        for row in tokens:
            total = torch.zeros((), dtype=torch.float64)
            for place in (row != pad_id).nonzero()[:, 0].tolist():
                hidden = row.index_fill(0, torch.tensor([place]), mask_id)
                total = total - F.cross_entropy(model(hidden[None])[0, place], row[place])
            scores.append(total)
    model.train(mode)
    return torch.stack(scores) if scores else torch.zeros(0, dtype=torch.float64)


@task.pipeline(
    hidden={
        "nothing": Wrong("no word is hidden: the model sees the word that it should guess", "", _ONE),
        "all": Wrong("all words are hidden at once", "", _ONE),
        "same word": Wrong("every place where this word stands is hidden; it alone should be", "",
                           "print what goes into the model for the words 5 8 5"),
        "more and more": Wrong("a hidden word is not put back before the next one is hidden", "", _ONE),
        "later too": Wrong("the words after the hidden one are hidden, too: that is a model that writes from left to "
                           "right", "", _ONE),
        "4": Wrong("the argument `mask_id` is not used", "", "which line uses `mask_id`?"),
        "random": Wrong("words are hidden at random, as in training", "", _ONE),
        "removed": Wrong("the word is replaced by PAD, not by mask_id", "", _ONE),
    },
    read={
        "mask": Wrong("the probability of mask_id is read, not that of the word that stood there", "", _WORD),
        "next": Wrong("the logits of the position before are read, as in a model that predicts the next word", "",
                      _WORD),
        "best": Wrong("the probability of the most probable word is read, not that of the word that stood there", "",
                      _WORD),
    },
    number={
        "logits": Wrong("logits are added up, without log_softmax", "", "probabilities of a place sum to 1"),
        "product": Wrong("probabilities are multiplied, and the logarithm comes at the end: the product of many is too "
                         "small for a float, and becomes 0", "a long sentence has the score -inf",
                         "the logarithm of a product is a sum of logarithms"),
        "probability": Wrong("probabilities are added up, not their logarithms", "all scores are positive",
                             "the logarithm of a product is a sum of logarithms"),
        "over words": Wrong("softmax runs over the positions, not over the vocabulary", "", "which dimension?"),
        "base 2": Wrong("logarithms to base 2 (bits); nats are wanted", "", "torch.log is natural"),
        "negative": Wrong("the sign is turned round: a loss, not a log likelihood", "all scores are positive",
                          "a log probability is never above 0"),
    },
    total={
        "mean": Wrong("the mean over the words is taken, not the sum", "", "the task adds up"),
        "padding": Wrong("places of padding are counted, too", "", _PADS),
        "no default": Wrong("the model is asked for `pad_id`, but it may have none", "",
                            "`getattr` has a third argument"),
        "mask": Wrong("a token that is mask_id already is left out: only padding is no real token", "",
                      "which tokens does the task leave out?"),
        "special": Wrong("BOS, EOS and UNK are left out: only padding is no real token", "",
                         "which tokens does the task leave out?"),
        "pad 0": Wrong("padding is always 0 here, whatever the model's `pad_id` is", "", _PADS),
        "batch": Wrong("one number for the whole batch, not one for each sentence", "",
                       "print the shape: (batch,)"),
        "each": Wrong("one number for each token: the sum over the words is missing", "", "print the shape: (batch,)"),
    },
    mode={
        "training": Wrong("the model runs in the mode in which it comes, with dropout if that is training", "", _MODE),
        "left": Wrong("the model is left in evaluation mode, although it came in training mode", "", _MODE),
        "train": Wrong("the model is always left in training mode", "", _MODE),
        "graph": Wrong("the scores are attached to the graph: every pass stays in memory", "", "torch.no_grad()"),
    },
)  # fmt: skip
def pseudo_log_likelihood(
    model, tokens, mask_id, *, hidden="one", read="word", number="log", total="sum", mode="evaluation"
):
    """Score with one choice for each step."""
    came, pad_id = model.training, model.pad_id if total == "no default" else getattr(model, "pad_id", PAD)
    pad_id = PAD if total == "pad 0" else pad_id
    if mode != "training":
        model.eval()
    mask_id = 4 if hidden == "4" else mask_id
    real = tokens != pad_id
    real = real & (tokens > 3) if total == "special" else real | True if total == "padding" else real
    real = real & (tokens != mask_id) if total == "mask" else real
    scores, before = [], tokens
    with torch.set_grad_enabled(mode == "graph"):
        for place in range(tokens.shape[1]):
            places = torch.zeros_like(real)
            places[:, place] = True
            if hidden == "later too":
                places[:, place:] = True
            equal = tokens == tokens[:, place : place + 1]
            places = {"nothing": places & False, "all": places | True, "same word": equal}.get(hidden, places) & real
            if hidden == "random":
                places = (torch.rand(tokens.shape) < 0.15) & real
            before = torch.where(places, PAD if hidden == "removed" else mask_id,
                                 before if hidden == "more and more" else tokens)  # fmt: skip
            logits = model(before)
            said = logits if number == "logits" else logits.log_softmax(1 if number == "over words" else -1)
            said = said.exp() if number == "probability" else said / 0.6931471805599453 if number == "base 2" else said
            said = said[:, place - 1 if read == "next" else place]
            word = torch.full_like(tokens[:, place], mask_id) if read == "mask" else tokens[:, place]
            word = said.argmax(-1) if read == "best" else word.clamp(min=0)
            scores.append(torch.where(real[:, place], said.gather(1, word[:, None])[:, 0], 0.0))
    model.train({"left": False, "train": True}.get(mode, came))
    if not scores:
        return torch.zeros(len(tokens), dtype=torch.float64)
    each = torch.stack(scores, 1)
    if number == "product":
        return each.exp().prod(1).log()
    each = -each if number == "negative" else each
    if total == "mean":
        return each.sum(1) / real.sum(1).clamp(min=1)
    return each if total == "each" else each.sum() if total == "batch" else each.sum(1)


def score(answer, tokens, mask_id, vocab_size, pad_id=None, training=True):
    """Observe the scores, and that the model comes out as it went in."""
    model = SmallReader(vocab_size, pad_id).train(training)
    result = answer(model, tokens, mask_id)
    if isinstance(result, torch.Tensor) and result.requires_grad:
        raise Finding("the scores are attached to the graph", "numbers that nothing is learned from",
                      "the model runs with gradients", "torch.no_grad()")  # fmt: skip
    if model.training != training:
        modes = {True: "training", False: "evaluation"}
        raise Finding(f"the model came in {modes[training]} mode and is left in {modes[model.training]} mode",
                      "the mode that it had", "`model.eval()` without a way back", _MODE)  # fmt: skip
    return result


def sentences(*rows):
    """Take these sentences."""
    return torch.tensor(rows)


EXPECTED = "for each sentence the sum over its real tokens of the log probability of the token, with it alone hidden"
PADDED = sentences([1, 5, 6, 7, 2], [1, 8, 2, 0, 0], [6, 3, 9, 5, 0])
task.require(
    "each word hidden in turn, and its log probability",
    EXPECTED,
    [Case("2 sentences of 4 words", (sentences([5, 6, 7, 8], [9, 5, 8, 6]), MASK, 10), score),
     Case("a word that stands twice", (sentences([5, 8, 5, 6], [9, 6, 7, 9]), MASK, 10), score)],
    [Case("one sentence of 6 words", (sentences([5, 8, 6, 7, 9, 5]), MASK, 11), score),
     Case("mask_id = 9", (sentences([5, 6, 7], [8, 4, 5]), 9, 10), score)],
    _ONE,
)  # fmt: skip
task.require(
    "padding counts nothing, every other token counts, whatever `mask_id` and `pad_id` are",
    EXPECTED,
    [Case("3 sentences with BOS, EOS, UNK and padding", (PADDED, MASK, 10), score),
     Case("mask_id = 7, pad_id = 5", (sentences([3, 6, 8, 5, 5], [9, 0, 4, 6, 8]), 7, 10, 5), score)],
    [Case("padding in all places", (sentences([0, 5, 6, 0, 7], [8, 0, 0, 9, 5]), MASK, 10), score),
     Case("pad_id = 2", (sentences([3, 6, 0, 2], [9, 0, 1, 6]), 8, 10, 2), score)],
    _PADS,
)  # fmt: skip
task.require(
    "in evaluation mode, without a gradient, and the mode stays",
    "the scores of the model in evaluation mode, detached; the model is left in the mode that it had",
    [Case("a model in training mode", (PADDED, MASK, 10), score),
     Case("a model in evaluation mode", (PADDED, MASK, 10, None, False), score)],
    [Case("a model in evaluation mode, other sentences", (sentences([5, 9], [7, 6]), MASK, 10, None, False), score)],
    _MODE,
)  # fmt: skip
task.limits(
    "one word, no word, 400 words, a gap that was there already, and wrong input",
    [
        Case("sentences of one word", (sentences([5], [7]), MASK, 9), score),
        Case("a word that is mask_id already", (sentences([9, 4, 7, 9]), MASK, 10), score),
        Case("a sentence of 400 words", (torch.arange(400)[None] % 5 + 5, MASK, 10), score),
        Case("a sentence of nothing but padding", (sentences([0, 0], [5, 6]), MASK, 9), score),
        refusal("a sentence without a batch", lambda draw: (SmallReader(9), torch.tensor([5, 6]), 4), "tokens"),
        refusal("tokens that are floats", lambda draw: (SmallReader(9), torch.tensor([[5.0, 6.0]]), 4), "tokens"),
    ],
)
