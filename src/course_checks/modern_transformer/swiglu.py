"""Task `swiglu` of exercise 18."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.modern_transformer.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("swiglu", UNIT, ("glu",))
_ONE = "take one feature and one hidden unit, x = 1: with w_gate = 0 the result is 0, whatever w_up says"
_SILU = "silu(z) is z * sigmoid(z): what is silu(1)?"
_WAY = "`nn.Linear` stores (out, in): which way round does `x @ ...` want the matrix?"


@task.oracle
def right(x, w_gate, w_up, w_down):
    """Multiply by linear layers, and write silu out."""
    gate = F.linear(x, w_gate)
    return F.linear(gate / (1 + (-gate).exp()) * F.linear(x, w_up), w_down)


@task.pipeline(
    matrices={
        "exchanged": Wrong("`w_gate` and `w_up` change places: silu stands on what comes out of `w_up`", "",
                           "which of the two goes through silu?"),
        "gate twice": Wrong("`w_gate` is used twice, `w_up` never", "", "three matrices, each used once"),
        "up twice": Wrong("`w_up` is used twice, `w_gate` never", "", "three matrices, each used once"),
    },
    bend={
        "both": Wrong("silu stands on both products; only the gate is bent", "", _ONE),
        "sigmoid": Wrong("the gate is sigmoid(z) alone, as in the GLU of 2017; silu is z * sigmoid(z)", "", _SILU),
        "gelu": Wrong("the gate goes through GELU, as in GEGLU", "", _SILU),
        "relu": Wrong("the gate goes through ReLU, as in ReGLU", "", _SILU),
        "none": Wrong("nothing is bent: the gate is the product itself", "", _SILU),
        "input": Wrong("x itself goes through silu, before it meets `w_gate`; what is bent is the product with "
                       "`w_gate`",
                       "", _ONE),
        "inputs": Wrong("x itself goes through silu, before both products; what is bent is the product with `w_gate`",
                        "", _ONE),
        "whole": Wrong("silu is taken of the whole result, not of the gate", "",
                       "the result may be negative and large"),
        "tanh": Wrong("the gate goes through tanh", "", _SILU),
        "softmax": Wrong("the gate goes through softmax", "", _SILU),
        "times z": Wrong("silu is multiplied by the gate once more: silu(z) is z * sigmoid(z) already", "", _SILU),
        "behind": Wrong("silu stands behind the product of the two, not on the gate alone", "", _ONE),
    },
    joined={
        "sum": Wrong("the two are added, not multiplied", "", _ONE),
        "one more": Wrong("1 is added to what comes out of `w_up`", "", "with w_up = 0 the result is 0"),
        "gate alone": Wrong("the product with `w_up` is left out, as in a network with two matrices", "", _ONE),
    },
    down={
        "none": Wrong("`w_down` is not used: the result has d_ff features", "", "what leads back to d_model?"),
        "bent": Wrong("silu stands behind `w_down` too", "", "the result may be negative and large"),
    },
    residual={"added": Wrong("x is added; the block does that, not this function", "", "let w_down be zeros")},
    transposed={"down": Wrong("`w_down` is multiplied without being transposed", "", _WAY),
                "all": Wrong("the matrices are multiplied without being transposed", "", _WAY)},
)  # fmt: skip
def swiglu(
    x, w_gate, w_up, w_down, *, matrices="right", bend="silu", joined="product", down="used", residual="none",
    transposed="right",
):  # fmt: skip
    """Compute with one choice for each step."""
    if matrices == "exchanged":
        w_gate, w_up = w_up, w_gate
    elif matrices == "gate twice":
        w_up = w_gate
    elif matrices == "up twice":
        w_gate = w_up
    read = (F.silu(x) if bend in ("input", "inputs") else x, F.silu(x) if bend == "inputs" else x)
    gate, up = (y @ (w if transposed == "all" else w.T) for y, w in zip(read, (w_gate, w_up), strict=True))
    unbent = dict.fromkeys(("none", "behind", "input", "inputs", "whole"), lambda z: z)
    bent = unbent | {"sigmoid": torch.sigmoid, "gelu": F.gelu, "relu": torch.relu, "tanh": torch.tanh,
                     "softmax": lambda z: z.softmax(-1), "times z": lambda z: z * F.silu(z)}  # fmt: skip
    gate = bent.get(bend, F.silu)(gate)
    up = F.silu(up) if bend == "both" else up
    hidden = {"sum": gate + up, "gate alone": gate, "one more": gate * (1 + up)}.get(joined, gate * up)
    hidden = F.silu(hidden) if bend == "behind" else hidden
    result = hidden if down == "none" else hidden @ (w_down if transposed in ("down", "all") else w_down.T)
    result = F.silu(result) if down == "bent" or bend == "whole" else result
    return result + x if residual == "added" else result


def drawn(*shape, d_ff, dtype=torch.float64):
    """Draw words and matrices."""
    return lambda draw: (
        draw(*shape, dtype=dtype),
        draw(d_ff, shape[-1], dtype=dtype),
        draw(d_ff, shape[-1], dtype=dtype),
        draw(shape[-1], d_ff, dtype=dtype),
    )


def by_hand(draw):
    """Take one feature and one hidden unit."""
    return tuple(torch.tensor([[number]]) for number in (1.0, 0.7, -1.9, 2.3))


EXPECTED = "(silu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T, in the shape of x"
task.require(
    "the gate is bent, and multiplies what comes up",
    EXPECTED,
    [Case("one feature, one hidden unit", by_hand), Case("2 sentences of 3 words, d_model 4, d_ff 6", drawn(2, 3, 4,
                                                                                                       d_ff=6)),
     Case("as many hidden units as features", drawn(3, 5, d_ff=5))],
    [Case("a vector", drawn(5, d_ff=7)), Case("fewer hidden units than features", drawn(2, 4, 6, d_ff=3)),
     Case("float32", drawn(2, 2, 3, d_ff=8, dtype=torch.float32))],
    _ONE,
)  # fmt: skip
task.require(
    "gradients flow to x and to the three matrices",
    "the derivative of the formula",
    [Case("the gradients, 3 words", drawn(3, 4, d_ff=5), gradients())],
    [Case("the gradients, other sizes", drawn(2, 2, 3, d_ff=4), gradients())],
)


def _ones(*shapes):
    return tuple(torch.ones(shape) for shape in shapes)


task.limits(
    "one word of one feature, and wrong input",
    [
        Case("one word of one feature", drawn(1, 1, d_ff=3)),
        refusal("words of another width", _ones((2, 5), (6, 4), (6, 4), (4, 6)), "x"),
        refusal("w_up of another size", _ones((2, 4), (6, 4), (5, 4), (4, 6)), "w_up"),
        refusal("w_down the wrong way round", _ones((2, 4), (6, 4), (6, 4), (6, 4)), "w_down"),
    ],
)
