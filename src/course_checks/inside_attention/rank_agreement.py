"""Task `rank_agreement` of exercise 12, and the predictions of the experiment."""

import math
from itertools import combinations

import torch

from course_checks.cases import Case, refusal
from course_checks.inside_attention.head_similarity import right as right_similarity
from course_checks.inside_attention.inputs import UNIT
from course_checks.predictions import Predictions
from course_checks.task import Task

task = Task("rank_agreement", UNIT)
_PAIRS = "write down all pairs of three places, and what each of them counts"


@task.oracle
def right(first, second):
    """Compare the signs of the differences of all pairs."""
    signs = [(math.copysign(1, a - b) if a != b else 0) * (math.copysign(1, c - d) if c != d else 0)
             for (a, c), (b, d) in combinations(zip(first, second, strict=True), 2)]  # fmt: skip
    return sum(signs) / len(signs)


# fmt: off
task.edit("(product > 0) - (product < 0)", {
    "int(product > 0)": ("pairs in opposite order are not subtracted", _PAIRS),
    "1 if product >= 0 else -1": ("a tie counts as agreement", "a tie in either list counts 0"),
    "1 if product > 0 else -1": ("a tie counts as disagreement", "a tie in either list counts 0"),
    "((first[i] > first[j]) - (first[i] < first[j])) * (1 if second[i] > second[j] else -1)": (
        "a tie in the first list counts 0, one in the second does not", "a tie in either list counts 0"),
    "((second[i] > second[j]) - (second[i] < second[j])) * (1 if first[i] > first[j] else -1)": (
        "a tie in the second list counts 0, one in the first does not", "a tie in either list counts 0"),
    "1 if (first[i] < first[j]) == (second[i] < second[j]) else -1": (
        "a tie counts as agreement or as disagreement: in a tie both comparisons are False", "a tie in either list "
        "counts 0: what does `<` say of two equal numbers?"),
    "1 if (first[i] > first[j]) == (second[i] > second[j]) else -1": (
        "a tie counts as agreement or as disagreement: in a tie both comparisons are False", "a tie in either list "
        "counts 0: what does `>` say of two equal numbers?"),
    "product": ("the products of the differences are summed, not their signs", "a pair counts 1, -1 or 0"),
    "(product < 0) - (product > 0)": ("the signs are the wrong way round", "the same order gives 1"),
    "2 * ((product > 0) - (product < 0))": ("every pair is counted twice, and divided by the pairs once", _PAIRS),
})
task.cancel("2 * ((product > 0) - (product < 0))", "total / (2 * pairs)")
task.edit("range(j)", {"range(max(j - 1, 0), j)": ("only neighbours are compared, not all pairs", _PAIRS)})
_LAST = "the last place is in no pair", _PAIRS
task.edit("range(len(first))", {"range(len(first) - 1)": _LAST})
task.edit_places({"range(len(first))": "range(len(first) - 1)",
                  "total / pairs": "total / (pairs + len(first) - 1)"}, *_LAST)
task.edit_places({"pairs += 1": "pairs += product != 0", "total / pairs": "total / max(pairs, 1)"},
                 "pairs with a tie are left out of the number of pairs", "the number of all pairs")
task.edit("total / pairs", {
    "float(total)": ("the sum is not divided", "divided by the number of all pairs"),
    "total // pairs": ("`//` rounds down to a whole number", "which division gives 0.4 for 2 and 5?"),
    "total / len(first) ** 2": ("it is divided by n squared", "how many pairs i < j are there?"),
    "2 * total / len(first) ** 2": ("every pair is counted twice, and divided by n squared: the n pairs of a place "
        "with itself are counted, too", "how many pairs of two different places are there?"),
    "total / (pairs + len(first))": ("it is divided by n (n + 1) / 2: each place is paired with itself, too",
        "how many pairs of two different places are there?"),
    "total / (2 * pairs)": ("it is divided by n (n - 1), which counts every pair twice", "count the pairs i < j"),
    "total / len(first)": ("it is divided by the length of the lists", "how many pairs i < j are there?"),
    "torch.corrcoef(torch.tensor([list(first), list(second)]).double())[0, 1].nan_to_num(0.0).item()": (
        "the correlation of the numbers is returned, not the agreement of their order", _PAIRS),
})
# fmt: on


def numbers(length):
    """Draw two lists."""
    return lambda draw: tuple(draw(2, length, dtype=torch.float64).tolist())


task.require(
    "agreement of all pairs, ties count 0",
    "a Python number: the sum over all pairs, divided by the number of pairs",
    [Case("5 numbers in some order", ([3.0, 1.0, 4.0, 1.5, 9.0], [2.0, 7.0, 1.0, 8.0, 2.5])),
     Case("ties in both lists", ([2.0, 2.0, 1.0, 0.5, 1.0], [3.0, 3.0, 4.0, 3.0, 3.0])), Case("7 numbers", numbers(7)),
     Case("the same order", ([0.1, 5.0, 6.0], [-2.0, 0.0, 100.0]), right=1.0)],
    [Case("12 numbers", numbers(12)), Case("the opposite order", ([1.0, 2.0, 3.0], [-4.0, -5.0, -6.0])),
     Case("nothing but ties", ([1.0, 1.0, 1.0], [3.0, 1.0, 2.0]))],
)  # fmt: skip
task.limits("two numbers, and wrong input", [
    Case("two numbers", ([1.0, 2.0], [-5.0, -4.0])),
    refusal("lists of unlike lengths", ([1.0, 2.0, 3.0], [1.0, 2.0])),
    refusal("one number", ([1.0], [2.0])),
])  # fmt: skip


def _measure() -> list[str]:
    draws = torch.empty(1, 40, 12, 12).exponential_(generator=torch.Generator().manual_seed(0))
    table = right_similarity(draws / draws.sum(-1, keepdim=True))[0]
    cosine = table[~torch.eye(40, dtype=torch.bool)].mean().item()
    twins = 0.01  # from -0.01 to 0.02 in eight runs of task 6 with other seeds
    measured = (cosine, math.log(10) / math.log(100), twins)
    return ["almost nothing" if each < 0.25 else "about a half" if each < 0.75 else "almost all" for each in measured]


predictions = Predictions(
    ("cosine of random maps", "share of the largest entropy", "loss without one twin"),
    _measure,
    "task 6",
    ("almost nothing", "about a half", "almost all"),
)
