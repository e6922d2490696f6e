"""Task `order_gap` of exercise 08, and the predictions that it answers."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, Draw
from course_checks.positional_encoding.shared import UNIT, right_encoding
from course_checks.predictions import Predictions
from course_checks.task import Task

task = Task("order_gap", UNIT)
_TWO = "exchange two words only, and print both results: which rows belong to the same word?"


@task.oracle
def right(x, order, encoding=None):
    """Follow each word to its new place."""
    here, there = (x, x[order]) if encoding is None else (x + encoding, x[order] + encoding)
    before, after = (F.scaled_dot_product_attention(each, each, each) for each in (here, there))
    return max((before[old] - after[new]).abs().max().item() for new, old in enumerate(order))


# fmt: off
_BOTH, _LARGEST = "both sentences stand at places", "look for the largest difference"
task.edit("before[order] - after", {
    "before - after[order]": ("`order` is applied to the second result; what brings the words back is its inverse, or "
        "`order` applied to the first result", "take three words in the order 1, 2, 0: which row of the second result "
        "belongs to word 0?"),
    "before - after": ("outputs of different words are compared: the first result is not reordered", _TWO),
    "before.sort(0).values - after.sort(0).values": (
        "the outputs are sorted before they are compared, which mixes the numbers of different words",
        "use `order` to find the row of the same word"),
    "before.max() - after.max()": (
        "the largest numbers of the two results are compared, not the results word by word",
        "first the difference of each pair of numbers, then the largest of them"),
})
task.edit("= x, x[order]", {"= x, x[order][order]": ("the words are reordered twice", _TWO)})
task.edit_places({"before, _": "_, before", "after, _": "_, after"}, "the weights are compared, not the outputs",
                 "`scaled_dot_product_attention` returns a pair: the output comes first")
task.edit("(second, second, second)", {"(second, first, first)": (
    "only the query is reordered, key and value are those of the first sentence",
    "query, key and value of a run are all the same")})
task.edit("first + encoding, second + encoding", {
    "first + encoding, second + encoding[order]": (
        "the encoding moves with the words, or is not used; it belongs to the places",
        "which encoding does the word get that now stands first?"),
    "first + encoding, second": ("the encoding is added to the first sentence only", _BOTH),
    "first, second + encoding": ("the encoding is added to the reordered sentence only", _BOTH),
})
task.edit_places({"(first, first, first)": "(first, first, x)",
                  "(second, second, second)": "(second, second, x[order])"},
                 "the encoding is added to queries and keys, not to the values",
                 "query, key and value are all the same: the words with their encoding")
task.edit(".abs().max().item()", {
    ".abs().mean().item()": ("the mean of the differences, not the largest", _LARGEST),
    ".abs().sum().item()": ("the sum of the differences, not the largest", _LARGEST),
    ".norm().item()": ("the root of the sum of the squares (`norm`), not the largest difference", _LARGEST),
    ".abs().max().gt(1e-6).to(x.dtype).item()": ("1 or 0 says whether anything differs, not how much", _LARGEST),
    ".max().item()": ("the largest difference without `abs`: a negative one counts as small",
                      "a difference of -3 is larger than one of 2"),
    ".abs().max()": ("the result is still a tensor", "turn a tensor of one number into a Python number with `.item()`"),
})
# fmt: on


def words(length, d_model, order, encoded=False):
    """Draw the words of a sentence, and an encoding if it is wanted."""

    def make(draw):
        x = draw(length, d_model, dtype=torch.float64)
        return (x, order, draw(length, d_model, dtype=torch.float64)) if encoded else (x, order)

    return make


EXPECTED = "a Python number: the largest absolute difference between the two outputs of the same word"
task.require(
    "without positions",
    EXPECTED,
    [Case("5 words in another order, no encoding", words(5, 8, [3, 0, 4, 1, 2]), within=1e-9)],
    [Case("turned around, no encoding", words(7, 4, [6, 5, 4, 3, 2, 1, 0]), within=1e-9)],
)
task.require(
    "with positions",
    EXPECTED,
    [Case("5 words in another order, an encoding", words(5, 8, [3, 0, 4, 1, 2], True), within=1e-9),
     Case("4 words moved on by one, an encoding", words(4, 6, [3, 0, 1, 2], True), within=1e-9)],
    [Case("two words exchanged, an encoding", words(4, 6, [1, 0, 2, 3], True), within=1e-9),
     Case("turned around, an encoding", words(7, 4, [6, 5, 4, 3, 2, 1, 0], True), within=1e-9),
     Case("three words moved on, an encoding", words(3, 5, [1, 2, 0], True), within=1e-9)],
)  # fmt: skip


def _measure() -> list[str]:
    drawn, places, order = Draw("words")(6, 16).double(), right_encoding(60, 16).double(), [5, 2, 0, 4, 1, 3]
    products = [float(places[start] @ places[start + 5]) for start in (3, 30)]
    doubled = [float(places[start] @ places[2 * start]) for start in (3, 12)]
    gaps = [right(drawn, order), right(drawn, order, places[:6]), abs(products[0] - products[1])]
    return ["same" if gap < 1e-3 else "different" for gap in (*gaps, abs(doubled[0] - doubled[1]))]


predictions = Predictions(
    ("no positions", "with positions", "five apart", "twice as far"), _measure, "task 3", ("same", "different")
)
