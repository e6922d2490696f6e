"""Task `fixed_cross_attention` of exercise 16: two bugs to find."""

import math

import torch

from course_checks.cases import Case, drawn, gradients, part
from course_checks.images_and_words.shared import READY_MADE, UNIT
from course_checks.task import Task

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


# fmt: off
_AS_THEY_ARE = "fix the two lines, leave the others as they are"
_MEAN = "patches.mean(dim=1, keepdim=True).expand_as(patches)"
task.edit("patches @ w_key", {
    f"{_MEAN} @ w_key": ("all keys are still one vector", _ONE, "each word gives every patch the same weight"),
    "patches": ("the keys are no longer projected", _AS_THEY_ARE),
    "patches @ w_value": ("the keys are projected with w_value", _AS_THEY_ARE)})
task.edit("features.flatten(start_dim=2).transpose(1, 2)", {
    "features.reshape(len(features), -1, d)": (
        "the numbers of a patch still come from several places of the picture", _CUT),
    "features.mT.flatten(start_dim=2).transpose(1, 2)": ("the patches come column by column", _CUT),
    "features.transpose(1, 2).reshape(len(features), -1, d)": (
        "places and features change places twice: what is called a patch is a feature of all places", _CUT)})
task.edit(" / math.sqrt(d)", {"": ("the scores are no longer divided by sqrt(d)", _AS_THEY_ARE)})
task.edit("patches @ w_value", {f"{_MEAN} @ w_value": (
    "the values have become one vector", _ONE, "every word gets the same")})
# fmt: on


def given(batch, d, rows, columns, m):
    """Draw a map of features, words and three matrices."""
    return drawn(f"{batch} {d} {rows} {columns}; {batch} {m} {d}; {d} {d}; {d} {d}; {d} {d}", dtype=torch.float64)


task.require("each patch has a key of its own, and the features of its own place",
    "attention from each word to the patches of the grid, row by row: output and weights",
    [Case("the weights, 2 maps of 4 features, 2 x 3 places", given(2, 4, 2, 3, 3), part(1)),
     Case("the output, 2 maps of 4 features, 2 x 3 places", given(2, 4, 2, 3, 3), part(0))],
    [Case("the weights, a square map", given(3, 5, 3, 3, 2), part(1)),
     Case("the output, as many features as places", given(2, 4, 2, 2, 4), part(0))])  # fmt: skip
task.require("the gradient reaches features, words and all three matrices", "the derivative of the output",
    [Case("the gradients", given(2, 4, 2, 3, 3), gradients(0))],
    [Case("the gradients at other sizes", given(1, 6, 3, 2, 4), gradients(0))])  # fmt: skip
