"""Task `online_softmax_step` of exercise 17."""

import math

import torch

from course_checks.cases import GRADIENT, Case, gradients, refusal, select
from course_checks.efficient_attention.shared import UNIT
from course_checks.scaled_dot_product_attention.shared import right_softmax
from course_checks.task import Task
from course_checks.words import Wrong

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


@task.pipeline(
    old={
        "as it is": Wrong("what came before is not rescaled when a block brings a new largest score", "", _TWO),
        "inverse": Wrong("the factor for what came before is turned around: e^(new - old), not e^(old - new)", "",
                         "the factor is never above 1: what came before counts less, when a larger score comes"),
        "only the sum": Wrong("the old sum is rescaled, the old output is not", "", _TWO),
        "only the output": Wrong("the old output is rescaled, the old sum is not", "", _TWO),
        "twice": Wrong("the old output is rescaled twice: by the factor, and by a sum that already has it", "",
                       "write down what one old key weighs after the block: the factor stands in it once"),
    },
    mixed={
        "old output as a sum": Wrong("the old output is added to the sum of the block as if it had never been divided: "
                                     "it has to be multiplied by the old sum first", "", _TWO),
        "not divided": Wrong("the output is not divided by the sum, so it is not yet the attention to these blocks",
                             "the output is too large by the factor `total`",
                             "after one block the output is softmax(scores) times values"),
        "with the new sum, rescaled": Wrong("the old output is multiplied by the factor and by the new sum, as when "
                                            "`total` is overwritten before it is used; its keys have the old sum "
                                            "together", "", _TWO),
        "softmax": Wrong("softmax in the place of the exponentials: its weights sum to 1 in every block, and what they "
                         "were divided by is lost", "", "the sum of the first block is that of e^(score - largest): is "
                         "yours 1?"),
        "plain mean": Wrong("the values of the block come in as their plain mean, without weights", "", _TWO),
        "over d_v": Wrong("the weighted values are summed over their columns, not over the keys", "",
                          "print the shapes of the exponentials, of the values, and of their product"),
        "squeezed": Wrong("`squeeze()` without a dimension takes away every dimension of size 1, the width of the "
                          "values too", "", "say which dimension should go"),
        "by the number": Wrong("the output is divided by the number of keys, not by the sum of the exponentials", "",
                               _TWO),
        "with the new sum": Wrong("the old output is multiplied by the new sum; its keys have the old sum together", "",
                                  _TWO),
        "block alone": Wrong("the output is that of the last block alone", "", _TWO),
        "mean": Wrong("the outputs of the blocks are averaged", "", _TWO),
        "softmax of the block": Wrong("the block comes in with a softmax of its own, whose weights sum to 1", "", _TWO),
    },
    maximum={
        "block": Wrong("the largest score of the block takes the place of the largest so far, even where it is "
                       "smaller", "", "the largest score never falls from block to block"),
        "none": Wrong("no maximum is subtracted, so that e^score of a large score is infinite", "",
                      "subtract the largest score so far"),
        "none, returned": Wrong("the largest score is returned, and not subtracted: the sum holds e^score", "",
                                "the sum is that of e^(score - largest)"),
        "of the block alone": Wrong("the exponentials of a block are measured from its own largest score, even where "
                                    "an "
                                    "earlier score was larger", "", "from which number are old and new keys measured?"),
        "0 at least": Wrong("the maximum begins at 0 (or is never below it): scores far below 0 all vanish", "",
                            "the maximum of nothing is -inf, which the first state holds"),
        "of all rows": Wrong("the maximum is taken over all rows, not over the block of each row", "",
                             "`amax(dim=-1, keepdim=True)`: print its shape"),
    },
    empty={
        "0 / 0": Wrong("a row where nothing has been allowed so far is divided by its sum, which is 0: 0 / 0",
                       "numbers are NaN", "what is the sum of such a row? Give the division another number there"),
        "0 kept": Wrong("the number that stands in for a maximum of -inf is returned as the maximum", "",
                        "the state keeps -inf; the other number is only for the subtraction"),
        "nan": Wrong("in a row where nothing has been allowed so far, -inf minus -inf is NaN",
                     "numbers are NaN", _HIDDEN),
        "uniform": Wrong("-inf is replaced by a large finite number, so that a row of nothing but -inf attends to "
                         "everything equally", "", _HIDDEN),
        "starts anew": Wrong("a block of nothing but -inf forgets what came before", "",
                             "what should be left of a state, if a block changes nothing?"),
        "all rows at once": Wrong("the state is handed back only if *every* row of the block is -inf; a row that is "
                                  "-inf while another one is not still has -inf minus -inf", "numbers are NaN",
                                  "take two rows of which the first one has nothing but -inf: each row is treated for "
                                  "itself"),
        "bounded": Wrong("what is subtracted never falls below some number (`clamp`): of scores far below it all "
                         "exponentials vanish", "", "only a maximum of -inf needs another number in its place; print "
                         "what you subtract when all scores are around -2000"),
    },
    returned={
        "exchanged": Wrong("the parts come in another order", "", "maximum, total, output"),
        "old maximum": Wrong("the old maximum is returned", "", "which of your names holds the new one?"),
        "lse": Wrong("the maximum plus the logarithm of the sum is returned in the place of the sum", "", "the state "
                     "holds the sum itself"),
        "logarithm": Wrong("the logarithm of the sum is returned in its place", "", "the state holds the sum itself"),
        "output alone": Wrong("only the output is returned", "", "the next block needs all three parts"),
    },
)  # fmt: skip
def online_softmax_step(
    state, scores, values, *, old="rescaled", mixed="weighted", maximum="so far", empty="kept", returned="all"
):
    """Take one block in, with one choice for each part."""
    if scores.shape[-1] == 0 or (empty == "all rows at once" and bool((scores == -math.inf).all())):
        return state
    before, total, output = state
    top = scores.amax(-1, keepdim=True)
    if maximum == "of all rows":
        top = scores.max().expand_as(top)
    highest = torch.maximum(before, top)
    if empty == "starts anew":
        highest = torch.where(top == -math.inf, top, highest)
    highest = {"block": top, "none": torch.zeros_like(top), "0 at least": highest.clamp(min=0.0)}.get(maximum, highest)
    if empty == "uniform":
        scores, highest = scores.clamp(min=-1e9), highest.clamp(min=-1e9)
    shift = highest.masked_fill(highest == -math.inf, 0.0)
    shift = {"nan": highest, "all rows at once": highest, "bounded": highest.clamp(min=-1000.0)}.get(empty, shift)
    shift = torch.zeros_like(shift) if maximum == "none, returned" else shift
    block = (scores - (top.masked_fill(top == -math.inf, 0.0) if maximum == "of the block alone" else shift)).exp()
    block = scores.softmax(-1) if mixed == "softmax" else block
    factor = {"as it is": torch.ones_like(shift), "inverse": (shift - before).exp()}.get(old, (before - shift).exp())
    factor = torch.ones_like(shift) if maximum == "none, returned" else factor
    if empty == "starts anew":
        factor = factor.masked_fill(top == -math.inf, 0.0)
    sum_before = total * (1 if old == "only the output" else factor)
    weight = total * {"only the sum": 1, "twice": factor**2}.get(old, factor)
    new_total = sum_before + block.sum(-1, keepdim=True)
    divisor = new_total if empty in ("nan", "all rows at once", "0 / 0") else new_total.masked_fill(new_total == 0, 1.0)
    added = (block.unsqueeze(-2) @ values).squeeze(-2)
    added = added.squeeze() if mixed == "squeezed" else added
    if mixed in ("plain mean", "over d_v"):
        added = values.mean(-2) if mixed == "plain mean" else (block.unsqueeze(-1) * values).sum(-1)
    new = {
        "old output as a sum": lambda: (factor * output + added) / divisor,
        "not divided": lambda: factor * output + added,
        "with the new sum, rescaled": lambda: (factor * new_total * output + added) / divisor,
        "by the number": lambda: (weight * output + added) / scores.shape[-1],
        "with the new sum": lambda: (new_total * output + added) / divisor,
        "block alone": lambda: added / divisor,
        "mean": lambda: (output + added / block.sum(-1, keepdim=True)) / 2,
        "softmax of the block": lambda: weight * output / divisor + added / block.sum(-1, keepdim=True),
    }.get(mixed, lambda: (weight * output + added) / divisor)()
    if returned == "output alone":
        return new
    if returned == "exchanged":
        return new_total, highest, new
    first = before if returned == "old maximum" else shift if empty == "0 kept" else highest
    second = {"logarithm": new_total.log(), "lse": highest + new_total.log()}.get(returned, new_total)
    return first, second, new


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


def blocks(length, block, leading=(2,), d_v=4, dtype=torch.float64, scale=1.0, shift=0.0, hidden=()):
    """Draw scores and values of so many keys; ``hidden`` keys have the score -inf."""

    def make(draw):
        scores = draw(*leading, length, dtype=dtype, scale=scale) + shift
        scores[..., list(hidden)] = -math.inf
        return scores, draw(*leading, length, d_v, dtype=dtype), block

    return make


def ragged(length, block, leading=(3,), d_v=2):
    """Draw scores of which each row hides others."""

    def make(draw):
        scores = draw(*leading, length, dtype=torch.float64).masked_fill(~draw.mask(*leading, length), -math.inf)
        return scores, draw(*leading, length, d_v, dtype=torch.float64), block

    return make


def one_row(length, block, leading=(2,), d_v=4):
    """Draw scores of which the first row hides the whole first block, and the others nothing."""

    def make(draw):
        scores, values, _ = blocks(length, block, leading, d_v)(draw)
        scores[(0,) * len(leading)][:block] = -math.inf
        return scores, values, block

    return make


def falling(draw):
    """Draw blocks whose largest score falls."""
    scores, values, block = blocks(6, 2)(draw)
    return scores.sort(-1, descending=True).values * 5, values, block


STATE = "maximum, total and output of all blocks so far, as if they had been one block"
task.require(
    "the first block",
    STATE,
    [Case("one block of 4 keys", blocks(4, 4, ()), walk),
     Case("one block, batch and heads", blocks(5, 5, (2, 3)), walk),
     Case("one block, values of width 1", blocks(5, 5, (3,), 1), walk)],
    [Case("one block", blocks(6, 6, (4,), 1), walk)],
    "after one block: the largest score, the sum of e^(score - largest), and softmax(scores) times values",
)  # fmt: skip
task.require(
    "more blocks, as if they had been one",
    STATE,
    [Case("2 blocks of 3 keys", blocks(6, 3), walk), Case("7 keys in blocks of 3", blocks(7, 3, (2, 3)), walk),
     Case("blocks of 1 key", blocks(5, 1, ()), walk), Case("blocks whose largest score falls", falling, walk)],
    [Case("many blocks", blocks(23, 4, (3,), 5), walk), Case("blocks of 1 key, batch", blocks(9, 1, (2, 2)), walk)],
    _TWO,
)  # fmt: skip
task.require(
    "large scores, and scores far below 0",
    STATE,
    [Case("scores of magnitude 1000", blocks(6, 2, scale=1e3), walk),
     Case("scores around -2000", blocks(6, 2, shift=-2e3), walk)],
    [Case("scores of magnitude 5000", blocks(8, 3, scale=5e3), walk),
     Case("scores around -1e4", blocks(8, 3, shift=-1e4), walk),
     Case("scores around 1e4", blocks(8, 3, shift=1e4), walk)],
)  # fmt: skip
task.require(
    "a score of -inf counts for nothing, and a row of nothing but -inf stays as it is",
    "the state without the hidden keys; at the beginning a maximum of -inf, a sum of 0 and an output of 0",
    [Case("some keys hidden", ragged(6, 3), walk), Case("the second of 3 blocks is hidden",
                                                         blocks(6, 2, hidden=(2, 3)), walk),
     Case("the first of 3 blocks is hidden", blocks(6, 2, hidden=(0, 1)), walk),
     Case("the first of 3 blocks is hidden from one of 2 rows", one_row(6, 2), walk),
     Case("nothing but hidden keys", blocks(4, 2, hidden=range(4)), walk)],
    [Case("other keys hidden, blocks of 1", ragged(7, 1, (2, 3)), walk),
     Case("the last block is hidden", blocks(5, 3, (2, 2), hidden=(3, 4)), walk)],
    _HIDDEN,
)  # fmt: skip
task.require(
    "the gradient goes through all blocks",
    "the derivative of the attention to all keys",
    [Case("the gradient after 3 blocks", blocks(6, 2), walk_gradients),
     Case("the gradient, with a hidden block at the beginning", blocks(6, 2, hidden=(0, 1)), walk_gradients),
     Case("the gradient, the first block hidden from one of 2 rows", one_row(6, 2), walk_gradients)],
    [Case("the gradient after blocks of 1", blocks(4, 1, (2, 2)), walk_gradients)],
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
