"""Task `fixed_ranking` of exercise 02: two bugs to find."""

from course_checks.cases import Case
from course_checks.rnn_encoder_decoder.shared import UNIT, hinted, require_pairs, right_penalty
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("fixed_ranking", UNIT)

_RANK = "rank the two hypotheses of the task by hand: their scores, then their order"


@task.oracle
def right(hypotheses, alpha):
    """Put each hypothesis into its place, one after the other."""
    ranked = []
    for (_, *words), total in hypotheses:
        score = total / right_penalty(len(words), alpha)
        ranked.insert(sum(other >= score for _, other in ranked), (words, score))
    return ranked


@task.pipeline(
    order=hinted(_RANK, {
        "before": "the list is sorted by the sums, before they are divided",
        "worst first": "the lowest score stands first",
        "as given": "the list is not sorted",
        "length": "the list is sorted by length",
        "mean": "the list is sorted by the mean per word, not by the score",
    }),
    count=hinted("how many words has [BOS, EOS], as task 5 counts them, and what is its penalty?", {
        "bos": "BOS is still counted as a word",
        "too few": "EOS is not counted either: the length is one too low",
        "none": "the sums are not divided by the penalty",
        "times": "the sums are multiplied with the penalty",
        "length": "the sums are divided by a power of the length itself",
    }),
    tokens=hinted("the result holds pairs (tokens, score); the tokens have EOS and no BOS", {
        "bos": "BOS is part of the tokens",
        "eos lost": "the last token is cut off too",
        "alone": "only the tokens are returned, without scores",
        "exchanged": "each pair holds the score first",
        "sums": "the pairs hold the sums, not the scores by which they are sorted",
    }),
)  # fmt: skip
def fixed_ranking(hypotheses, alpha, *, order="score", count="words", tokens="words"):
    """Rank with one choice for each step."""
    entries = []
    for some, total in hypotheses:
        length = len(some) - {"bos": 0, "too few": 2}.get(count, 1)
        factor = {"none": 1.0, "length": max(length, 1) ** alpha}.get(count, right_penalty(length, alpha))
        shown = {"bos": some, "eos lost": some[1:-1]}.get(tokens, some[1:])
        entries.append((shown, total * factor if count == "times" else total / factor, total))
    if order != "as given":
        key = {"before": lambda e: e[2], "length": lambda e: len(e[0]), "mean": lambda e: e[2] / len(e[0])}.get(
            order, lambda e: e[1]
        )
        entries.sort(key=key, reverse=order != "worst first")
    plain = [(shown, total if tokens == "sums" else score) for shown, score, total in entries]
    if tokens == "alone":
        return [shown for shown, _ in plain]
    return [(score, shown) for shown, score in plain] if tokens == "exchanged" else plain


HYPOTHESES = ([1, 5, 2], -2.0), ([1, 5, 6, 7, 8, 9, 2], -2.4), ([1, 2], -4.0)
FEW = ([1, 2], -1.0), ([1, 4, 5, 6, 7, 8, 8, 8, 2], -1.5), ([1, 4, 2], -1.2), ([1, 3, 3, 3], -1.21)


def inputs(hypotheses, alpha):
    """Make the list anew, so that nobody can change it."""
    return lambda draw: ([(list(some), total) for some, total in hypotheses], alpha)


def ranked(answer, hypotheses, alpha):
    """Observe tokens and scores in their order."""
    found = require_pairs(answer(hypotheses, alpha), _RANK)
    return {"tokens": [list(tokens) for tokens, _ in found], "scores": [float(score) for _, score in found]}


ranked.words = Wrong("a score that is not the sum over the penalty of its own number of words, or another order", "the "
                     "list", _RANK)  # fmt: skip
task.require(
    "the scores are right, and the best one stands first",
    "pairs (tokens without BOS, score), the highest score first",
    [Case("three hypotheses, alpha 0.75", inputs(HYPOTHESES, 0.75), ranked),
     Case("four hypotheses, alpha 0", inputs(FEW, 0.0), ranked)],
    [Case("four hypotheses, alpha 0.6", inputs(FEW, 0.6), ranked),
     Case("four hypotheses, alpha 1", inputs(FEW, 1.0), ranked),
     Case("three hypotheses, alpha 2", inputs(HYPOTHESES, 2.0), ranked)],
    _RANK,
)  # fmt: skip
