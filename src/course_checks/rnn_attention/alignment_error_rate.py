"""Task `alignment_error_rate` of exercise 03."""

import torch

from course_checks.cases import Case, refusal
from course_checks.rnn_attention.shared import UNIT
from course_checks.task import Task
from course_checks.words import Finding

task = Task("alignment_error_rate", UNIT)


@task.oracle
def right(weights, sure, possible=None):
    """Count link by link."""
    links = [(target, row.index(max(row))) for target, row in enumerate(weights.tolist())]
    hits = sum((link in sure) + (link in sure or link in (possible or ())) for link in links)
    return 1 - hits / (len(links) + len(sure)) if links or sure else 0.0


# fmt: off
_SETS = "write down A, S and P for the two target words of the example in the task"
_LINKS = "print your links beside the weights of two target words"
_BEST = "weights.argmax(dim=1).tolist()"
_PAIRS, _COLUMNS = f"set(enumerate({_BEST}))", "weights.argmax(dim=0).tolist()"
task.edit(_PAIRS, {
    f"set(enumerate({_COLUMNS}))": ("each source word is linked to a target word (the maximum runs over the wrong "
        "dimension), and the pairs are (source, target)", _LINKS),
    f"{{(i, j) for j, i in enumerate({_COLUMNS})}}": (
        "each source word is linked to a target word: the maximum runs over the wrong dimension", _LINKS),
    f"{{(j, i) for i, j in enumerate({_BEST})}}": (
        "the pairs of the links are (source, target); they should be (target, source)", _LINKS),
    f"{{(i + 1, j + 1) for i, j in enumerate({_BEST})}}": ("positions are counted from 1; they count from 0", _LINKS),
    f"set(enumerate({_BEST}, 1))": ("target positions are counted from 1; they count from 0", _LINKS),
    "set(map(tuple, (weights == weights.amax(dim=1, keepdim=True)).nonzero().tolist()))": (
        "on a tie all the source words are linked; the first one counts", _LINKS),
    "set(map(tuple, (weights > 0.5).nonzero().tolist()))": ("every word above a threshold is linked; only the highest "
        "weight of a row counts", "how many links has a target word?"),
    "set(enumerate(weights.argmax(dim=1)))": ("a number in your links is a tensor: `(0, tensor(2))` never equals `(0, "
        "2)`, so that no link is found", "a number comes out of a tensor with `.tolist()` or `int(...)`", "it is 1"),
    "{(i, i) for i in range(min(weights.shape))}": ("the weights are not used: word i is linked to word i", _LINKS)})
task.edit("weights.argmax(dim=1)", {
    "weights.argmin(dim=1)": ("the lowest weight is taken", _LINKS),
    "(weights.shape[1] - 1 - weights.flip(1).argmax(dim=1))": (
        "on a tie the last source word is taken; the first one counts", _LINKS)})
_ALSO = "links in `sure` that `possible` does not hold do not count as possible; in your code P is `possible` alone"
task.edit("sure | (possible or set())", {
    "sure": ("`possible` is not used", _SETS),
    "possible or set()": (_ALSO, _SETS),
    "sure if possible is None else possible": (_ALSO, _SETS),
    "set() if possible is None else sure | possible": (
        "without `possible`, the sure links are no longer counted as possible", _SETS),
    "sure & (sure if possible is None else possible)": (
        "`&` in the place of `|`: P is what stands in both sets", _SETS)})
_HITS, _ALL = "len(links & sure) + len(links & allowed)", "(len(links) + len(sure))"
task.edit(_HITS, {
    "len(links & allowed)": ("a link that is sure is counted once; it counts twice, as sure and as possible", _SETS),
    "2 * len(links & allowed)": ("the links in P are counted twice, those in S not at all", _SETS),
    "len(links & sure)": ("only the links in S are counted, and once", _SETS),
    "len(sure) + len(allowed)": (
        "the sets are counted, not what they share with your links", "what does the bar | | count?")})
_BY_LINKS = ("all is divided by |A| alone: links that are missing cost nothing", _SETS)
_BY_SURE = ("all is divided by |S| alone: links that are too many cost nothing", _SETS)
task.edit(_ALL, {
    "(len(links) + len(allowed))": ("|P| stands below the line; |S| belongs there", _SETS),
    "len(links)": _BY_LINKS,
    "len(sure)": _BY_SURE,
    "len(links | sure)": ("|A or S| stands below the line, where a link in both counts once", _SETS),
    "(len(links) + sum(i < len(weights) for i, _ in sure))": ("sure links of words that the map does not have are left "
        "out of |S|; they still count there", "does a link that can never be hit stand in S?"),
    "(len(links) + len(sure) + len(allowed))": ("|P| is added below the line", _SETS),
    "(len(links) * len(sure))": ("|A| times |S| stands below the line, not their sum", _SETS)})
task.edit(f"({_HITS}) / {_ALL}", {
    "2 * len(links & sure) * len(links & allowed) / "
    "max(1, len(links & sure) * len(links) + len(links & allowed) * len(sure))": (
        "precision and recall are combined to an F-measure; the formula adds up above the line, and below", _SETS)})
task.edit_places({_HITS: "len(links & allowed)", _ALL: "len(links)"}, *_BY_LINKS)
task.edit_places({_HITS: "len(links & sure)", _ALL: "len(sure)"}, *_BY_SURE)
task.edit("return 1 - (", {
    "return (": ("the agreement is returned, not the error: `1 -` is missing", _SETS),
    "return 100 - 100 * (": (
        "the error is returned in per cent", "what is the error of a map without any right link?"),
    "return torch.tensor(1.0) - (": (
        "the result is still a tensor", "turn it into a Python number with `.item()`"),
    "return -1 + (": (
        "1 is subtracted from the share, not the share from 1", _SETS, "it is negative")})
task.edit("return 0.0", {"return 1.0": (
    "where there is neither a target word nor a sure link, the error is 1", "how many links are wrong there?")})
task.edit("if not links and not sure:", {"if not sure:": (
    "without a sure link the error is set to 0, though the map has links", _SETS, "it is 0")})
# fmt: on


def rate(answer, weights, sure, *possible):
    """Observe the rate, and whether the sets stay as they are."""
    copies = set(sure), *(None if each is None else set(each) for each in possible)
    result = answer(weights, sure, *possible)
    if (sure, *possible) != copies:
        raise Finding(
            "the call changed one of the two sets", "sets that are the same after the call as before it",
            "an operation that works in place: `|=`, `&=`, `.add(...)`, `.update(...)`",
            "make a new set: `a | b` in the place of `a |= b`", final=True,
        )  # fmt: skip
    return result


def rates(answer, *maps):
    """Observe the rates of several maps: one number alone is soon right, or wrong in the same way, by chance."""
    return [rate(answer, *each) for each in maps]


def inputs(m, n, possible=True, dtype=torch.float32):
    """Draw three maps, and sets of which the best links are sure, sure and possible, possible, or neither in turn."""

    def one(draw):
        weights = (2 * draw(m, n)).softmax(-1).to(dtype)
        best = [row.index(max(row)) for row in weights.tolist()]
        sure = {(i, j) for i, j in enumerate(best) if i % 4 < 2} | {
            (i, (j + 1) % n) for i, j in enumerate(best) if i % 4
        }
        others = {(i, j) for i, j in enumerate(best) if i % 4 in (0, 2)} | {
            (i, (j + 2) % n) for i, j in enumerate(best)
        }
        if possible is True:
            return weights, sure, others
        return (weights, sure) if possible is None else (weights, sure, possible)

    return lambda draw: tuple(one(draw) for _ in range(3))


TIES = torch.tensor([[0.4, 0.4, 0.2], [0.25, 0.5, 0.25], [0.2, 0.4, 0.4]])
ERROR = "1 - (|A and S| + |A and P|) / (|A| + |S|), where S is a part of P"
task.require(
    "a link for the highest weight of each target word",
    ERROR,
    [Case("6 target and 7 source words, sure links only", inputs(6, 7, None), rates),
     Case("as many target as source words", inputs(5, 5, None), rates)],
    [Case("4 target and 9 source words, sure links only", inputs(4, 9, None), rates),
     Case("more target than source words", inputs(9, 4, None), rates),
     Case("weights in float64", inputs(6, 6, None, torch.float64), rates)],
    _LINKS,
)  # fmt: skip
task.require(
    "possible links count too, and a sure one is always possible",
    ERROR,
    [Case("6 target and 7 source words, sure and possible links", inputs(6, 7), rates),
     Case("the example of the task", (torch.tensor([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]), {(0, 0)}, {(1, 2)}), rate,
          right=0.0),
     Case("an empty set of possible links", inputs(4, 6, set()), rates),
     Case("no sure link, and one possible", (TIES, set(), {(1, 1)}), rate)],
    [Case("8 target and 5 source words, sure and possible links", inputs(8, 5), rates),
     Case("as many words on both sides, sure and possible links", inputs(7, 7), rates),
     Case("no sure link", (TIES, set(), {(0, 0), (1, 2)}), rate),
     Case("another empty set of possible links", inputs(5, 8, set()), rates)],
    _SETS,
)  # fmt: skip
task.require(
    "on a tie the first source word counts, and a sure link of a word that was not written counts in |S|",
    ERROR,
    [Case("two source words with the same weight", (TIES, {(0, 0), (1, 1), (2, 1)}), rate),
     Case("a sure link for a fourth word", (TIES, {(0, 0), (1, 1), (3, 2)}, {(2, 1)}), rate)],
    [Case("other ties", (TIES.flip(1), {(0, 1), (1, 0), (2, 0), (2, 1)}), rate),
     Case("sure links for two more words", (TIES, {(0, 0), (4, 1), (3, 2)}, {(1, 0)}), rate)],
)  # fmt: skip
task.limits(
    "no target word, one word, and wrong input",
    [
        Case("no target word and no sure link", (torch.zeros(0, 3), set()), rate),
        Case("no target word, but a sure link", (torch.zeros(0, 4), {(0, 0)}), rate),
        Case("one word on both sides", (torch.ones(1, 1), {(0, 0)}), rate),
        Case("float16", inputs(5, 6, dtype=torch.float16), rates),
        refusal("a batch of maps", (TIES[None], {(0, 0)})),
        refusal("the weights of one word", (TIES[0], {(0, 0)})),
        refusal("target words, but no source word", (torch.zeros(2, 0), {(0, 0)})),
    ],
    "0.0 where there is neither a target word nor a sure link; otherwise the formula of the task",
)
