"""The mistakes with derivatives of softmax and attention that we know, and what each of them returns."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.checks.oracles import right_jacobian, right_vjp
from transformer_course.checks.reporting import Mistake

_CHAIN = "softmax(scores / scale) is a function of a function: write down the derivative of the inner one too"
_BY_HAND = "work out the case of two scores by hand: the weights are p and 1 - p, so the matrix has one number in it"
_SUMS = "the weights of a row sum to 1 whatever the scores are: which sums of derivatives must be 0 then?"


def zero_sums(result: Tensor) -> bool:
    """Say whether the numbers of every row sum to 0, as do all derivatives of a sum that is always 1."""
    sums = result.detach().sum(-1)
    return torch.allclose(sums, torch.zeros_like(sums), atol=1e-4)


def jacobian_mistakes(scores: Tensor, scale: float) -> list[Mistake]:
    """List what a wrong Jacobian looks like, for scores ``(batch, rows, n)`` and a scale other than 1."""
    weights = F.softmax(scores / scale, -1)
    unscaled = F.softmax(scores, -1)
    diagonal = torch.diag_embed(weights)
    products = weights.unsqueeze(-1) * weights.unsqueeze(-2)
    right = right_jacobian(scores, scale)
    identity = torch.eye(scores.shape[-1], dtype=scores.dtype)
    found = [
        Mistake(
            right * scale,
            "every number is too large by the factor `scale`",
            "the factor 1 / scale of the chain rule is missing",
            _CHAIN,
        ),
        Mistake(
            right * scale**2,
            "every number is wrong by the factor `scale` squared",
            "the derivative of the inner function is multiplied where it should be divided",
            _CHAIN,
        ),
        Mistake(
            right / scale,
            "every number is too small by the factor `scale`",
            "the result is divided by scale twice",
            _CHAIN,
        ),
        Mistake(
            right_jacobian(unscaled.log()) / scale,
            "the weights in the matrix are those of softmax(scores)",
            "the scores are not divided by scale before softmax",
            "the weights are softmax(scores / scale)",
        ),
        Mistake(
            right_jacobian(scores),
            "the result is that for scale = 1",
            "the argument `scale` is not used",
            _CHAIN,
        ),
        Mistake(
            torch.diag_embed(weights * (1 - weights)) / scale,
            "the diagonal is right, and everything off the diagonal is 0",
            "p (1 - p) is the derivative of each weight with respect to its own score only",
            _SUMS,
        ),
        Mistake(
            diagonal / scale,
            "the diagonal holds the weights themselves, and everything off the diagonal is 0",
            "the second term, p p^T, is missing",
            _SUMS,
        ),
        Mistake(
            -products / scale,
            "the numbers off the diagonal are right, those on it are not",
            "the first term, diag(p), is missing",
            _BY_HAND,
        ),
        Mistake(-right, "every number has the wrong sign", "the two terms change places", _BY_HAND),
        Mistake(
            (diagonal + products) / scale,
            "every number is positive",
            "p p^T is added where it should be subtracted",
            "when one score grows, do the other weights grow too?",
        ),
        Mistake(
            (identity - products) / scale,
            "the numbers off the diagonal are right, those on it are too large",
            "the identity matrix in the place of diag(p)",
            _BY_HAND,
        ),
        Mistake(
            (diagonal - weights.square().unsqueeze(-1)) / scale,
            "the diagonal is right, and all numbers beside it in a row are equal",
            "the product is that of each weight with itself, not with the other weights",
            "entry (i, j) of p p^T is p_i * p_j: one p stands as a column, the other as a row",
        ),
        Mistake(
            (diagonal - weights.square().unsqueeze(-2)) / scale,
            "the diagonal is right, and all numbers above and below it in a column are equal",
            "the product is that of each weight with itself, not with the other weights",
            "entry (i, j) of p p^T is p_i * p_j: one p stands as a column, the other as a row",
        ),
    ]
    for dim, name in ((-2, "the dimension before the last"), (0, "the first dimension")):
        if scores.dim() > 1:
            wrong = F.softmax(scores / scale, dim)
            found.append(
                Mistake(
                    (torch.diag_embed(wrong) - wrong.unsqueeze(-1) * wrong.unsqueeze(-2)) / scale,
                    "the weights in the matrix are not those of the rows of scores",
                    f"softmax runs over {name}",
                    "softmax over the last dimension",
                )
            )
    found.append(
        Mistake(
            lambda result: not zero_sums(result),
            "the rows of the matrix do not sum to 0",
            "one of the two terms is wrong, on the diagonal or beside it",
            _SUMS,
        )
    )
    return found


def vjp_mistakes(weights: Tensor, upstream: Tensor) -> list[Mistake]:
    """List what a wrong backward pass of softmax returns, for weights and a gradient ``(batch, rows, n)``."""
    right = right_vjp(weights, upstream)
    weighted = (weights * upstream).sum(-1, keepdim=True)
    average = "what is subtracted is one number for each row: the mean of g under the weights of that row"
    return [
        Mistake(
            weights * upstream,
            "the rows do not sum to 0",
            "only diag(p) is applied: the part of p p^T, the softmax term that couples the weights, is missing",
            _SUMS,
        ),
        Mistake(
            weights * (1 - weights) * upstream,
            "the rows do not sum to 0",
            "p (1 - p) is only the diagonal of the Jacobian: each weight answers to the other scores too",
            _SUMS,
        ),
        Mistake(
            weights * (upstream - upstream.mean(-1, keepdim=True)),
            "the rows do not sum to 0",
            "the plain mean of the gradient is subtracted, not its mean under the weights",
            average,
        ),
        Mistake(
            weights * (upstream - upstream.sum(-1, keepdim=True)),
            "the rows do not sum to 0",
            "the sum of the gradient is subtracted, not its mean under the weights",
            average,
        ),
        Mistake(
            upstream - weighted,
            "the rows do not sum to 0",
            "the average is right, but the difference is not multiplied with the weights",
            "compare with p * (g - average)",
        ),
        Mistake(
            -right,
            "every number has the wrong sign",
            "the gradient is subtracted from its average, not the average from the gradient",
            "when g is large at one place only, should the score there go up or down?",
        ),
        Mistake(
            weights - upstream,
            "the result is the weights minus the gradient",
            "that is the short formula for softmax followed by cross entropy; here any gradient may come",
            "write down the Jacobian times g, and simplify",
        ),
        Mistake(
            weights * upstream - weighted,
            "the rows do not sum to 0",
            "the average is subtracted after the product with the weights, so it is not multiplied with them",
            "set brackets: p * (g - average)",
        ),
        Mistake(
            weights * (upstream - (weights * upstream).sum()),
            "the rows are mixed with one another",
            "the sum runs over all rows: it has no `dim`",
            average,
        ),
        Mistake(
            weights * (upstream - (weights * upstream).sum(-2, keepdim=True)),
            "the rows are mixed with one another",
            "the sum runs over the dimension before the last (dim -2)",
            average,
        ),
        Mistake(
            weights * (upstream - (weights * upstream).sum(0, keepdim=True)),
            "the rows are mixed with one another",
            "the sum runs over the first dimension (dim 0)",
            average,
        ),
        Mistake(
            lambda result: not zero_sums(result),
            "the rows do not sum to 0",
            "what is subtracted is not the mean of g under the weights",
            _SUMS,
        ),
    ]


def score_gradient_mistakes(
    weights: Tensor, upstream: Tensor, scale: float, follow: Callable[[Tensor], Tensor]
) -> list[Mistake]:
    """List what a gradient that passed through softmax and the scale looks like when something went wrong there.

    Args:
        weights: ``(..., m, n)``.
        upstream: the gradient with respect to them.
        scale: what the scores are divided by, other than 1.
        follow: carries a gradient with respect to the scores, not yet divided by scale, to the tensor in question.
    """
    right = right_vjp(weights, upstream)
    chain = "the scores are q . k / scale: both q and k receive the factor 1 / scale"
    softmax_term = "the backward pass of softmax is that of task 3: p * (g - average)"
    return [
        Mistake(follow(right), "it is too large by the factor `scale`", "the division by scale is missing", chain),
        Mistake(
            follow(right) / scale**2, "it is too small by the factor `scale`", "it is divided by scale twice", chain
        ),
        Mistake(
            follow(right) * scale,
            "it is wrong by the factor `scale` squared",
            "it is multiplied with scale where it should be divided",
            chain,
        ),
        *(
            Mistake(follow(wrong) / factor, "it is not the derivative of the formula", cause + also, softmax_term)
            for wrong, cause in (
                (weights * upstream, "the softmax term, the average that is subtracted, is missing"),
                (weights * (1 - weights) * upstream, "p (1 - p) is only the diagonal of softmax's Jacobian"),
                (upstream, "the step back through softmax is missing"),
                (
                    weights * (upstream - upstream.mean(-1, keepdim=True)),
                    "the plain mean is subtracted in the backward pass of softmax, not the mean under the weights",
                ),
            )
            for factor, also in ((scale, ""), (1.0, "; and so is the division by scale"))
        ),
    ]
