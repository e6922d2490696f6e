"""Task `exhaustive_search` of exercise 11, and the predictions that it answers."""

import torch

from course_checks.cases import Case, Draw, select
from course_checks.decoding import models
from course_checks.decoding.shared import UNIT, every_sentence, filled, following, sources
from course_checks.predictions import Predictions, tendency
from course_checks.task import Task
from course_checks.words import Finding, Wrong
from transformer_course.common.tokens import BOS, EOS, PAD

task = Task("exhaustive_search", UNIT)
_ALL = "print your list of all sentences for 2 words and max_length 2: there are 7"
_ONE = "score one short sentence by hand: one `decode` for [BOS, word], and log_softmax"


@task.oracle
def right(model, source, words, max_length):
    """Go through the tree of words, one beginning at a time."""

    def best(beginning, total):
        row = following(model, source, beginning)[-1]
        found = [([*beginning, EOS], total + row[EOS].item())]
        for word in words:
            longer, sum_so_far = [*beginning, word], total + row[word].item()
            found.append((longer, sum_so_far) if len(longer) == max_length else best(longer, sum_so_far))
        return max(found, key=lambda pair: pair[1])

    return best([], 0.0)


@task.pipeline(
    tried={
        "no cut ones": Wrong("sentences that were cut at max_length, without EOS, are left out", "", _ALL),
        "only cut ones": Wrong("sentences that end early with EOS are left out", "", _ALL),
        "too long": Wrong("max_length words are followed by EOS: that is one token too many", "", _ALL),
        "not the empty one": Wrong("the sentence that is only EOS is left out", "", _ALL),
        "no EOS": Wrong("shorter sentences are tried without EOS behind them", "", _ALL),
        "one shorter": Wrong("sentences of max_length tokens are left out: `range` leaves its end out", "", _ALL),
        "no repetition": Wrong("no word comes twice: `permutations` or `combinations` in the place of `product`", "",
                               _ALL),
        "sorted": Wrong("each choice of words is tried in one order only: `combinations_with_replacement`", "", _ALL),
    },
    scored={
        "logits": Wrong("logits are added up, in the place of log probabilities", "", _ONE),
        "not the first": Wrong("EOS, or the first word, is no part of the score, so the sentence that is only EOS "
                               "costs nothing", "", _ONE),
        "mean": Wrong("the sum is divided by the number of words", "", "no length penalty"),
        "penalty": Wrong("the sum is divided by the length penalty of beam search", "", "no length penalty"),
        "probabilities": Wrong("probabilities are added up, not their logarithms", "", _ONE),
        "padding": Wrong("the padding of shorter sentences is scored too, or only sentences of max_length tokens are "
                         "tried", "", "which positions belong to a sentence?"),
        "shifted": Wrong("the words are shifted against the positions that predict them: the decoder gets the sentence "
                         "without BOS in front", "", "a position says what comes next"),
        "last": Wrong("only the last word is scored", "", _ONE),
        "positions": Wrong("softmax runs over the positions, not over the words", "", _ONE),
        "sentences": Wrong("softmax runs over the sentences, not over the words", "", _ONE),
    },
    taken={
        "worst": Wrong("the least probable sentence is taken: `min` or `argmin`", "", "which score is better?"),
        "greedy": Wrong("the most probable next word is followed, which is greedy decoding", "", _ALL),
        "last": Wrong("the last sentence is taken", "", "how is a better sentence told from the best so far?"),
    },
    returned={
        "probability": Wrong("the probability is returned, not its logarithm", "", "the sum of the log probabilities"),
        "loss": Wrong("the sign is the wrong way round: a loss is returned", "", "is a log probability below 0?"),
        "BOS": Wrong("BOS is part of the sentence that is returned", "", _ALL),
        "padding": Wrong("padding is part of the sentence that is returned", "", _ALL),
        "without EOS": Wrong("EOS is cut off the sentence that is returned", "", _ALL),
        "exchanged": Wrong("score and sentence change places", "", "the sentence comes first"),
        "tensors": Wrong("tensors are returned, not a list and a number", "", "use `.tolist()` and `.item()`"),
    },
)  # fmt: skip
def exhaustive_search(model, source, words, max_length, *, tried="all", scored="sum", taken="best", returned="pair"):
    """Try sentences with one choice for each step."""
    sentences = every_sentence(words, max_length)
    ends = {
        "no cut ones": lambda s: s[-1] == EOS,
        "only cut ones": lambda s: s[-1] != EOS,
        "not the empty one": lambda s: s != [EOS],
        "one shorter": lambda s: len(s) < max_length or s[-1] == EOS and max_length == 1,
        "no repetition": lambda s: len(set(s)) == len(s),
        "sorted": lambda s: (
            sorted(set(s) - {EOS}, key=words.index) == list(dict.fromkeys(w for w in s if w != EOS))
            and [words.index(w) for w in s if w != EOS] == sorted(words.index(w) for w in s if w != EOS)
        ),
    }
    sentences = [s for s in sentences if ends.get(tried, lambda s: True)(s)]
    if tried == "too long":
        sentences = [s if s[-1] == EOS else [*s, EOS] for s in sentences]
    elif tried == "no EOS":
        sentences = [[w for w in s if w != EOS] for s in sentences if s != [EOS]]
    scores = scored_together(model, source, sentences, scored)
    best = scores.index(min(scores) if taken == "worst" else max(scores))
    if taken == "last":
        best = len(scores) - 1
    elif taken == "greedy":
        beginning = []
        while beginning not in sentences and len(beginning) < max_length:
            row = following(model, source, beginning)[-1]
            beginning = [*beginning, max([*words, EOS], key=lambda word: float(row[word]))]
        best = sentences.index(beginning) if beginning in sentences else best
    sentence, number = sentences[best], scores[best]
    if returned in ("probability", "loss"):
        return sentence, torch.tensor(number).double().exp().item() if returned == "probability" else -number
    cut = [word for word in sentence if word != EOS]
    padded = sentence + [PAD] * (max_length - len(sentence))
    sentence = {"BOS": [BOS, *sentence], "without EOS": cut, "padding": padded}.get(returned, sentence)
    if returned == "tensors":
        return torch.tensor(sentence), torch.tensor(number)
    return (number, sentence) if returned == "exchanged" else (sentence, number)


def scored_together(model, source, sentences, how):
    """Score all sentences in one call of the decoder, with one choice."""
    labels = filled(sentences)  # (sentences, longest)
    begin = labels if how == "shifted" else torch.cat([torch.full_like(labels[:, :1], BOS), labels[:, :-1]], 1)
    with torch.no_grad():
        memory = model.encode(source).expand(len(labels), -1, -1)
        logits = model.decode(begin, memory, source.expand(len(labels), -1))
    dim = {"positions": 1, "sentences": 0}.get(how, -1)
    table = logits.softmax(-1) if how == "probabilities" else logits if how == "logits" else logits.log_softmax(dim)
    place, lengths = torch.arange(labels.shape[1]), torch.tensor([[len(each)] for each in sentences])
    counts = place < lengths
    if how in ("last", "not the first"):
        counts = counts & (place > 0 if how == "not the first" else place == lengths - 1)
    counts = torch.ones_like(counts) if how == "padding" else counts
    chosen = table.gather(2, labels[..., None])[..., 0]
    divisor = {"mean": lengths[:, 0], "penalty": ((5 + lengths[:, 0]) / 6) ** 0.6}.get(how, 1)
    return (chosen.where(counts, 0.0).sum(1) / divisor).tolist()


def pair(answer, *inputs):
    """Observe the sentence and its score, if they are a list and a number."""
    result = answer(*inputs)
    if result is None:
        return None
    sentence, number = select(result, 0), select(result, 1)
    kinds = type(sentence).__name__, type(number).__name__
    if kinds != ("list", "float") or any(type(word) is not int for word in sentence):
        raise Finding(f"it returned a pair of a {kinds[0]} and a {kinds[1]}", "a pair: the sentence as a list of int, "
                      "and its log probability, a Python number (float)", "the return statement",
                      "use `.tolist()` and `.item()`")  # fmt: skip
    return sentence, number


def searched(situation, words, max_length, end=0.0, row=0):
    """Make the case of one sentence and one model, which ends early (end > 0) or late."""
    vocab_size = max(words) + 1

    def inputs(draw):
        return models.translator(draw, vocab_size, end), sources()[row : row + 1], list(words), max_length

    return Case(situation, inputs, pair, within=1e-5)


EXPECTED = "the sentence with the highest sum of log probabilities, EOS counted, and that sum"
task.require(
    "the most probable of all sentences, and its log probability",
    EXPECTED,
    [searched("3 words, max_length 4", (3, 4, 5), 4, 0.5),
     searched("3 words, max_length 4, a model that rarely ends", (3, 4, 5), 4, -4.0, 1),
     searched("3 words, max_length 4, a model that ends soon", (3, 4, 5), 4, 2.5),
     searched("3 words, max_length 3", (3, 4, 5), 3, -3.0, 2), searched("3 words, max_length 3", (3, 4, 5), 3, -3.0),
     searched("2 words in another order, max_length 4", (5, 3), 4, -1.0, 1)],
    [searched(f"4 words, max_length 3, model {number}", (3, 4, 5, 6), 3, end, number % 3)
     for number, end in enumerate((-3.0, -1.0, 0.0, 1.0, -1.5))]
    + [searched("2 of 4 words, in another order", (6, 4), 5, -1.0)],
)  # fmt: skip
task.limits("max_length 1, and a single word", [searched("max_length 1", (3, 4, 5), 1, -0.5, 2),
            searched("one word", (4,), 5, -2.0)])  # fmt: skip


def _measure() -> list[str]:
    def best(number, max_length, size=1.0, alpha=0.0):
        """Find out whether greedy decoding finds the best sentence of a language, and how probable that is."""
        model = models.translator(Draw(f"language {number}"), 7, -1.0)
        model.table.data *= size
        every, greedy = every_sentence((3, 4, 5, 6), max_length), []
        scores = scored_together(model, sources()[:1], every, "sum")
        while greedy not in every:
            greedy.append(int(following(model, sources()[:1], greedy)[-1].argmax()))
        divided = [one / ((5 + len(each)) / 6) ** alpha for one, each in zip(scores, every, strict=True)]
        place = divided.index(max(divided))
        return every[place] == greedy, scores[place]

    def mean(part, *how):
        return sum(best(number, *how)[part] for number in range(40))

    loss = tendency(-mean(1, 3), -mean(1, 3, 1.0, 2.0), tolerance=0.01)  # what is negative falls as its size rises
    return [
        tendency(mean(0, 3), mean(0, 3, 3.0)),
        tendency(mean(0, 2), mean(0, 4)),
        {"rises": "falls", "falls": "rises"}.get(loss, loss),
    ]


predictions = Predictions(
    ("best found, surer model", "best found, longer sentences", "log probability, larger alpha"), _measure, "task 5"
)
