"""Task `attention_rollout` of exercise 12."""

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.inside_attention.inputs import UNIT, maps
from course_checks.task import Task

task = Task("attention_rollout", UNIT)
_TWO = "work out two layers of two words by hand: which factor stands on the left?"
_ROW = "every row of the result must sum to 1"


@task.oracle
def right(weights):
    """Follow the formula with one chain of products."""
    n = weights.shape[-1]
    one = torch.eye(n, dtype=weights.dtype)
    steps = [0.5 * layer.sum(0) / layer.shape[0] + 0.5 * one for layer in weights]
    steps = [step / step.sum(-1, keepdim=True) for step in steps]
    result = one
    for step in steps:
        result = torch.einsum("ij,jk->ik", step, result)
    return result


# fmt: off
task.cancel("weights.mean(dim=1).flip(0)", "rollout @ (mixed / mixed.sum(dim=-1, keepdim=True))")
task.edit("weights.mean(dim=1)", {
    "weights.sum(dim=1)": ("the heads are summed, not averaged", "the formula has the mean of the heads"),
    "weights.amax(dim=1)": ("the largest weight of all heads is taken, not the mean", "the mean of the heads"),
    "weights[:, 0]": ("only the first head is followed", "the mean of the heads"),
    "weights.mean(dim=0)": ("layers and heads are exchanged", "which dimension are the layers?"),
    "[*weights.mean(dim=1)[:1], *weights.mean(dim=1)]": (
        "the first layer is used twice", "how many factors has the product?"),
    "weights.mean(dim=1).flip(0)": ("the layers are taken from the last to the first", _TWO),
    "weights.mean(dim=1)[1:]": ("the first layer is left out", "R_0 is the identity, R_1 the first layer"),
    "weights.mean(dim=1)[:-1]": ("the last layer is left out", "how many factors has the product?"),
    "weights.mean(dim=1)[-1:]": ("only the last layer is used", "how many factors has the product?"),
})
task.edit("for attention in weights.mean(dim=1):\nmixed = 0.5 * attention + 0.5 * identity\n"
          "rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout", {
    "for attention in weights:\n    mixed = 0.5 * attention + 0.5 * identity\n    rollout = mixed / mixed.sum(dim=-1, "
    "keepdim=True) @ rollout\nrollout = rollout.mean(0)": (
        "every head is followed on its own, and the results are averaged",
        "the heads are averaged in each layer, before the product"),
    "for attention in weights.mean(dim=1):\n    rollout = attention / attention.sum(dim=-1, keepdim=True) @ rollout\n"
    "rollout = 0.5 * rollout + 0.5 * identity": (
        "the identity is added at the end, not in every layer", "every block has a residual"),
})
task.edit("0.5 * attention + 0.5 * identity", {
    "attention": ("the identity, for the residual connection, is missing", "half of what passes on is x"),
    "0.5 * attention + identity": ("half of the attention is added to the whole identity", "0.5 and 0.5"),
    "0.9 * attention + 0.1 * identity": ("other shares than a half and a half", "0.5 and 0.5"),
    "0.5 * attention / attention.sum(dim=-1, keepdim=True) + 0.5 * identity": (
        "the rows are divided before the identity is added", _ROW),
})
task.edit("mixed / mixed.sum(dim=-1, keepdim=True) @ rollout", {
    "mixed.softmax(dim=-1) @ rollout": ("softmax in the place of a division by the sum of the row", _ROW),
    "mixed / mixed.sum(dim=-1, keepdim=True) @ rollout.mT": (
        "the product so far is transposed in every step: the sum runs over its columns, not over its rows", _TWO),
    "mixed @ rollout": ("the rows are not divided by their sum again", _ROW, "a row of zeros does not sum to 1"),
    "mixed / mixed.sum(dim=-2, keepdim=True) @ rollout": (
        "the columns are divided by their sum, not the rows", _ROW),
    "mixed / mixed.sum(dim=-1) @ rollout": (
        "the sums lose their dimension (`keepdim`): columns are divided by the sums of rows", _ROW),
    "mixed / len(mixed) @ rollout": ("the rows are divided by the number of words", _ROW),
    "rollout @ (mixed / mixed.sum(dim=-1, keepdim=True))": (
        "a new layer is multiplied from the right; it stands on the left", _TWO),
    "mixed / mixed.sum(dim=-1, keepdim=True) * rollout": (
        "the layers are multiplied number by number, not as matrices", "use `@`"),
})
task.edit_places({"rollout = identity": "rollout = 0.0 * identity",
                  "keepdim=True) @": "keepdim=True) / len(weights) +"},
                 "the layers are averaged, not multiplied", "R of a layer is a product")
task.edit_places({"0.5 * attention + 0.5 * identity": "attention + identity",
                  "mixed / mixed.sum(dim=-1, keepdim=True) @": "mixed @"},
                 "the identity is added whole, and the rows are not normalised", _ROW)
task.edit_places({"mixed / mixed.sum(dim=-1, keepdim=True) @": "mixed @",
                  "return rollout": "return rollout / rollout.sum(dim=-1, keepdim=True)"},
                 "the rows are divided by their sums once, at the end, not in every layer",
                 "of which position does a row not sum to 1, and who reads that position in the next layer?")
task.edit("return rollout", {
    "return rollout.T": ("the result is transposed", "row i says from which inputs position i is mixed")})
task.edit_places({"rollout = identity": "rollout, every = identity, []",
                  "@ rollout": "@ rollout\nevery.append(rollout)", "return rollout": "return torch.stack(every)"},
                 "R of every layer is returned", "return that of the last layer")
# fmt: on


def with_rows_of_zeros(draw):
    """Draw maps in which a position attends to nothing, in all layers or in one head of one."""
    drawn = maps(3, 2, 4, 4)(draw)[0]
    drawn[:, :, 1], drawn[1, 0, 2] = 0.0, 0.0
    return (drawn,)


EXPECTED = "row i says from which inputs position i of the last layer is mixed, and sums to 1"
task.require(
    "the shares of the inputs, through all layers",
    EXPECTED,
    [Case("3 layers, 2 heads, 4 words", maps(3, 2, 4, 4)), Case("under a causal mask", maps(2, 3, 5, 5, hidden=True)),
     Case("a position that attends to nothing keeps what it was", with_rows_of_zeros),
     Case("the gradient", maps(2, 2, 3, 3), gradients())],
    [Case("one layer", maps(1, 2, 4, 4)), Case("one head", maps(2, 1, 5, 5)), Case("many layers", maps(12, 2, 7, 7)),
     Case("4 of everything", maps(4, 4, 4, 4)), Case("rows of zeros", with_rows_of_zeros),
     Case("float32", maps(3, 2, 4, 4, dtype=torch.float32))],
)  # fmt: skip
task.limits(
    "no layer, one word, float16, and wrong input",
    [
        Case("no layer", (torch.zeros(0, 2, 3, 3).double(),)),
        Case("one word", maps(2, 3, 1, 1)),
        Case("float16", maps(2, 2, 3, 3, dtype=torch.float16)),
        refusal("maps without heads", (torch.ones(2, 4, 4) / 4,)),
        refusal("maps that are not square", (torch.ones(2, 3, 4, 3) / 3,)),
        refusal("no heads", (torch.ones(2, 0, 4, 4),)),
    ],
)
