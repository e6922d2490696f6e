"""Task `online_softmax_step` of exercise 17."""

import math

import torch

from course_checks.cases import GRADIENT, Case, Draw, drawn, gradients, refusal, select
from course_checks.efficient_attention.shared import UNIT
from course_checks.scaled_dot_product_attention.shared import right_softmax
from course_checks.task import Task

task = Task("online_softmax_step", UNIT)

_TWO = "take two blocks of one key each, with scores 0 and 1: what are the three parts after the second block?"
_HIDDEN = "what is -inf minus -inf? Print the three parts after a first block of nothing but -inf"


@task.oracle
def right(state, scores, values):
    """Let one key stand for all blocks before, and ask torch for softmax and logsumexp over it and the block."""
    maximum, total, output = state
    every = torch.cat([maximum + total.log(), scores], -1)
    highest = torch.cat([maximum, scores], -1).amax(-1, keepdim=True)
    nothing = highest == -math.inf
    new_total = (every.masked_fill(nothing, 0.0).logsumexp(-1, keepdim=True) - highest.masked_fill(nothing, 0.0)).exp()
    mixed = right_softmax(every).unsqueeze(-2) @ torch.cat([output.unsqueeze(-2), values], -2)
    return highest, new_total.masked_fill(nothing, 0.0), mixed.squeeze(-2)


# fmt: off
_TOP, _FACTOR, _NAN = "scores.amax(dim=-1, keepdim=True)", " * (maximum - shift).exp()", "numbers are NaN"
_WHERE = "highest.masked_fill(highest == -math.inf, 0.0)"
_MIXED = "(exponentials.unsqueeze(-2) @ values).squeeze(-2)"
_DIVIDED = "mixed / new_total.masked_fill(new_total == 0, 1.0)"
_LATE = ("a NaN (0 / 0, -inf minus -inf) is computed, and replaced in the result (`torch.where`, `nan_to_num`): in the "
         "gradient it is still NaN", "change the number that goes in, before it makes a NaN", "the gradient holds NaN")
_CLAMPED = ("what is subtracted never falls below some number (`clamp`), so that it is not the largest score where all "
            "scores are lower: far below it all exponentials vanish", "only a maximum of -inf needs another number in "
            "its place; print what you subtract when all scores are around -2000")
_BLOCK = "(scores.softmax(-1).unsqueeze(-2) @ values).squeeze(-2)"
_TURNED = ("the factor for what came before is turned around: e^(new - old), not e^(old - new)",
           "the factor is never above 1: what came before counts less, when a larger score comes")
task.edit(_FACTOR, {
    "": ("what came before is not rescaled when a block brings a new largest score (or by e^0 = 1, as when the maximum "
        "is overwritten before the factor is computed)", _TWO),
    " * (shift - maximum).exp()": _TURNED,
    " * (shift - maximum).exp().masked_fill(maximum == -math.inf, 0.0)": _TURNED})
task.edit("before + ", {"total + ": ("the old output is rescaled, the old sum is not", _TWO)})
task.edit("before * output + ", {
    "total * output + ": ("the old sum is rescaled, the old output is not", _TWO),
    f"before{_FACTOR} * output + ": ("the old output is rescaled twice: by the factor, and by a sum that already has "
        "it", "write down what one old key weighs after the block: the factor stands in it once"),
    "(maximum - shift).exp() * output + ": ("the old output is added to the sum of the block as if it had never been "
        "divided: it has to be multiplied by the old sum first", _TWO),
    f"new_total{_FACTOR} * output + ": ("the old output is multiplied by the factor and by the new sum, as when "
        "`total` is overwritten before it is used; its keys have the old sum together", _TWO),
    "new_total * output + ": ("the old output is multiplied by the new sum; its keys have the old sum together", _TWO),
    "": ("the output is that of the last block alone", _TWO)})
_UNDIVIDED = ("the output is not divided by the sum, so it is not yet the attention to these blocks",
              "after one block the output is softmax(scores) times values")
task.edit_places({"before * output": "(maximum - shift).exp() * output", _DIVIDED: "mixed"},
                 *_UNDIVIDED, "the output is too large by the factor `total`")
task.edit("(scores - shift).exp()", {
    "scores.softmax(-1)": ("softmax in the place of the exponentials: its weights sum to 1 in every block, and what "
        "they were divided by is lost", "the sum of the first block is that of e^(score - largest): is yours 1?"),
    f"(scores - {_TOP}.clamp(min=-1e30)).exp()": ("the exponentials of a block are measured from its own largest "
        "score, even where an earlier score was larger", "from which number are old and new keys measured?")})
task.edit(_MIXED, {
    "values.mean(dim=-2)": ("the values of the block come in as their plain mean, without weights", _TWO),
    "(exponentials.unsqueeze(-1) * values).sum(dim=-1)": ("the weighted values are summed over their columns, not over "
        "the keys", "print the shapes of the exponentials, of the values, and of their product"),
    "(exponentials.unsqueeze(-2) @ values).squeeze()": ("`squeeze()` without a dimension takes away every dimension of "
        "size 1, the width of the values too", "say which dimension should go")})
task.edit(_DIVIDED, {
    "mixed": _UNDIVIDED,
    "mixed / scores.shape[-1]": (
        "the output is divided by the number of keys, not by the sum of the exponentials", _TWO),
    f"(output + {_BLOCK}) / 2": ("the outputs of the blocks are averaged", _TWO),
    f"before * output / new_total.masked_fill(new_total == 0, 1.0) + {_BLOCK}": (
        "the block comes in with a softmax of its own, whose weights sum to 1", _TWO),
    "torch.where(new_total == 0, 0.0, mixed / new_total)": _LATE,
    "mixed / new_total": ("a row where nothing has been allowed so far is divided by its sum, which is 0: 0 / 0",
        "what is the sum of such a row? Give the division another number there", _NAN)})
task.edit(f"torch.maximum(maximum, {_TOP})", {
    _TOP: ("the largest score of the block takes the place of the largest so far, even where it is smaller",
           "the largest score never falls from block to block"),
    "torch.zeros_like(maximum)": ("no maximum is subtracted, so that e^score of a large score is infinite",
                                  "subtract the largest score so far"),
    f"torch.maximum(maximum, {_TOP}).clamp(min=0.0)": ("the maximum begins at 0 (or is never below it): scores far "
        "below 0 all vanish", "the maximum of nothing is -inf, which the first state holds"),
    "torch.maximum(maximum, scores.max())": ("the maximum is taken over all rows, not over the block of each row",
        "`amax(dim=-1, keepdim=True)`: print its shape")})
task.edit_places({_WHERE: "torch.zeros_like(highest)", _FACTOR: ""},
                 "the largest score is returned, and not subtracted: the sum holds e^score",
                 "the sum is that of e^(score - largest)")
task.edit(_WHERE, {
    "highest": ("in a row where nothing has been allowed so far, -inf minus -inf is NaN", _HIDDEN, _NAN),
    "highest.clamp(min=0.0)": _CLAMPED, "highest.clamp(min=-1000.0)": _CLAMPED})
task.edit_places(
    {_WHERE: "highest", f"new_total, {_DIVIDED}": f"new_total.nan_to_num(0.0), ({_DIVIDED}).nan_to_num(0.0)"}, *_LATE)
task.edit_places(
    {"block == 0": "block == 0 or (scores == -math.inf).all()", _WHERE: "highest"},
    "the state is handed back only if *every* row of the block is -inf; a row that is -inf while another one is not "
    "still has -inf minus -inf",
    "take two rows of which the first one has nothing but -inf: each row is treated for itself", _NAN)
task.edit("highest = ", {
    "scores, maximum = scores.clamp(min=-1e9), maximum.clamp(min=-1e9)\nhighest = ": ("-inf is replaced by a large "
        "finite number, so that a row of nothing but -inf attends to everything equally", _HIDDEN),
    "hidden = (scores == -math.inf).all(dim=-1, keepdim=True)\n"
    "maximum, total = maximum.masked_fill(hidden, -math.inf), total.masked_fill(hidden, 0.0)\n"
    "highest = ": ("a block of nothing but -inf forgets what came before",
                   "what should be left of a state, if a block changes nothing?")})
task.edit("return highest, new_total, ", {
    "return shift, new_total, ": ("the number that stands in for a maximum of -inf is returned as the maximum", "the "
        "state keeps -inf; the other number is only for the subtraction"),
    "return new_total, highest, ": ("the parts come in another order", "maximum, total, output"),
    "return maximum, new_total, ": ("the old maximum is returned", "which of your names holds the new one?"),
    "return highest, highest + new_total.log(), ": ("the maximum plus the logarithm of the sum is returned in the "
        "place of the sum", "the state holds the sum itself"),
    "return highest, new_total.log(), ": (
        "the logarithm of the sum is returned in its place", "the state holds the sum itself"),
    "return ": ("only the output is returned", "the next block needs all three parts")})
# fmt: on


def start(scores, values):
    """Make the state before the first block."""
    ones = scores.new_ones(*scores.shape[:-1], 1)
    return ones * -math.inf, ones * 0, values.new_zeros(*scores.shape[:-1], values.shape[-1])


def walk(answer, scores, values, block):
    """Observe the state after all blocks."""
    state = start(scores, values)
    for some_scores, some_values in zip(scores.split(block, -1), values.split(block, -2), strict=True):
        found = answer(state, some_scores, some_values)
        state = tuple(select(found, part) for part in range(3))
    return state


def walk_gradients(answer, scores, values, block):
    """Observe the gradients of the last output with respect to all scores and values."""
    return gradients(2)(lambda s, v: walk(answer, s, v, block), scores, values)


walk_gradients.words = GRADIENT


def blocks(length, block, change=lambda scores: scores, leading="2", d_v=4, dtype=torch.float64):
    """Draw scores and values of so many keys, and change the scores."""

    def make(draw):
        scores, values = drawn(f"{leading} {length}; {leading} {length} {d_v}", dtype=dtype)(draw)
        return change(scores), values, block

    return make


def hidden(*keys, rows=...):
    """Give these keys the score -inf."""

    def change(scores):
        scores[rows, list(keys)] = -math.inf
        return scores

    return change


def ragged(scores):
    """Hide other keys in each row."""
    return scores.masked_fill(~Draw("ragged").mask(*scores.shape), -math.inf)


def falling(scores):
    """Let the largest score fall from block to block."""
    return scores.sort(-1, descending=True).values * 5


one_row = blocks(6, 2, hidden(0, 1, rows=0))
STATE = "maximum, total and output of all blocks so far, as if they had been one block"
task.require(
    "the first block",
    STATE,
    [Case("one block of 4 keys", blocks(4, 4, leading=""), walk),
     Case("one block, batch and heads", blocks(5, 5, leading="2 3"), walk),
     Case("one block, values of width 1", blocks(5, 5, leading="3", d_v=1), walk)],
    [Case("one block", blocks(6, 6, leading="4", d_v=1), walk)],
    "after one block: the largest score, the sum of e^(score - largest), and softmax(scores) times values",
)  # fmt: skip
task.require(
    "more blocks, as if they had been one",
    STATE,
    [Case("2 blocks of 3 keys", blocks(6, 3), walk), Case("7 keys in blocks of 3", blocks(7, 3, leading="2 3"), walk),
     Case("blocks of 1 key", blocks(5, 1, leading=""), walk),
     Case("blocks whose largest score falls", blocks(6, 2, falling), walk)],
    [Case("many blocks", blocks(23, 4, leading="3", d_v=5), walk),
     Case("blocks of 1 key, batch", blocks(9, 1, leading="2 2"), walk)],
    _TWO,
)  # fmt: skip
task.require(
    "large scores, and scores far below 0",
    STATE,
    [Case("scores of magnitude 1000", blocks(6, 2, lambda scores: 1e3 * scores), walk),
     Case("scores around -2000", blocks(6, 2, lambda scores: scores - 2e3), walk)],
    [Case("scores of magnitude 5000", blocks(8, 3, lambda scores: 5e3 * scores), walk),
     Case("scores around -1e4", blocks(8, 3, lambda scores: scores - 1e4), walk),
     Case("scores around 1e4", blocks(8, 3, lambda scores: scores + 1e4), walk)],
)  # fmt: skip
task.require(
    "a score of -inf counts for nothing, and a row of nothing but -inf stays as it is",
    "the state without the hidden keys; at the beginning a maximum of -inf, a sum of 0 and an output of 0",
    [Case("some keys hidden", blocks(6, 3, ragged, "3", 2), walk),
     Case("the second of 3 blocks is hidden", blocks(6, 2, hidden(2, 3)), walk),
     Case("the first of 3 blocks is hidden", blocks(6, 2, hidden(0, 1)), walk),
     Case("the first of 3 blocks is hidden from one of 2 rows", one_row, walk),
     Case("nothing but hidden keys", blocks(4, 2, hidden(0, 1, 2, 3)), walk),
     Case("nothing but hidden keys in one of 2 rows", blocks(4, 2, hidden(0, 1, 2, 3, rows=0)), walk)],
    [Case("other keys hidden, blocks of 1", blocks(7, 1, ragged, "2 3", 2), walk),
     Case("the last block is hidden", blocks(5, 3, hidden(3, 4), "2 2"), walk)],
    _HIDDEN,
)  # fmt: skip
task.require(
    "the gradient goes through all blocks",
    "the derivative of the attention to all keys",
    [Case("the gradient after 3 blocks", blocks(6, 2), walk_gradients),
     Case("the gradient, with a hidden block at the beginning", blocks(6, 2, hidden(0, 1)), walk_gradients),
     Case("the gradient, the first block hidden from one of 2 rows", one_row, walk_gradients)],
    [Case("the gradient after blocks of 1", blocks(4, 1, leading="2 2"), walk_gradients)],
)  # fmt: skip
ones = torch.ones
state_of_two = ones(2, 1), ones(2, 1), ones(2, 3)
task.limits(
    "a block without keys, float32, and wrong input",
    [
        Case("a block without keys", lambda draw: (state_of_two, ones(2, 0), ones(2, 0, 3))),
        Case("float32", blocks(7, 2, dtype=torch.float32), walk),
        refusal("scores of another batch", (state_of_two, ones(3, 4), ones(3, 4, 3)), "maximum"),
        refusal("values of another width", (state_of_two, ones(2, 4), ones(2, 4, 5)), "values"),
        refusal("values of another block", (state_of_two, ones(2, 4), ones(2, 5, 3)), "values"),
        refusal("a sum without its last dimension", ((ones(2, 1), ones(2), ones(2, 3)), ones(2, 4), ones(2, 4, 3)),
                "total"),
    ],
)  # fmt: skip
