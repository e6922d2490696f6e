"""Task `exhaustive_search` of exercise 11, and the predictions that it answers."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, Draw, select
from course_checks.decoding import models
from course_checks.decoding.shared import UNIT, every_sentence, filled, following, score, sources
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


# fmt: off
_CUT, _ENDED = "sentences += [list(each) for each in product(words, repeat=max_length)]", "[*each, EOS] for length"
_NO_PENALTY, _TYPES = "no length penalty", "use `.tolist()` and `.item()`"
_COUNTED, _CHOSEN = "(labels != PAD)", "chosen.masked_fill(labels == PAD, 0.0)"
task.edit(_CUT, {"": ("sentences that were cut at max_length, without EOS, are left out", _ALL)})
task.edit("list(each) for", {
    "[*each, EOS] for": ("max_length words are followed by EOS: that is one token too many", _ALL)})
task.edit("range(max_length)", {
    "range(0)": ("sentences that end early with EOS are left out", _ALL),
    "range(1, max_length)": ("the sentence that is only EOS is left out", _ALL)})
task.edit_places({"range(max_length)": "range(1, max_length)",
                  _CHOSEN: "chosen.masked_fill((labels == PAD) | (labels == EOS), 0.0)"},
                 "the sentence that is only EOS is left out, and EOS is no part of the score", _ONE)
task.edit_places({_ENDED: "list(each) for length", "range(max_length)": "range(1, max_length)"},
                 "shorter sentences are tried without EOS behind them", _ALL)
task.edit_places({"range(max_length)": "range(max(max_length - 1, 1))", _CUT: ""},
                 "sentences of max_length tokens are left out: `range` leaves its end out", _ALL)
for _rule, *_words in (
    ("len({*each}) == len(each)", "no word comes twice: `permutations` or `combinations` in the place of `product`"),
    ("sorted(each, key=words.index) == [*each]",
     "each choice of words is tried in one order only: `combinations_with_replacement`"),
):
    task.edit_places({"repeat=length)": f"repeat=length) if {_rule}",
                      "repeat=max_length)": f"repeat=max_length) if {_rule}"}, *_words, _ALL)
task.edit("labels = ", {"sentences = [each for each in sentences if {*each} <= {words[-1], EOS}]\nlabels = ": (
    "only the last sentence of each length is compared with the best so far: the comparison stands outside the inner "
    "loop", "print each sentence that is compared, for 2 words and max_length 2")})
task.edit("logits.log_softmax(dim=-1)", {
    "logits": ("logits are added up, in the place of log probabilities", _ONE),
    "logits.softmax(dim=-1)": ("probabilities are added up, not their logarithms", _ONE),
    "logits.log_softmax(dim=1)": ("softmax runs over the positions, not over the words", _ONE),
    "logits.masked_fill((labels == PAD).unsqueeze(2), -math.inf).log_softmax(dim=1)": (
        "softmax runs over the positions, not over the words", _ONE),
    "logits.log_softmax(dim=0)": ("softmax runs over the sentences, not over the words", _ONE)})
task.edit("F.pad(labels[:, :-1], (1, 0), value=BOS)", {"labels": ("the words are shifted against the positions that "
    "predict them: the decoder gets the sentence without BOS in front", "a position says what comes next")})
task.edit(_CHOSEN, {
    f"{_CHOSEN}[:, 1:]": ("EOS, or the first word, is no part of the score, so the sentence that is only EOS costs "
        "nothing", _ONE),
    "chosen": ("the padding of shorter sentences is scored too, or only sentences of max_length tokens are tried",
               "which positions belong to a sentence?")})
task.edit(".sum(dim=1)", {
    f".sum(dim=1) / {_COUNTED}.sum(dim=1)": ("the sum is divided by the number of words", _NO_PENALTY),
    f".sum(dim=1) / ((5 + {_COUNTED}.sum(dim=1)) / 6) ** 0.6": (
        "the sum is divided by the length penalty of beam search", _NO_PENALTY),
    f".gather(1, {_COUNTED}.sum(dim=1, keepdim=True) - 1).squeeze(1)": ("only the last word is scored", _ONE)})
task.edit("int(scores.argmax())", {
    "int(scores.argmin())": (
        "the least probable sentence is taken: `min` or `argmin`", "which score is better?"),
    "0": ("the sentence that is only EOS always wins: no other one is compared; or the places of the words in the list "
          "are tried, not the words, and the first ones are PAD and BOS", "print `words` beside your sentences"),
    "len(sentences) - 1": (
        "the last sentence is taken", "how is a better sentence told from the best so far?")})
task.edit("scores[best].item()", {
    "scores[best].exp().item()": (
        "the probability is returned, not its logarithm", "the sum of the log probabilities"),
    "-scores[best].item()": (
        "the sign is the wrong way round: a loss is returned", "is a log probability below 0?")})
task.edit("return sentences[best]", {
    "return [BOS, *sentences[best]]": ("BOS is part of the sentence that is returned", _ALL),
    "return labels[best].tolist()": ("padding is part of the sentence that is returned", _ALL),
    "return [word for word in sentences[best] if word != EOS]": (
        "EOS is cut off the sentence that is returned", _ALL)})
task.edit("sentences[best], scores[best].item()", {
    "scores[best].item(), sentences[best]": ("score and sentence change places", "the sentence comes first"),
    "torch.tensor(sentences[best]), scores[best]": ("tensors are returned, not a list and a number", _TYPES)})
# fmt: on


@task.mistake("the most probable next word is followed, which is greedy decoding", hint=_ALL)
def greedy(model, source, words, max_length):
    """Follow the most probable word."""
    sentence, total = [], 0.0
    while len(sentence) < max_length and EOS not in sentence:
        row = following(model, source, sentence)[-1]
        sentence.append(max([*words, EOS], key=lambda word: row[word].item()))
        total += row[sentence[-1]].item()
    return sentence, total


def pair(answer, model, source, words, max_length):
    """Observe the sentence and its score, if they are a list of words and a number."""
    result = answer(model, source, words, max_length)
    if result is None:
        return None
    sentence, number = select(result, 0), select(result, 1)
    kinds = type(sentence).__name__, type(number).__name__
    if kinds != ("list", "float") or any(type(word) is not int for word in sentence):
        raise Finding(f"it returned a pair of a {kinds[0]} and a {kinds[1]}", "a pair: the sentence as a list of int, "
                      "and its log probability, a Python number (float)", "the return statement", _TYPES)  # fmt: skip
    if not {*sentence} <= {*words, EOS} or EOS in sentence[:-1]:
        raise Finding(f"with words {words} it returned the sentence {sentence}", "words of the list, and EOS only at "
                      "the end", "something that is no word comes into the sentence (BOS, padding, the place of a word "
                      "in the list `words`), or EOS is tried as if it were one of the words", _ALL)  # fmt: skip
    return sentence, number


def too_much(answer, model, *others):
    """Observe by how much the score is above that of the sentence that is returned."""
    found = pair(answer, model, *others)
    return None if found is None else found[1] - score(model, others[0], found[0])


too_much.seen = lambda value: "the log probabilities of the tokens in the sentence do not add up to the score"
too_much.words = Wrong("a token is left out of the sum (EOS, or the first word), one too many is in it (padding), or "
                       "what is added up is no log probability")  # fmt: skip


def not_the_best(observed, expected):
    """Say what kind of sentence was missed."""
    best = expected[0]
    if observed[0] == best:
        return too_much.words
    kind = "is only EOS" if best == [EOS] else "ends with EOS" if best[-1] == EOS else "is cut, without EOS"
    return Wrong(f"sentences such as the best one, which {kind}, are not tried; or the best one is not kept")


pair.seen = lambda value: f"it returned {value[0]} with the score {value[1]:.4g}"
pair.words = not_the_best


def searched(situation, words, max_length, end=0.0, row=0, observe=pair):
    """Make the case of one sentence and one model, which ends early (end > 0) or late."""
    vocab_size = max(words) + 1

    def inputs(draw):
        return models.translator(draw, vocab_size, end), sources()[row : row + 1], list(words), max_length

    return Case(situation, inputs, observe, within=1e-5)


task.require(
    "the score is that of the sentence",
    "the sum of the log probabilities of the tokens in the sentence that is returned, EOS counted where there is one",
    [searched("the score, 3 words, max_length 4", (3, 4, 5), 4, 0.5, observe=too_much),
     searched("the score, a model that rarely ends", (3, 4, 5), 4, -4.0, 1, too_much),
     searched("the score, a model that ends soon", (3, 4, 5), 4, 2.5, observe=too_much)],
    [searched("the score, 4 words, max_length 3", (3, 4, 5, 6), 3, 1.0, 2, too_much)],
    _ONE,
)  # fmt: skip
EXPECTED = "the sentence with the highest sum of log probabilities, EOS counted, and that sum"
task.require(
    "the most probable of all sentences, and its log probability",
    EXPECTED,
    [searched("3 words, max_length 4", (3, 4, 5), 4, 0.5),
     searched("3 words, max_length 4, a model that rarely ends", (3, 4, 5), 4, -4.0, 1),
     searched("3 words, max_length 4, a model that ends soon", (3, 4, 5), 4, 2.5),
     searched("3 words, max_length 3", (3, 4, 5), 3, -3.0, 2), searched("3 words, max_length 3", (3, 4, 5), 3, -3.0),
     searched("3 words, max_length 2", (3, 4, 5), 2, -5.0, 2),
     searched("2 words in another order, max_length 4", (5, 3), 4, -1.0, 1)],
    [searched(f"4 words, max_length 3, model {number}", (3, 4, 5, 6), 3, end, number % 3)
     for number, end in enumerate((-3.0, -1.0, 0.0, 1.0, -1.5))]
    + [searched("2 of 4 words, in another order", (6, 4), 5, -1.0)],
    _ALL,
)  # fmt: skip
task.limits("max_length 1, and a single word", [searched("max_length 1", (3, 4, 5), 1, -0.5, 2),
            searched("one word", (4,), 5, -2.0)])  # fmt: skip


def scores_of(model, source, sentences):
    """Score sentences in one call of the decoder."""
    labels = filled(sentences)
    begin = F.pad(labels[:, :-1], (1, 0), value=BOS)
    with torch.no_grad():
        memory = model.encode(source).expand(len(labels), -1, -1)
        logits = model.decode(begin, memory, source.expand(len(labels), -1))
    chosen = logits.log_softmax(-1).gather(2, labels[..., None])[..., 0]
    return chosen.where(labels != PAD, 0.0).sum(1).tolist()


def _measure() -> list[str]:
    def best(number, max_length, size=1.0, alpha=0.0):
        """Find out whether greedy decoding finds the best sentence of a language, and how probable that is."""
        model = models.translator(Draw(f"language {number}"), 7, -1.0)
        model.table.data *= size
        every, greedy = every_sentence((3, 4, 5, 6), max_length), []
        scores = scores_of(model, sources()[:1], every)
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
