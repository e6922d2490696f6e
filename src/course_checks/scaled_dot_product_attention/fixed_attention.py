"""Task `fixed_attention` of exercise 04: two bugs to find."""

from course_checks.cases import Case, drawn, gradients
from course_checks.scaled_dot_product_attention import shared
from course_checks.scaled_dot_product_attention.shared import double
from course_checks.task import Task

task = Task("fixed_attention", shared.UNIT, shared.READY_MADE)
task.oracle(shared.right_pair)
_ROWS = "what do the rows of the weights sum to when there is a mask, and what should they sum to?"
_SIZES = "give two values of different width to the same query and key: do the weights change?"
# fmt: off
task.edit("query.shape[-1]", {
    "value.shape[-1]": ("the weights still depend on the width of the value", _SIZES,
                        "the weights are not those of the formula"),
    "key.shape[-2]": ("the root is that of a length, not of the width of the queries", _SIZES),
    "1": ("the scores are not divided at all", "fix the two lines, leave the others as they are"),
})
task.edit(shared.HIDE, {
    "scores.masked_fill(mask, -math.inf)": ("the mask is used the wrong way round", "True means `may be attended to`",
                                            "exactly the hidden keys have the weight"),
    "scores": ("the mask is no longer used", _ROWS, "hidden keys have a weight"),
    "scores * mask": ("the mask is multiplied into the scores: e^0 is 1, not 0", _ROWS, "hidden keys have a weight"),
})
shared.edit_after(task, dict.fromkeys(shared.TWICE, shared.TWICE_WORDS) | {"weights * mask": (
    "a row with hidden keys still does not sum to 1", _ROWS,
    "hidden keys have weight 0, but the rows sum to less than 1")})
task.edit("value, weights", {"value, torch.softmax(query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1)": (
    "the weights that are returned are not those that multiply the value", _ROWS)})
# fmt: on

task.require("the weights are those of the formula when d_k and d_v differ",
             "the weights of the formula, which depend on query and key alone",
             [Case("no mask, d_k = 8, d_v = 3", drawn("2 3 8; 2 5 8; 2 5 3"))],
             [Case("no mask, d_k = 8, d_v = 2, no batch", drawn("3 8; 5 8; 5 2", dtype=double)),
              Case("no mask, batch and heads", drawn("2 3 4 5; 2 3 6 5; 2 3 6 7", dtype=double))])  # fmt: skip
_MASKED = drawn("2 4 5; 2 6 5; 2 6 7; mask: 4 6", dtype=double)
task.require("with a mask every row of the weights sums to 1",
             "each row of the weights sums to 1: the keys that remain share the whole weight",
             [Case("a mask of shape (3, 5)", drawn("2 3 8; 2 5 8; 2 5 3; mask: 3 5"))],
             [Case("a mask, batch and heads", drawn("2 3 4 5; 2 3 6 5; 2 3 6 7; mask: 4 6", dtype=double)),
              Case("the gradient of the output, with a mask", _MASKED, gradients(0))])  # fmt: skip
