"""Task `gru_cell` of exercise 02."""

import torch

from course_checks.cases import Case, call, gradients, refusal
from course_checks.rnn_encoder_decoder.shared import UNIT, hinted, saying
from course_checks.task import Task

task = Task("gru_cell", UNIT, ("gru", "rnn_tanh", "rnn_relu", "lstm"))


@task.oracle
def right(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh):
    """Take torch's own cell."""
    return torch.gru_cell(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh)


# fmt: off
for _order in ("zrn", "nzr", "rnz", "nrz", "znr"):
    _blocks = f".unflatten(1, (3, -1))[:, {[_order.index(gate) for gate in 'rzn']}].unbind(1)"
    task.edit_all(".chunk(3, dim=1)", {_blocks: (
        f"the blocks are read in the order {', '.join(_order)}, not r, z, n (reset, update, candidate)",
        "which rows of `weight_ih` are those of the reset gate? The task names the order")})
task.edit_all(".chunk(3, dim=1)", {".unflatten(1, (-1, 3)).unbind(2)": (
    "every third row is taken for a gate", "the rows of one gate lie side by side")})
task.edit("(1 - update) * candidate + update * hidden", hinted(
    "what should be left of the old state where z is 1, and where z is 0?", {
    "update * candidate + (1 - update) * hidden":
        "`z` and `1 - z` change places: the update gate keeps what it should replace",
    "candidate": "the update gate is not used: the new state is the candidate alone",
    "candidate + update * hidden": "the candidate is added whole, not multiplied by 1 - z",
    "(1 - update) * candidate": "the part of the old state, z times h, is missing",
    "(1 - update) * candidate + hidden": "the old state is added whole, not multiplied by z",
    "(1 - reset) * candidate + reset * hidden":
        "the reset gate stands where the update gate should: in the mixture of old and new"}))
task.edit("of_word[2] + reset * of_state[2])", hinted(
    "compare your line of the candidate with the formula of n, factor by factor", {
    "of_word[2] + (hidden * reset @ weight_hh.T + bias_hh).chunk(3, dim=1)[2])": "the reset gate is applied to the "
        "state before the matrix product (as in the first paper), not to W h + b",
    "of_word[2] + of_state[2])": "the candidate is computed without the reset gate",
    "of_word[2] + reset * (hidden @ weight_hh.T).chunk(3, dim=1)[2] + bias_hh.chunk(3)[2])":
        "the reset gate multiplies W_hn h alone, and not its bias b_hn",
    "reset * (of_word[2] + of_state[2]))": "the reset gate multiplies the part of the word too",
    "of_word[2] + of_state[2]) * reset": "the reset gate multiplies the result of tanh",
    "of_word[2] + (1 - reset) * of_state[2])": "1 - r stands in the place of r",
    "of_word[2] + update * of_state[2])":
        "the update gate stands where the reset gate should: in the candidate"}))
_COUNT = "count the biases in each of the three formulas"
_OF_GATES = "(torch.arange(len(bias_hh)) < 2 * hidden.shape[1])"
task.edit(" + bias_ih", {"": ("`bias_ih` is not added", _COUNT)})
task.edit(" + bias_hh", hinted(_COUNT, {
    "": "`bias_hh` is not added",
    f" + bias_hh * ~{_OF_GATES}": "`bias_hh` is missing in the gates",
    f" + bias_hh * {_OF_GATES}": "`bias_hh` is missing in the candidate"}))
_SQUASH = "a gate is a share, from 0 to 1; a candidate is a new state, from -1 to 1"
task.edit("torch.tanh(", hinted(_SQUASH, {
    "torch.sigmoid(": "the candidate goes through sigmoid, not tanh", "(": "the candidate has no tanh"}))
task.edit_all("torch.sigmoid(", hinted(_SQUASH, {
    "torch.tanh(": "the gates go through tanh, not sigmoid", "(": "the gates have no sigmoid"}))
task.edit_places({f"{name}.T": f"{name}.reshape({name}.shape[::-1])" for name in ("weight_ih", "weight_hh")},
                 "the weights are reshaped, not transposed, for the matrix product",
                 "write the shapes of both factors beside each product")
# fmt: on


def inputs(batch, d, d_hidden, dtype=torch.float64, scale=1.0, reset=0.0, update=0.0):
    """Draw a word, a state, and the weights of a cell; ``reset`` and ``update`` open (60) or close (-60) a gate."""
    rows = 3 * d_hidden

    def make(draw):
        shapes = (batch, d_hidden), (rows, d), (rows, d_hidden), (rows,), (rows,)
        drawn = [draw(batch, d, dtype=dtype, scale=scale), *(draw(*shape, dtype=dtype, scale=0.7) for shape in shapes)]
        drawn[4] += torch.tensor([reset, update, 0.0], dtype=dtype).repeat_interleave(d_hidden)
        return tuple(drawn)

    return make


def gate(situation, sizes, cause, **gates):
    """Make a case that tells which line is wrong."""
    return Case(f"{situation}; batch {sizes[0]}, d {sizes[1]}, d_hidden {sizes[2]}", inputs(*sizes, **gates),
                saying(call, "the new state", cause, "work out a state of one number by hand"))  # fmt: skip


def changed(position, change):
    """Draw inputs of which one is wrong."""
    return lambda draw: tuple(
        change(each) if number == position else each for number, each in enumerate(inputs(3, 5, 4)(draw))
    )


EXPECTED = "the state after the word, by the four formulas of the task, with the blocks in torch's order"
task.require(
    "both gates and the candidate",
    EXPECTED,
    [gate("an update gate of 1", (4, 3, 5), "the update gate, or the line that mixes old state and candidate",
          update=60),
     gate("an update gate of 0, a reset gate of 1", (4, 3, 5), "the candidate: its products, its biases, tanh (or "
          "a gate that is not 1 where its sum is large)",
          update=-60, reset=60),
     gate("an update gate of 0", (4, 3, 5), "the reset gate, or what it multiplies", update=-60),
     gate("gates between 0 and 1", (4, 3, 5), "the update gate: its rows, its biases, sigmoid; or the line with 1 - z"),
     Case("as many words as columns: batch, d and d_hidden are 4", inputs(4, 4, 4, torch.float32))],
    [Case("one word", inputs(1, 4, 3)), Case("d 7, d_hidden 5", inputs(3, 7, 5)),
     Case("float32", inputs(5, 3, 6, torch.float32)),
     Case("gates that are nearly open or closed", inputs(3, 5, 4, scale=20.0))],
    "work out one word with a state of one number by hand, and compare gate by gate",
)  # fmt: skip
task.require("the gradient is that of the formula", "the derivative of the formula with respect to every argument",
             [Case("the gradient; batch 2, d 4, d_hidden 3", inputs(2, 4, 3), gradients())],
             [Case("the gradient; batch 3, d 2, d_hidden 4", inputs(3, 2, 4), gradients())])  # fmt: skip
NAMES = ("x", "hidden", "weight_ih", "weight_hh", "bias_ih", "bias_hh")
task.limits(
    "words of one number, a state of one number, float16, and wrong input",
    [
        Case("words of one number", inputs(5, 1, 2)),
        Case("a state of one number", inputs(2, 6, 1)),
        Case("float16", inputs(2, 3, 4, torch.float16)),
        *(refusal(f"one row too many in {name}", changed(i, lambda t: torch.cat([t, t[:1]])), name if i > 1 else "")
          for i, name in enumerate(NAMES)),
        refusal("a bias of one number, which would broadcast", changed(5, lambda t: t[:1]), "bias_hh"),
    ],
    EXPECTED,
)  # fmt: skip
