"""Task `pseudo_log_likelihood` of exercise 14."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, refusal
from course_checks.masked_language_model.models import MODE, SmallReader, same_mode
from course_checks.masked_language_model.shared import MASK, UNIT, sentences
from course_checks.task import Task
from course_checks.words import Finding
from transformer_course.common.tokens import PAD

task = Task("pseudo_log_likelihood", UNIT)

_ONE = "print what goes into the model for a sentence of three words: three calls or rows, with one mask_id in each"
_PADS = "score a sentence alone, and again with PAD behind it"
_PLACES = "print the places that are hidden, for a sentence with padding in front"
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


# fmt: off
_HIDE = "hidden[:, place] = torch.where(real[:, place], mask_id, tokens[:, place])"
task.edit(_HIDE, {
    "": ("no word is hidden: the model sees the word that it should guess", _ONE),
    "hidden = torch.where(real, mask_id, tokens)": ("all words are hidden at once", _ONE),
    "hidden = torch.where(real & (tokens == tokens[:, place, None]), mask_id, tokens)": (
        "every place where this word stands is hidden; it alone should be",
        "print what goes into the model for the words 5 8 5"),
    "hidden[:, place:] = torch.where(real[:, place:], mask_id, tokens[:, place:])": (
        "the words after the hidden one are hidden, too: that is a model that writes from left to right", _ONE),
    _HIDE.replace("mask_id", "4"): ("the argument `mask_id` is not used", "which line uses `mask_id`?"),
    "hidden = torch.where(real & (torch.rand(tokens.shape) < 0.15), mask_id, tokens)": (
        "words are hidden at random, as in training", _ONE),
    _HIDE.replace("mask_id", "PAD"): ("the word is replaced by PAD, not by mask_id", _ONE)})
task.edit("hidden = tokens.clone()", {"hidden = hidden if place else tokens.clone()": (
    "a hidden word is not put back before the next one is hidden", _ONE)})
_WORD_IN = "said.gather(1, tokens[:, place].unsqueeze(1))[:, 0]"
task.edit(_WORD_IN, {
    "said[tokens[:, place]]": (
        "the words are looked up among the sentences (dimension 0), not in the vocabulary",
        "print the shape of what the model says of one place: which dimension is the vocabulary?"),
    "said[:, mask_id]": ("the probability of mask_id is read, not that of the word that stood there", _WORD),
    "said.amax(1)": (
        "the probability of the most probable word is read, not that of the word that stood there", _WORD)})
task.edit("model(hidden)[:, place].log_softmax(dim=-1)", {
    "model(hidden)[:, place - 1].log_softmax(dim=-1)": (
        "the logits of the position before are read, as in a model that predicts the next word", _WORD),
    "model(hidden)[:, place]": ("logits are added up, without log_softmax", "probabilities of a place sum to 1"),
    "model(hidden)[:, place].softmax(dim=-1)": (
        "probabilities are added up, not their logarithms", "the logarithm of a product is a sum of logarithms",
        "all scores are positive"),
    "model(hidden).log_softmax(dim=1)[:, place]": (
        "softmax runs over the positions, not over the vocabulary", "which dimension?"),
    "F.logsigmoid(model(hidden)[:, place])": (
        "each word is a yes-or-no question of its own (sigmoid)", "probabilities of a place sum to 1"),
    "model(hidden)[:, place].softmax(dim=-1).log2()": (
        "logarithms to base 2 (bits); nats are wanted", "torch.log is natural")})
task.edit("range(tokens.shape[1])", {
    "range(1, tokens.shape[1])": ("the first place is left out", _PLACES),
    "range(tokens.shape[1] - 1)": ("the last place is left out", _PLACES),
    "range(int(real.sum(dim=1).max()))": (
        "as many places as there are real tokens are hidden, from the front, wherever the real ones stand", _PLACES)})
_REAL, _ADD = 'tokens != getattr(model, "pad_id", PAD)', "total = total + torch.where(real[:, place], found, 0.0)"
task.edit_places({"total = 0.0": "total = 1.0", _ADD: "total = total * torch.where(real[:, place], found.exp(), 1.0)",
                  "return total": "return total.log()"},
                 "probabilities are multiplied, and the logarithm comes at the end: the product of many is too small "
                 "for a float, and becomes 0", "the logarithm of a product is a sum of logarithms",
                 "a long sentence has the score -inf")
_LEFT_OUT = "which tokens does the task leave out?"
_COUNTED = "places of padding are counted, too", _PADS
_MEAN = "the mean over the words is taken, not the sum", "the task adds up"
task.edit(_REAL, {
    "torch.ones_like(tokens).bool()": _COUNTED,
    "tokens != model.pad_id": (
        "the model is asked for `pad_id`, but it may have none", "`getattr` has a third argument"),
    f"({_REAL}) & (tokens != mask_id)": (
        "a token that is mask_id already is left out: only padding is no real token", _LEFT_OUT),
    f"({_REAL}) & (tokens > 3)": ("BOS, EOS and UNK are left out: only padding is no real token", _LEFT_OUT),
    f"({_REAL}) & (tokens != 1) & (tokens != 2)": (
        "BOS and EOS are left out: only padding is no real token", _LEFT_OUT),
    "tokens != PAD": ("padding is always 0 here, whatever the model's `pad_id` is", _PADS)})
task.edit("torch.where(real[:, place], found, 0.0)", {"found": _COUNTED})
task.edit("return total", {
    "return -total": (
        "the sign is turned round: a loss, not a log likelihood", "a log probability is never above 0",
        "all scores are positive"),
    "return total / real.sum(dim=1).clamp(min=1)": _MEAN,
    "return total / tokens.shape[1]": _MEAN,
    "return total.sum()": (
        "one number for the whole batch, not one for each sentence", "print the shape: (batch,)")})
task.edit_places({"total = 0.0": "total = []", _ADD: "total.append(torch.where(real[:, place], found, 0.0))",
                  "return total": "return torch.stack(total, 1)"},
                 "one number for each token: the sum over the words is missing", "print the shape: (batch,)")
task.edit("model.eval()", {"": (
    "the model runs in the mode in which it comes, with dropout if that is training", MODE)})
task.edit("model.train(came_in_training)", {
    "": ("the model is left in evaluation mode, although it came in training mode", MODE),
    "model.train()": ("the model is always left in training mode", MODE)})
task.edit("torch.no_grad()", {"torch.enable_grad()": (
    "the scores are attached to the graph: every pass stays in memory", "torch.no_grad()")})
# fmt: on


def score(answer, tokens, mask_id, vocab_size, pad_id=None, training=True):
    """Observe the scores, and that the model comes out as it went in."""
    model = SmallReader(vocab_size, pad_id).train(training)
    result = answer(model, tokens, mask_id)
    if isinstance(result, torch.Tensor) and result.requires_grad:
        raise Finding("the scores are attached to the graph", "numbers that nothing is learned from",
                      "the model runs with gradients", "torch.no_grad()")  # fmt: skip
    same_mode(model, training)
    return result


EXPECTED = "for each sentence the sum over its real tokens of the log probability of the token, with it alone hidden"
PADDED = sentences([1, 5, 6, 7, 2], [1, 8, 2, 0, 0], [6, 3, 9, 5, 0])
task.require("each word hidden in turn, and its log probability", EXPECTED,
    [Case("2 sentences of 4 words", (sentences([5, 6, 7, 8], [9, 5, 8, 6]), MASK, 10), score),
     Case("a word that stands twice", (sentences([5, 8, 5, 6], [9, 6, 7, 9]), MASK, 10), score)],
    [Case("one sentence of 6 words", (sentences([5, 8, 6, 7, 9, 5]), MASK, 11), score),
     Case("mask_id = 9", (sentences([5, 6, 7], [8, 4, 5]), 9, 10), score)],
    _ONE)  # fmt: skip
task.require("padding counts nothing, every other token counts, whatever `mask_id` and `pad_id` are", EXPECTED,
    [Case("3 sentences with BOS, EOS, UNK and padding", (PADDED, MASK, 10), score),
     Case("mask_id = 7, pad_id = 5", (sentences([3, 6, 8, 5, 5], [9, 0, 4, 6, 8]), 7, 10, 5), score),
     Case("padding in front", (sentences([0, 0, 5, 6], [0, 8, 9, 5]), MASK, 10), score)],
    [Case("padding in all places", (sentences([0, 5, 6, 0, 7], [8, 0, 0, 9, 5]), MASK, 10), score),
     Case("pad_id = 2", (sentences([3, 6, 0, 2], [9, 0, 1, 6]), 8, 10, 2), score)],
    _PADS)  # fmt: skip
task.require("in evaluation mode, without a gradient, and the mode stays",
    "the scores of the model in evaluation mode, detached; the model is left in the mode that it had",
    [Case("a model in training mode", (PADDED, MASK, 10), score),
     Case("a model in evaluation mode", (PADDED, MASK, 10, None, False), score)],
    [Case("a model in evaluation mode, other sentences", (sentences([5, 9], [7, 6]), MASK, 10, None, False), score)],
    MODE)  # fmt: skip
task.limits("one word, no word, 400 words, a gap that was there already, and wrong input",
    [Case("sentences of one word", (sentences([5], [7]), MASK, 9), score),
     Case("a word that is mask_id already", (sentences([9, 4, 7, 9]), MASK, 10), score),
     Case("a sentence of 400 words", (torch.arange(400)[None] % 5 + 5, MASK, 10), score),
     Case("a sentence of nothing but padding", (sentences([0, 0], [5, 6]), MASK, 9), score),
     refusal("a sentence without a batch", (SmallReader(9), torch.tensor([5, 6]), 4), "tokens"),
     refusal("tokens that are floats", (SmallReader(9), torch.tensor([[5.0, 6.0]]), 4), "tokens")])  # fmt: skip
