"""Task `attention_rollout` of exercise 12."""

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.inside_attention.inputs import UNIT, maps
from course_checks.task import Task
from course_checks.words import Wrong

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


@task.pipeline(
    heads={
        "sum": Wrong("the heads are summed, not averaged", "", "the formula has the mean of the heads"),
        "largest": Wrong("the largest weight of all heads is taken, not the mean", "", "the mean of the heads"),
        "first": Wrong("only the first head is followed", "", "the mean of the heads"),
        "own": Wrong("every head is followed on its own, and the results are averaged", "",
                     "the heads are averaged in each layer, before the product"),
        "layers": Wrong("layers and heads are exchanged", "", "which dimension are the layers?"),
    },
    identity={
        "none": Wrong("the identity, for the residual connection, is missing", "", "half of what passes on is x"),
        "whole": Wrong("the identity is added whole, and the rows are not normalised", "", _ROW),
        "end": Wrong("the identity is added at the end, not in every layer", "", "every block has a residual"),
        "tenth": Wrong("other shares than a half and a half", "", "0.5 and 0.5"),
    },
    rows={
        "missing": Wrong("the rows are not divided by their sum again", "a row of zeros does not sum to 1", _ROW),
        "columns": Wrong("the columns are divided by their sum, not the rows", "", _ROW),
        "no keepdim": Wrong("the sums lose their dimension (`keepdim`): columns are divided by the sums of rows",
                            "", _ROW),
        "number": Wrong("the rows are divided by the number of words", "", _ROW),
        "before": Wrong("the rows are divided before the identity is added", "", _ROW),
    },
    order={
        "right": Wrong("a new layer is multiplied from the right; it stands on the left", "", _TWO),
        "last first": Wrong("the layers are taken from the last to the first", "", _TWO),
        "by number": Wrong("the layers are multiplied number by number, not as matrices", "", "use `@`"),
        "averaged": Wrong("the layers are averaged, not multiplied", "", "R of a layer is a product"),
        "transposed": Wrong("the result is transposed", "", "row i says from which inputs position i is mixed"),
    },
    layers={
        "no first": Wrong("the first layer is left out", "", "R_0 is the identity, R_1 the first layer"),
        "no last": Wrong("the last layer is left out", "", "how many factors has the product?"),
        "only last": Wrong("only the last layer is used", "", "how many factors has the product?"),
        "all returned": Wrong("R of every layer is returned", "", "return that of the last layer"),
    },
)  # fmt: skip
def attention_rollout(weights, *, heads="mean", identity="half", rows="sum", order="left", layers="all"):
    """Follow with one choice for each step."""
    n = weights.shape[-1]
    one = torch.eye(n, dtype=weights.dtype)
    if heads == "own":
        return torch.stack([right(weights[:, head, None]) for head in range(weights.shape[1])]).mean(0)
    weights = weights.transpose(0, 1) if heads == "layers" else weights
    means = {"sum": weights.sum(1), "largest": weights.amax(1), "first": weights[:, 0]}.get(heads, weights.mean(1))
    means = {"no first": means[1:], "no last": means[:-1], "only last": means[-1:]}.get(layers, means)
    result, every = one, []
    for mean in means.flip(0) if order == "last first" else means:
        if rows == "before":
            mean = mean / mean.sum(-1, keepdim=True)
        mixed = {"none": mean, "whole": mean + one, "end": mean, "tenth": 0.9 * mean + 0.1 * one}.get(
            identity, 0.5 * mean + 0.5 * one
        )
        if rows == "sum" and identity != "whole":
            mixed = mixed / mixed.sum(-1, keepdim=True)
        elif rows == "columns":
            mixed = mixed / mixed.sum(-2, keepdim=True)
        elif rows == "no keepdim":
            mixed = mixed / mixed.sum(-1)
        elif rows == "number":
            mixed = mixed / n
        result = {"right": result @ mixed, "by number": result * mixed, "averaged": result + mixed}.get(
            order, mixed @ result
        )
        every.append(result)
    result = (result - one) / len(means) if order == "averaged" else result
    result = 0.5 * result + 0.5 * one if identity == "end" else result
    result = result.T if order == "transposed" else result
    return torch.stack(every) if layers == "all returned" else result


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
