"""Known mistakes about attention maps, for exercise 12: what code with each of them returns."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from transformer_course.checks.oracles_inside import right_entropy, right_rollout, right_similarity
from transformer_course.checks.reporting import Mistake

EVEN = "try a row that is even over 4 keys, `[0.25, 0.25, 0.25, 0.25]`: its entropy is ln 4, about 1.386"
SAME_MAP = "try a layer whose heads all have the same map, and one whose heads never look at the same key"
TWO_STEPS = (
    "try two layers of 3 positions, each the identity but for one row: in the first layer position 1 looks at 0, in "
    "the second position 2 looks at 1. What has reached position 2?"
)


def entropy_mistakes(weights: Tensor) -> list[Mistake]:
    """List what goes wrong with the entropy of rows."""
    right, n = right_entropy(weights), weights.shape[-1]
    other_base = "the logarithm has another base: nats need the natural logarithm"
    return [
        Mistake(
            lambda result: bool(result.isnan().any()),
            "rows in which a weight is 0 have the entropy NaN",
            "log(0) is -inf, and 0 * -inf is NaN",
            "give a weight of 0 another number before the logarithm is taken; its product with 0 is 0 all the same",
        ),
        Mistake(-right, "the numbers are right but negative", "a minus sign is missing", EVEN),
        Mistake(
            right / math.log(2),
            "the numbers are too large, all by the same factor",
            f"{other_base}, not that of 2",
            EVEN,
        ),
        Mistake(
            right / math.log(10),
            "the numbers are too small, all by the same factor",
            f"{other_base}, not that of 10",
            EVEN,
        ),
        Mistake(right / n, "the numbers are too small by the number of keys", "`mean` in the place of `sum`", EVEN),
        Mistake(right / math.log(n), "the entropy of an even row is 1", "the result is divided by ln n", EVEN),
        Mistake(
            right.exp(), "the entropy of an even row is its number of keys", "exp of the entropy is returned", EVEN
        ),
        Mistake(
            right_entropy(weights.softmax(-1)),
            "all rows look more even than they are",
            "softmax is applied once more: the weights are the result of one already",
            EVEN,
        ),
        Mistake(
            right_entropy(weights).mean(-1, keepdim=True).expand(right.shape),
            "all rows of a map have the same entropy",
            "a mean over the queries",
            EVEN,
        ),
    ]


def similarity_mistakes(weights: Tensor) -> list[Mistake]:
    """List what goes wrong with the cosine of maps."""
    flat, size = weights.flatten(2), weights.shape[2] * weights.shape[3]
    products = flat @ flat.mT
    lengths = torch.linalg.vector_norm(flat, dim=-1)
    rows = weights / torch.linalg.vector_norm(weights, dim=-1, keepdim=True).clamp_min(1e-30)
    centred = flat - flat.mean(-1, keepdim=True)
    columns = weights.mean(2)
    right = right_similarity(weights)
    of_zeros = (lengths == 0).unsqueeze(-1) | (lengths == 0).unsqueeze(1)
    formula = "divide the dot product of two maps by the lengths of both"
    return [
        Mistake(
            lambda result: bool(result.isnan().any()),
            "a map of zeros has the cosine NaN",
            "0 / 0: its length is 0",
            "replace a length of 0 by 1 before you divide",
        ),
        Mistake(products, "a head and itself have another number than 1", "the products are not divided", formula),
        Mistake(products / size, "a head and itself have another number than 1", "a mean of products", formula),
        Mistake(
            products / lengths.clamp_min(1e-30).unsqueeze(-1),
            "the similarity of i and j is not that of j and i",
            "the products are divided by the length of one of the two maps only",
            formula,
        ),
        Mistake(
            products / torch.linalg.vector_norm(flat.flatten(1), dim=-1)[:, None, None].square(),
            "the numbers of a layer sum to less than they should, and the diagonal is not 1",
            "all heads of a layer are divided by one common length",
            "take the norm over the last dimension of the flattened maps, with `keepdim=True`",
        ),
        Mistake(
            products / flat.sum(-1, keepdim=True).clamp_min(1e-30) / flat.sum(-1).clamp_min(1e-30).unsqueeze(1),
            "a head and itself have another number than 1",
            "the length is a sum of weights, where it should be the root of a sum of squares",
            formula,
        ),
        Mistake(
            torch.einsum("lhmn,lgmn->lhg", rows, rows) / weights.shape[2],
            "the diagonal is right, the rest is not",
            "the cosine is taken row by row, and averaged: the map is to be read as one long vector",
            "flatten the last two dimensions first",
        ),
        Mistake(
            _cosine(centred),
            "there are negative numbers",
            "the mean of a map is subtracted: that is a correlation, not a cosine",
            formula,
        ),
        Mistake(
            _cosine(columns),
            "heads look more alike than they are",
            "the queries are averaged before the heads are compared",
            "flatten the last two dimensions, and compare what is in each cell of the maps",
        ),
        Mistake(
            lambda result: bool(result.isfinite().all() and torch.where(of_zeros, right, result).allclose(right)),
            "only the cosines of the map of zeros are wrong",
            "0 / 0 is replaced by a number other than 0",
            "replace a length of 0 by 1 before you divide",
        ),
        Mistake(1 - right, "equal maps have 0", "a distance is returned", SAME_MAP),
        Mistake(
            right.tril(-1) + right.triu(1),
            "the diagonal is 0",
            "the comparison of a head with itself is left out",
            "the result holds all pairs, the diagonal too",
        ),
    ]


def _cosine(flat: Tensor) -> Tensor:
    unit = flat / torch.linalg.vector_norm(flat, dim=-1, keepdim=True).clamp_min(1e-30)
    return unit @ unit.mT


def rollout_mistakes(weights: Tensor) -> list[Mistake]:
    """List what goes wrong with the walk through the layers."""
    eye = torch.eye(weights.shape[-1], dtype=weights.dtype)
    mean = weights.mean(1)

    def walk(layers: Sequence[Tensor] | Tensor, start: Tensor = eye) -> Tensor:
        for layer in layers:
            start = layer @ start
        return start

    def normal(layers: Tensor, dim: int = -1) -> Tensor:
        return layers / layers.sum(dim, keepdim=True)

    half = 0.5 * mean + 0.5 * eye
    mixed = normal(half)
    rows = "print the sums of the rows after each line of your code"
    return [
        Mistake(
            lambda result: bool(result.isnan().any()),
            "rows are NaN",
            "a row of zeros is divided by its sum, 0 / 0",
            "in which line are there rows that sum to 0? The identity makes every sum positive",
        ),
        Mistake(
            walk(normal(0.5 * weights.mean(0) + 0.5 * eye)) if len(weights) else eye,
            "the layers are averaged, and the heads are multiplied",
            "the places of layers and heads are exchanged",
            "the heads stand in dimension 1",
        ),
        Mistake(
            mixed.prod(0) * eye,
            "only the diagonal is left",
            "`*` multiplies number by number: the identity is 1 on the diagonal, and for all other places it is 0",
            TWO_STEPS,
        ),
        Mistake(walk(mixed.flip(0)), "the layers act in the wrong order", "the last layer comes first", TWO_STEPS),
        Mistake(
            walk(mixed.mT).mT,
            "the layers act in the wrong order",
            "the new layer stands on the right of the product: it reads what the layers before it have mixed",
            TWO_STEPS,
        ),
        Mistake(
            walk(mixed).mT,
            "rows and columns are exchanged",
            "a transpose too many: a row is a position above",
            TWO_STEPS,
        ),
        Mistake(
            walk(mean),
            "nothing of a word stays where it is, unless attention says so",
            "the identity is left out: it stands for the residual connection",
            "try maps that never look at their own position: after one layer the diagonal should be 0.5",
        ),
        Mistake(
            walk(mean + eye), "the rows sum to more than 1", "the identity is added, and the sum is not halved", rows
        ),
        Mistake(
            walk(half),
            "a position that attends to nothing has lost a half of what it was",
            "the rows are not divided by their sum",
            rows,
        ),
        Mistake(
            walk(half / half.sum(-1).unsqueeze(1)),
            "the row of a position that attends to nothing does not sum to 1, nor do others",
            "the columns are divided by the sums of the rows: `keepdim=True` is missing where the sums are taken",
            rows,
        ),
        Mistake(
            walk(normal(half, 1)),
            "the rows do not sum to 1",
            "the columns are divided by their own sums: the other dimension is meant",
            rows,
        ),
        Mistake(
            walk(normal(weights.sum(1) + eye)),
            "too little stays on the diagonal",
            "the heads are summed: with more heads the residual connection counts for less",
            "the mean over heads, then half of it",
        ),
        Mistake(
            walk(normal(weights.amax(1) + eye)),
            "too little stays on the diagonal",
            "the largest of the heads is taken, where the task says their mean",
            "the mean over heads, then half of it",
        ),
        Mistake(walk(mixed[1:]), "the first layer has no effect", "the loop begins with the second layer", TWO_STEPS),
        Mistake(walk(mixed[:-1]), "the last layer has no effect", "the loop ends one layer early", TWO_STEPS),
        Mistake(mixed[-1], "only the last layer has an effect", "the result of the loop is overwritten", TWO_STEPS),
        Mistake(mixed.mean(0), "the layers are averaged", "`mean` over the layers, not their product", TWO_STEPS),
        Mistake(
            mixed.prod(0),
            "only what every layer looks at is left",
            "`*` multiplies number by number: layers are joined by the matrix product `@`",
            TWO_STEPS,
        ),
        Mistake(
            normal(0.5 * walk(mean) + 0.5 * eye),
            "the identity is added once, not in each layer",
            "every block has a residual connection of its own",
            TWO_STEPS,
        ),
        Mistake(
            torch.stack([right_rollout(weights[:, head, None]) for head in range(weights.shape[1])]).mean(0),
            "each head is followed on its own",
            "the mean over heads is taken at the end: heads mix after every layer",
            "take the mean before the product",
        ),
        Mistake(
            walk(mixed) / weights.shape[-1],
            "the rows sum to less than 1",
            "the result is divided by the number of positions",
            rows,
        ),
    ]
