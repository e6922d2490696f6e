"""Task `attention_in_blocks` of exercise 04, the stretch."""

from course_checks.cases import Case, drawn
from course_checks.scaled_dot_product_attention.shared import READY_MADE, UNIT, right_pair
from course_checks.task import Task

task = Task("attention_in_blocks", UNIT, READY_MADE)


@task.oracle
def right(query, key, value, block_size):
    """Look at all keys at once."""
    return right_pair(query, key, value)[0]


# fmt: off
_TWO = "work out two blocks of one key each by hand: what do both sums hold after the second block?"
_SUM = "weighted * correction + exponentials @ some_values"
task.edit("(highest - new_highest).exp()", {
    "1": ("the sums are not corrected when a block brings a new maximum", _TWO),
    "(new_highest - highest).exp().nan_to_num(posinf=1.0)": ("the correction is the inverse of the right one", _TWO),
})
task.edit("weighted * correction", {"weighted": (
    "only the sum of the exponentials is corrected, not that of the values", _TWO)})
task.edit("total * correction", {"total": (
    "only the sum of the values is corrected, not the sum of the exponentials", _TWO)})
task.edit("torch.clamp(scores.amax(-1, keepdim=True), min=highest)", {
    "scores.amax(-1, keepdim=True)": ("the maximum of the block takes the place of the maximum so far, even where it "
        "is smaller", "the maximum never falls from block to block"),
    "torch.zeros_like(scores[..., :1])": ("no maximum is subtracted: large scores overflow",
        "subtract the largest score so far", "numbers are NaN or infinite"),
})
task.edit("highest, weighted, total = -math.inf", {"highest, weighted, total = 0.0": (
    "the maximum so far starts at 0: where all scores are far below 0, every exponential is 0, and 0 / 0 is NaN",
    "which number is smaller than every score?", "numbers are NaN")})
task.edit("weighted / total", {
    "weighted": ("the sum of the values is not divided by the sum of the exponentials", _TWO),
    "softmax(scores) @ some_values": ("only the last block is returned", _TWO),
})
task.edit_places({_SUM: "weighted + softmax(scores) @ some_values", "exponentials.sum(-1, keepdim=True)": "1",
    "total * correction": "total"}, "each block has a softmax of its own, and their outputs are averaged", _TWO)
task.edit("value.split(block_size, -2), strict=True", {
    "value.split(block_size, -2)[: max(1, key.shape[-2] // block_size)], strict=False": (
        "the last block is left out where it is smaller than the others",
        "print the beginning of each block for 8 keys in blocks of 3: which keys are in none?")})
task.edit(" / math.sqrt(query.shape[-1])", {"": ("the scores are not divided by sqrt(d_k)", "as in task 3")})
# fmt: on


def far_below(draw):
    """Draw queries and keys that point away from each other, so that every score is below -1,000."""
    query, key, value = drawn("2 3 5; 2 8 5; 2 8 6")(draw)
    return -60 * query.abs() - 30, 60 * key.abs() + 30, value, 3


task.require("the output does not depend on the size of the blocks", "the output of attention over all keys",
             [Case(f"8 keys in blocks of {size}{large}", drawn("2 3 5; 2 8 5; 2 8 6", size, scale=scale))
              for size in (8, 4, 3, 1) for large, scale in (("", 1.0), (", large scores", 60.0))]
             + [Case("8 keys in blocks of 3, all scores below -1,000", far_below)])  # fmt: skip
