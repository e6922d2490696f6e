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


# fmt: off
_SCORE, _MADE = "pair[1], reverse=True", "((5 + len({})) / 6) ** alpha"
task.edit_places({"in hypotheses": f"in sorted(hypotheses, key=lambda pair: {_SCORE})",
                  f"sorted(ranked, key=lambda pair: {_SCORE})": "ranked"},
                 "the list is sorted by the sums, before they are divided", _RANK)
task.edit(_SCORE, hinted(_RANK, {
    "pair[1]": "the lowest score stands first",
    "0": "the list is not sorted",
    "len(pair[0]), reverse=True": "the list is sorted by length",
    f"pair[1] * {_MADE.format('pair[0]')} / len(pair[0]), reverse=True":
        "the list is sorted by the mean per word, not by the score"}))
task.edit(" / ((4 + len(tokens)) / 6) ** alpha", hinted(
    "how many words has [BOS, EOS], as task 5 counts them, and what is its penalty?", {
    " / ((5 + len(tokens)) / 6) ** alpha": "BOS is still counted as a word",
    " / ((3 + len(tokens)) / 6) ** alpha": "EOS is not counted either: the length is one too low",
    "": "the sums are not divided by the penalty",
    " * ((4 + len(tokens)) / 6) ** alpha": "the sums are multiplied with the penalty",
    " / max(len(tokens) - 1, 1) ** alpha": "the sums are divided by a power of the length itself"}))
_PAIRS = "the result holds pairs (tokens, score); the tokens have EOS and no BOS"
task.edit("tokens[1:]", hinted(_PAIRS, {
    "tokens": "BOS is part of the tokens", "tokens[1:-1]": "the last token is cut off too"}))
for _parts, _cause in {
    "tokens": "only the tokens are returned, without scores",
    "(score, tokens)": "each pair holds the score first",
    f"(tokens, score * {_MADE.format('tokens')})": "the pairs hold the sums, not the scores by which they are sorted",
}.items():
    task.edit_places({"return ": f"return [{_parts} for tokens, score in ", "reverse=True)": "reverse=True)]"},
                     _cause, _PAIRS)
# fmt: on


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
task.require("the scores are right, and the best one stands first",
             "pairs (tokens without BOS, score), the highest score first",
             [Case("three hypotheses, alpha 0.75", inputs(HYPOTHESES, 0.75), ranked),
              Case("four hypotheses, alpha 0", inputs(FEW, 0.0), ranked)],
             [Case("four hypotheses, alpha 0.6", inputs(FEW, 0.6), ranked),
              Case("four hypotheses, alpha 1", inputs(FEW, 1.0), ranked),
              Case("three hypotheses, alpha 2", inputs(HYPOTHESES, 2.0), ranked)], _RANK)  # fmt: skip
