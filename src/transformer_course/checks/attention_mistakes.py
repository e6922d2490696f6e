"""The mistakes with softmax, weights and masks that we know, each with what it returns and how to tell the learner."""

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles import right_scores
from transformer_course.checks.reporting import Mistake, same


def softmax_mistakes(scores: Tensor) -> list[Mistake]:
    """List what a wrong softmax returns for scores ``(batch, rows, n)``."""
    exponentials = scores.exp()

    axis_hint = "sum over the last dimension only, and keep it: `x.sum(dim=-1, keepdim=True)`"
    return [
        Mistake(
            sums_to_one(-2),
            "not the rows but the columns sum to 1",
            "the sum runs over the queries (dim -2)",
            axis_hint,
        ),
        Mistake(
            sums_to_one(0), "the sums over the first dimension are 1", "the sum runs over the batch (dim 0)", axis_hint
        ),
        Mistake(
            sums_to_one(None),
            "all numbers of the tensor together sum to 1",
            "the sum runs over all elements: it has no `dim`",
            axis_hint,
        ),
        Mistake(
            scores / scores.sum(-1, keepdim=True),
            "each row sums to 1, but some weights are negative",
            "the scores are divided by their sum without the exponential",
            "turn the scores into positive numbers with `exp` first",
        ),
        Mistake(exponentials, "the rows do not sum to 1", "the exponentials are not divided by their sum", axis_hint),
        Mistake(
            (scores - scores.amax(-1, keepdim=True)).exp(),
            "the largest weight of every row is exactly 1, and the rows do not sum to 1",
            "the exponentials are not divided by their sum",
            axis_hint,
        ),
        Mistake(
            scores.sigmoid(),
            "each weight lies between 0 and 1, but the rows do not sum to 1",
            "sigmoid looks at each score alone; softmax compares the scores of a row",
            "divide e^score by the sum of e^score over the row",
        ),
        Mistake(
            lambda weights: torch.equal(weights == 0, scores <= 0),
            "each row sums to 1, but some weights are exactly 0",
            "negative scores are cut off (relu) in the place of the exponential",
            "e^score is positive for every score",
        ),
        Mistake(
            F.log_softmax(scores, -1),
            "every number is negative",
            "the logarithm of the weights is returned",
            "take the exponential at the end",
        ),
        Mistake(
            F.softmax(-scores, -1),
            "the smallest score of each row has the largest weight",
            "the sign of the scores is turned around",
            "subtract the maximum from the scores, not the scores from the maximum",
        ),
        Mistake(
            F.softmax(scores * math.log(2), -1),
            "each row sums to 1, but the weights are flatter than they should be",
            "powers of 2 in the place of powers of e",
            "use `torch.exp`",
        ),
    ]


def overflow_mistakes(scores: Tensor) -> list[Mistake]:
    """List what an unstable softmax returns for a row of very large and a row of very negative scores."""
    own = "subtract a constant from each row before the exponential: which one makes its largest exponential exactly 1?"
    right = F.softmax(scores, -1)
    return [
        Mistake(
            lambda weights: not weights[0].isfinite().all(),
            "numbers are NaN: e^10000 is infinite, e^-10000 is 0, and inf/inf and 0/0 are NaN",
            "e^score is computed of the scores as they are",
            own,
        ),
        Mistake(
            lambda weights: weights[0].eq(weights[0, 0]).all(),
            "all weights of a row are equal",
            "the scores are cut off at a limit (`clamp`), which makes different scores the same",
            own,
        ),
        Mistake(
            lambda weights: same(weights[0], right[0]),
            "the row of large scores is right, the row of very negative scores is not",
            "the maximum of the whole tensor is subtracted, not that of each row",
            "take the maximum over the last dimension, with `keepdim=True`",
        ),
    ]


def sums_to_one(dim: int | None) -> Callable[[Tensor], bool]:
    """Say of weights whether they sum to 1 over this dimension, or over all if it is None."""

    def does(weights: Tensor) -> bool:
        sums = weights.detach().sum(dim)
        return torch.allclose(sums, torch.ones_like(sums), atol=1e-4)

    return does


def transposed(right: Tensor) -> Mistake:
    """Describe weights whose last two dimensions are exchanged; query_length equals key_length."""
    return Mistake(
        right.transpose(-2, -1),
        "the result is transposed: not the rows but the columns sum to 1",
        "the scores of one key stand in a row, in the place of those of one query; or a transpose at the end",
        "keep query_length before key_length from the matrix product on",
    )


def weight_mistakes(query: Tensor, key: Tensor, others: dict[str, int]) -> list[Mistake]:
    """List what wrong weights look like.

    Args:
        query: ``(..., m, d_k)``.
        key: ``(..., n, d_k)``.
        others: sizes of the situation other than d_k, by name, of which the square root may have been taken.
    """
    d_k = query.shape[-1]
    products = right_scores(query, key) * math.sqrt(d_k)
    scores, formula = right_scores(query, key), "compare the line with the formula: which size stands under the root?"
    sharp = "the weights are more extreme than they should be"
    flat = "the weights are flatter than they should be"

    found = [
        Mistake(F.softmax(products, -1), sharp, "the scores are not divided by sqrt(d_k)", formula),
        Mistake(F.softmax(products / d_k, -1), flat, "the scores are divided by d_k, not by sqrt(d_k)", formula),
        Mistake(
            F.softmax(products * d_k**0.5, -1), sharp, "the scores are multiplied by sqrt(d_k), not divided", formula
        ),
        Mistake(F.softmax(products / d_k**0.25, -1), sharp, "the root is taken twice", formula),
        Mistake(
            F.softmax(products, -1) / d_k**0.5,
            "the rows sum to less than 1",
            "the division by sqrt(d_k) comes after softmax",
            "scale the scores first, then take softmax",
        ),
        Mistake(
            sums_to_one(-2),
            "not the rows but the columns sum to 1",
            "softmax runs over the queries (dim -2), not over the keys (dim -1)",
            "each query shares out its attention among the keys: softmax over the last dimension",
        ),
        Mistake(
            sums_to_one(0),
            "the sums over the first dimension are 1",
            "softmax runs over the first dimension (dim 0), the batch or the heads",
            "each query shares out its attention among the keys: softmax over the last dimension",
        ),
        Mistake(
            sums_to_one(None),
            "all numbers of the tensor together sum to 1",
            "softmax runs over all elements",
            "each query shares out its attention among the keys: softmax over the last dimension",
        ),
        Mistake(
            scores,
            "the rows do not sum to 1, and some numbers are negative",
            "softmax is missing",
            "the scores are what goes into softmax, not what comes out of it",
        ),
        Mistake(
            scores.sigmoid(), "the rows do not sum to 1", "sigmoid in the place of softmax", "use softmax over the keys"
        ),
        Mistake(
            F.softmax(F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).transpose(-2, -1), -1),
            flat,
            "query and key are normalised to length 1 (cosine) in the place of the division by sqrt(d_k)",
            formula,
        ),
    ]
    viewed = key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])
    found.append(
        Mistake(
            F.softmax(query @ viewed / d_k**0.5, -1),
            "the shape is right, the numbers are not those of q . k",
            "`view` or `reshape` in the place of a transpose: it keeps the order of the numbers and mixes the keys",
            "exchange the last two dimensions with `transpose(-2, -1)`",
        )
    )
    found += [
        Mistake(
            F.softmax(products / size**0.5, -1),
            "the rows sum to 1, but the weights are too sharp or too flat",
            f"the scores are divided by the square root of {name}, not of d_k",
            formula,
        )
        for name, size in others.items()
    ]
    return found


def mask_mistakes(query: Tensor, key: Tensor, mask: Tensor) -> list[Mistake]:
    """List what weights look like when the mask ``(m, n)`` was used wrongly; every row allows some key."""
    return masked_softmax_mistakes(right_scores(query, key), mask)


def masked_softmax_mistakes(scores: Tensor, mask: Tensor) -> list[Mistake]:
    """List what a masked softmax of scores ``(..., m, n)`` looks like when the mask was used wrongly."""
    hide = -math.inf
    plain = F.softmax(scores, -1)
    convention = "True means `may be attended to`: fill the scores where the mask is False"
    before = "set the hidden scores to -inf before softmax, so that their weights are 0 and the others sum to 1"
    leak = "hidden keys still have a weight"
    mistakes = [
        Mistake(plain, f"{leak}: the weights are those without a mask", "the mask is not used", before),
        Mistake(
            F.softmax(scores.masked_fill(mask, hide), -1),
            "exactly the keys that should be hidden have all the weight",
            "the mask is used the wrong way round (inverted)",
            convention,
        ),
        Mistake(
            plain * mask,
            "hidden keys have weight 0, but the rows sum to less than 1",
            "the mask is applied after softmax, so the other weights do not know of it",
            before,
        ),
        Mistake(
            F.softmax(scores * mask, -1),
            f"{leak}, that of a score of 0",
            "the mask is multiplied into the scores: e^0 is 1, not 0",
            before,
        ),
        Mistake(
            F.softmax(scores + mask, -1),
            f"{leak}, smaller by a factor of e than it was",
            "the mask itself is added to the scores, as 0 and 1",
            before,
        ),
        Mistake(
            F.softmax(scores + (~mask), -1),
            f"{leak}, larger by a factor of e than it was",
            "the inverted mask itself is added to the scores, as 0 and 1",
            before,
        ),
        Mistake(plain.masked_fill(~mask, -1e9), "weights of -1e9", "-1e9 is filled in after softmax", before),
        Mistake(plain.masked_fill(~mask, hide), "weights of -inf", "-inf is filled in after softmax", before),
    ]
    mistakes += [
        Mistake(
            F.softmax(scores.masked_fill(~mask, fill), -1),
            leak,
            f"the number that is filled in ({fill:g}) is not small enough to vanish in softmax",
            before,
        )
        for fill in (0.0, 1e-9, -1.0, -10.0)
    ]
    return mistakes


def empty_row_is_zero(subject: Answer, row: Tensor, situation: str) -> None:
    """Require zeros where there was nothing to attend to."""
    if row.eq(0).all():
        return
    expected = "zeros: what may attend to nothing gives no weight to anything"
    if row.isnan().any():
        subject.fail(
            situation,
            "the row is NaN",
            expected,
            "-inf - (-inf), or 0 / 0: the row has no finite maximum and no positive sum",
            "treat the row before the dangerous operation: where the maximum is -inf subtract 0, "
            "and where the sum is 0 divide by 1",
        )
    if torch.allclose(row, row.flatten()[0]):
        subject.fail(
            situation,
            "all weights of the row are equal",
            expected,
            "-inf was replaced by a large finite number such as -1e9, which makes all scores of the row the same",
            "use -inf itself, and give a row without any finite score the weights 0",
        )
    subject.fail(situation, "the row is not zero", expected, "the empty row is not treated on its own", "print the row")
