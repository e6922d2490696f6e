"""Task `order_gap` of exercise 08, and the predictions that it answers."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, Draw
from course_checks.positional_encoding.shared import UNIT, right_encoding
from course_checks.predictions import Predictions
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("order_gap", UNIT)
_TWO = "exchange two words only, and print both results: which rows belong to the same word?"


@task.oracle
def right(x, order, encoding=None):
    """Follow each word to its new place."""
    here, there = (x, x[order]) if encoding is None else (x + encoding, x[order] + encoding)
    before, after = (F.scaled_dot_product_attention(each, each, each) for each in (here, there))
    return max((before[old] - after[new]).abs().max().item() for new, old in enumerate(order))


@task.pipeline(
    compared={
        "places": Wrong("outputs of different words are compared: the first result is not reordered", "", _TWO),
        "twice": Wrong("the words are reordered twice", "", _TWO),
        "sorted": Wrong("the outputs are sorted before they are compared, which mixes the numbers of different words",
                        "", "use `order` to find the row of the same word"),
        "weights": Wrong("the weights are compared, not the outputs", "", "`scaled_dot_product_attention` returns a "
                         "pair: the output comes first"),
        "query only": Wrong("only the query is reordered, key and value are those of the first sentence", "",
                            "query, key and value of a run are all the same"),
        "largest": Wrong("the largest numbers of the two results are compared, not the results word by word", "",
                         "first the difference of each pair of numbers, then the largest of them"),
    },
    added={
        "moves": Wrong("the encoding moves with the words, or is not used; it belongs to the places", "",
                       "which encoding does the word get that now stands first?"),
        "first": Wrong("the encoding is added to the first sentence only", "", "both sentences stand at places"),
        "second": Wrong("the encoding is added to the reordered sentence only", "", "both sentences stand at places"),
        "not value": Wrong("the encoding is added to queries and keys, not to the values", "",
                           "query, key and value are all the same: the words with their encoding"),
    },
    size={
        "mean": Wrong("the mean of the differences, not the largest", "", "look for the largest difference"),
        "sum": Wrong("the sum of the differences, not the largest", "", "look for the largest difference"),
        "norm": Wrong("the root of the sum of the squares (`norm`), not the largest difference", "",
                      "look for the largest difference"),
        "yes or no": Wrong("1 or 0 says whether anything differs, not how much", "", "look for the largest difference"),
        "signed": Wrong("the largest difference without `abs`: a negative one counts as small", "",
                        "a difference of -3 is larger than one of 2"),
        "tensor": Wrong("the result is still a tensor", "", "turn a tensor of one number into a Python number with "
                        "`.item()`"),
    },
)  # fmt: skip
def order_gap(x, order, encoding=None, *, compared="words", added="both", size="largest"):
    """Measure with one choice for each step."""
    first, second = x, x[order]
    second = second[order] if compared == "twice" else second
    if encoding is not None:
        first = first if added == "second" else first + encoding
        moved = encoding[order] if added == "moves" else encoding
        second = second if added == "first" else second + moved
    values = (x, x[order]) if added == "not value" else (first, second)
    values = (values[0], values[0]) if compared == "query only" else values
    values = (torch.eye(len(x)).to(x),) * 2 if compared == "weights" else values
    keys = (first, first) if compared == "query only" else (first, second)
    before, after = (F.scaled_dot_product_attention(*each) for each in zip((first, second), keys, values, strict=True))
    if compared == "sorted":
        before, after = before.sort(0).values, after.sort(0).values
    apart = (before if compared in ("places", "sorted") else before[order]) - after
    apart = before.max() - after.max() if compared == "largest" else apart
    result = {
        "norm": lambda: apart.norm(),
        "yes or no": lambda: (apart.abs().max() > 1e-6).to(apart.dtype),
        "mean": lambda: apart.abs().mean(),
        "sum": lambda: apart.abs().sum(),
        "signed": lambda: apart.max(),
    }.get(size, lambda: apart.abs().max())()
    return result if size == "tensor" else result.item()


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
