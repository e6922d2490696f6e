"""Task `gru_cell` of exercise 02."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, call, gradients, refusal
from course_checks.rnn_encoder_decoder.shared import UNIT, hinted, saying
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("gru_cell", UNIT, ("gru", "rnn_tanh", "rnn_relu", "lstm"))


@task.oracle
def right(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh):
    """Take torch's own cell."""
    return torch.gru_cell(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh)


@task.pipeline(
    blocks={
        order: Wrong(f"the blocks are read in the order {', '.join(order)}, not r, z, n (reset, update, candidate)", "",
                     "which rows of `weight_ih` are those of the reset gate? The task names the order")
        for order in ("zrn", "nzr", "rnz", "nrz", "znr")
    } | hinted("the rows of one gate lie side by side", {"every third": "every third row is taken for a gate"}),
    update=hinted("what should be left of the old state where z is 1, and where z is 0?", {
        "turned": "`z` and `1 - z` change places: the update gate keeps what it should replace",
        "none": "the update gate is not used: the new state is the candidate alone",
        "added": "the candidate is added whole, not multiplied by 1 - z",
        "old lost": "the part of the old state, z times h, is missing",
        "old whole": "the old state is added whole, not multiplied by z",
        "reset": "the reset gate stands where the update gate should: in the mixture of old and new",
    }),
    reset=hinted("compare your line of the candidate with the formula of n, factor by factor", {
        "before": "the reset gate is applied to the state before the matrix product (as in the first paper), not to "
                  "W h + b",
        "not used": "the candidate is computed without the reset gate",
        "without bias": "the reset gate multiplies W_hn h alone, and not its bias b_hn",
        "word too": "the reset gate multiplies the part of the word too",
        "outside": "the reset gate multiplies the result of tanh",
        "turned": "1 - r stands in the place of r",
        "update": "the update gate stands where the reset gate should: in the candidate",
    }),
    bias=hinted("count the biases in each of the three formulas", {
        "no hh": "`bias_hh` is not added",
        "no ih": "`bias_ih` is not added",
        "gates no hh": "`bias_hh` is missing in the gates",
        "candidate no hh": "`bias_hh` is missing in the candidate",
    }),
    squash=hinted("a gate is a share, from 0 to 1; a candidate is a new state, from -1 to 1", {
        "candidate sigmoid": "the candidate goes through sigmoid, not tanh",
        "candidate plain": "the candidate has no tanh",
        "gates tanh": "the gates go through tanh, not sigmoid",
        "gates plain": "the gates have no sigmoid",
    }),
    product=hinted("write the shapes of both factors beside each product", {
        "reshaped": "the weights are reshaped, not transposed, for the matrix product"}),
)  # fmt: skip
def gru_cell(
    x, hidden, weight_ih, weight_hh, bias_ih, bias_hh, *, blocks="rzn", update="z", reset="r", bias="both",
    squash="right", product="right",
):  # fmt: skip
    """Compute the cell with one choice for each step."""
    bias_ih, bias_hh = bias_ih * (bias != "no ih"), bias_hh * (bias != "no hh")
    if product == "reshaped":
        weight_ih, weight_hh = (each.reshape(each.shape[::-1]).T for each in (weight_ih, weight_hh))

    def parts(numbers):
        apart = [numbers[..., i::3] for i in range(3)] if blocks == "every third" else numbers.chunk(3, -1)
        return dict(zip("rzn" if blocks == "every third" else blocks, apart, strict=True))

    word, state = parts(F.linear(x, weight_ih, bias_ih)), parts(F.linear(hidden, weight_hh, bias_hh))
    of_state = parts(bias_hh)
    gate = {"gates tanh": torch.tanh, "gates plain": lambda before: before}.get(squash, torch.sigmoid)
    r, z = (gate(word[name] + state[name] - of_state[name] * (bias == "gates no hh")) for name in "rz")
    if bias == "candidate no hh":
        state["n"] = state["n"] - of_state["n"]
    inside = {"turned": 1 - r, "update": z, "not used": 1, "outside": 1}.get(reset, r)
    n = word["n"] + inside * state["n"]
    if reset == "before":
        n = word["n"] + parts(F.linear(hidden * r, weight_hh, bias_hh))["n"]
    elif reset == "without bias":
        n = word["n"] + r * (state["n"] - of_state["n"]) + of_state["n"]
    elif reset == "word too":
        n = r * (word["n"] + state["n"])
    n = {"candidate sigmoid": torch.sigmoid, "candidate plain": lambda before: before}.get(squash, torch.tanh)(n)
    n, z = n * r if reset == "outside" else n, r if update == "reset" else z
    old, new = {"turned": (1 - z, z), "none": (0, 1), "added": (z, 1), "old lost": (0, 1 - z),
                "old whole": (1, 1 - z)}.get(update, (z, 1 - z))  # fmt: skip
    return new * n + old * hidden


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
task.require(
    "the gradient is that of the formula",
    "the derivative of the formula with respect to every argument",
    [Case("the gradient; batch 2, d 4, d_hidden 3", inputs(2, 4, 3), gradients())],
    [Case("the gradient; batch 3, d 2, d_hidden 4", inputs(3, 2, 4), gradients())],
)
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
