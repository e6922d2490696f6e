"""Task `fixed_cross_attention` of exercise 16: two bugs to find."""

import math

import torch

from course_checks.cases import Case, gradients, part
from course_checks.images_and_words.shared import READY_MADE, UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("fixed_cross_attention", UNIT, READY_MADE)

_ONE = "print the weights of one word: how many different numbers are there?"
_CUT = "fill `features` with the number of the place: `features[:, :, i, j] = 10 * i + j`; what does each patch hold?"


@task.oracle
def right(features, words, w_query, w_key, w_value):
    """Go through the places of the grid."""
    rows, columns = features.shape[2:]
    patches = torch.stack([features[:, :, i, j] for i in range(rows) for j in range(columns)], dim=1)
    query, key, value = words @ w_query, patches @ w_key, patches @ w_value
    weights = torch.softmax(torch.einsum("bmd,bnd->bmn", query, key) / math.sqrt(w_key.shape[1]), -1)
    return weights @ value, weights


@task.pipeline(
    keys={
        "one vector": Wrong("all keys are still one vector", "each word gives every patch the same weight", _ONE),
        "no weights": Wrong("the keys are no longer projected", "", "fix the two lines, leave the others as they are"),
        "values": Wrong("the keys are projected with w_value", "", "fix the two lines, leave the others as they are"),
    },
    patches={
        "reshaped": Wrong("the numbers of a patch still come from several places of the picture", "", _CUT),
        "columns": Wrong("the patches come column by column", "", _CUT),
        "twisted": Wrong("places and features change places twice: what is called a patch is a feature of all places",
                         "", _CUT),
    },
    scale={
        "none": Wrong("the scores are no longer divided by sqrt(d)", "", "fix the two lines, leave the others as they "
                      "are"),
    },
    values={
        "mean": Wrong("the values have become one vector", "every word gets the same", _ONE),
    },
)  # fmt: skip
def fixed_cross_attention(features, words, w_query, w_key, w_value, *, keys="patches", patches="rows", values="patches",
                scale="root"):  # fmt: skip
    """Fix with one choice for each line."""
    batch, width, rows, columns = features.shape
    seen = {
        "reshaped": lambda: features.reshape(batch, rows * columns, width),
        "columns": lambda: features.permute(0, 3, 2, 1).flatten(1, 2),
        "twisted": lambda: features.transpose(1, 2).reshape(batch, rows * columns, width),
    }.get(patches, lambda: features.flatten(2).transpose(1, 2))()
    mean = seen.mean(dim=1, keepdim=True).expand_as(seen)
    key = {
        "one vector": lambda: mean @ w_key, "no weights": lambda: seen, "values": lambda: seen @ w_value,
    }.get(keys, lambda: seen @ w_key)()  # fmt: skip
    value = (mean if values == "mean" else seen) @ w_value
    root = 1 if scale == "none" else math.sqrt(width)
    weights = torch.softmax(words @ w_query @ key.transpose(1, 2) / root, dim=-1)
    return weights @ value, weights


def drawn(batch, d, rows, columns, m):
    """Draw a map of features, words and three matrices."""
    return lambda draw: (
        draw(batch, d, rows, columns, dtype=torch.float64), draw(batch, m, d, dtype=torch.float64),
        *draw(3, d, d, dtype=torch.float64),
    )  # fmt: skip


task.require(
    "each patch has a key of its own, and the features of its own place",
    "attention from each word to the patches of the grid, row by row: output and weights",
    [Case("the weights, 2 maps of 4 features, 2 x 3 places", drawn(2, 4, 2, 3, 3), part(1)),
     Case("the output, 2 maps of 4 features, 2 x 3 places", drawn(2, 4, 2, 3, 3), part(0))],
    [Case("the weights, a square map", drawn(3, 5, 3, 3, 2), part(1)),
     Case("the output, as many features as places", drawn(2, 4, 2, 2, 4), part(0))],
)  # fmt: skip
task.require(
    "the gradient reaches features, words and all three matrices",
    "the derivative of the output",
    [Case("the gradients", drawn(2, 4, 2, 3, 3), gradients(0))],
    [Case("the gradients at other sizes", drawn(1, 6, 3, 2, 4), gradients(0))],
)
