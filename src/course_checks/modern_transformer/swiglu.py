"""Task `swiglu` of exercise 18."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.modern_transformer.shared import UNIT
from course_checks.task import Task

task = Task("swiglu", UNIT, ("glu",))
_ONE = "take one feature and one hidden unit, x = 1: with w_gate = 0 the result is 0, whatever w_up says"
_SILU = "silu(z) is z * sigmoid(z): what is silu(1)?"
_WAY = "`nn.Linear` stores (out, in): which way round does `x @ ...` want the matrix?"


@task.oracle
def right(x, w_gate, w_up, w_down):
    """Multiply by linear layers, and write silu out."""
    gate = F.linear(x, w_gate)
    return F.linear(gate / (1 + (-gate).exp()) * F.linear(x, w_up), w_down)


# fmt: off
_WHICH, _THREE = "which of the two goes through silu?", "three matrices, each used once"
_SIZE = "the result may be negative and large"
task.edit("F.silu(x @ w_gate.T) * (x @ w_up.T)", {
    "F.silu(x @ w_up.T) * (x @ w_gate.T)": (
        "`w_gate` and `w_up` change places: silu stands on what comes out of `w_up`", _WHICH),
    "(F.silu(x) @ w_gate.T) * (F.silu(x) @ w_up.T)": (
        "x itself goes through silu, before both products; what is bent is the product with `w_gate`", _ONE),
    "F.silu((x @ w_gate.T) * (x @ w_up.T))": ("silu stands behind the product of the two, not on the gate alone", _ONE),
    "(F.silu(x @ w_gate.T) + x @ w_up.T)": ("the two are added, not multiplied", _ONE),
    "F.silu(x @ w_gate.T)": ("the product with `w_up` is left out, as in a network with two matrices", _ONE)})
task.edit("F.silu(x @ w_gate.T)", {
    "F.silu(x @ w_up.T)": ("`w_up` is used twice, `w_gate` never", _THREE),
    "(x @ w_gate.T).sigmoid()": ("the gate is sigmoid(z) alone, as in the GLU of 2017; silu is z * sigmoid(z)", _SILU),
    "F.gelu(x @ w_gate.T)": ("the gate goes through GELU, as in GEGLU", _SILU),
    "F.relu(x @ w_gate.T)": ("the gate goes through ReLU, as in ReGLU", _SILU),
    "torch.tanh(x @ w_gate.T)": ("the gate goes through tanh", _SILU),
    "(x @ w_gate.T).softmax(-1)": ("the gate goes through softmax", _SILU),
    "(x @ w_gate.T)": ("nothing is bent: the gate is the product itself", _SILU),
    "(F.silu(x) @ w_gate.T)": (
        "x itself goes through silu, before it meets `w_gate`; what is bent is the product with `w_gate`", _ONE),
    "(x @ w_gate.T) * F.silu(x @ w_gate.T)": (
        "silu is multiplied by the gate once more: silu(z) is z * sigmoid(z) already", _SILU)})
task.edit("(x @ w_up.T)", {
    "(x @ w_gate.T)": ("`w_gate` is used twice, `w_up` never", _THREE),
    "F.silu(x @ w_up.T)": ("silu stands on both products; only the gate is bent", _ONE),
    "(1 + x @ w_up.T)": ("1 is added to what comes out of `w_up`", "with w_up = 0 the result is 0")})
task.edit(" @ w_down.T", {
    "": ("`w_down` is not used: the result has d_ff features", "what leads back to d_model?"),
    " @ w_down": ("`w_down` is multiplied without being transposed", _WAY)})
task.edit_all(".T", {"": ("the matrices are multiplied without being transposed", _WAY)})
task.edit("(F.silu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T", {
    "F.silu((x @ w_gate.T) * (x @ w_up.T) @ w_down.T)": ("silu is taken of the whole result, not of the gate", _SIZE),
    "F.silu((F.silu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T)": ("silu stands behind `w_down` too", _SIZE)})
task.edit("return ", {"return x + ": ("x is added; the block does that, not this function", "let w_down be zeros")})
# fmt: on

EXPECTED = "(silu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T, in the shape of x"
task.require(
    "the gate is bent, and multiplies what comes up",
    EXPECTED,
    [Case("one feature, one hidden unit", lambda draw: tuple(torch.tensor([[x]]) for x in (1.0, 0.7, -1.9, 2.3))),
     Case("2 sentences of 3 words, d_model 4, d_ff 6", drawn("2 3 4; 6 4; 6 4; 4 6", dtype=torch.float64)),
     Case("as many hidden units as features", drawn("3 5; 5 5; 5 5; 5 5"))],
    [Case("a vector", drawn("5; 7 5; 7 5; 5 7")),
     Case("fewer hidden units than features", drawn("2 4 6; 3 6; 3 6; 6 3", dtype=torch.float64)),
     Case("more of them", drawn("2 2 3; 8 3; 8 3; 3 8"))],
    _ONE,
)  # fmt: skip
task.require(
    "gradients flow to x and to the three matrices",
    "the derivative of the formula",
    [Case("the gradients, 3 words", drawn("3 4; 5 4; 5 4; 4 5"), gradients())],
    [Case("the gradients, other sizes", drawn("2 2 3; 4 3; 4 3; 3 4"), gradients())],
)
task.limits(
    "one word of one feature, and wrong input",
    [
        Case("one word of one feature", drawn("1 1; 3 1; 3 1; 1 3")),
        refusal("words of another width", drawn("2 5; 6 4; 6 4; 4 6"), "x"),
        refusal("w_up of another size", drawn("2 4; 6 4; 5 4; 4 6"), "w_up"),
        refusal("w_down the wrong way round", drawn("2 4; 6 4; 6 4; 6 4"), "w_down"),
    ],
)
