"""Task `measure_jacobians` of exercise 05, and the predictions that it answers."""

import torch

from course_checks.cases import Case
from course_checks.outcomes import is_tensor
from course_checks.predictions import Predictions, tendency
from course_checks.softmax_jacobian.shared import UNIT
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("measure_jacobians", UNIT)
_JACREV = "check one sample with `torch.func.jacrev`: differentiate the n weights with respect to the d_k numbers of q"
_ONE_SET = ("all queries share one set of keys, or all keys one query",
            "print the shapes of query and key: the first dimension of both is num_samples")  # fmt: skip
_SCORES = "print the shape of the scores, (num_samples, n), and a typical one before and after the division"


@task.oracle
def right(n, d_k, divisor, num_samples=300):
    """Let torch differentiate each sample."""
    query, key = torch.randn(num_samples, d_k), torch.randn(num_samples, n, d_k)

    def attend(query, key):
        weights = torch.softmax(key @ query / divisor, -1)
        return weights, weights

    matrices, weights = torch.func.vmap(torch.func.jacrev(attend, has_aux=True))(query, key)
    return matrices.square().sum((1, 2)).sqrt(), weights.amax(-1)


# fmt: off
task.edit("softmax_jacobian(scores, divisor) @ key", {
    "softmax_jacobian(scores, divisor)": ("the derivative is that with respect to the scores: the keys, through which "
        "they depend on q, are missing", _JACREV),
    "softmax_jacobian(scores / divisor)": ("the derivative is that with respect to what goes into softmax: the keys "
        "and the division are missing", _JACREV),
    "softmax_jacobian(scores / divisor) @ key": ("the division by `divisor` is missing in the chain rule", _JACREV),
    **dict.fromkeys(("softmax_jacobian(scores) @ key", "softmax_jacobian(scores) @ key / divisor"), (
        "the Jacobian is that of the dot products as they are, not divided", _SCORES)),
    "softmax_jacobian(scores / divisor, divisor) @ key": (
        "the Jacobian divides once more what is divided already: with a scale, it divides the scores itself",
        "which scores does it get, and what does its `scale` do to them?"),
    "softmax_jacobian(scores, divisor) @ query.expand_as(key)": (
        "the Jacobian is multiplied with the query, where the chain rule has the derivative of the scores with respect "
        "to the query", "what is the derivative of q . k with respect to q?"),
    "softmax_jacobian(scores, divisor) @ key / divisor": ("the derivative is divided by `divisor` twice", _JACREV),
    "softmax_jacobian(scores, divisor).diagonal(dim1=-2, dim2=-1).unsqueeze(-1) * key": (
        "only the diagonal p (1 - p) of the Jacobian is used", _JACREV),
})
task.edit("by_query.flatten(1).norm(dim=-1)", {
    "torch.linalg.matrix_norm(by_query, ord=2)": ("the largest singular value of the matrix (`ord=2`), not the root of "
        "the sum of its squares", "the Frobenius norm sums all squares"),
    "by_query.norm(dim=-1).mean(dim=-1)": ("the norms of the n rows are averaged; the Frobenius norm is the root of "
        "the sum of all squares of the matrix", "of a matrix of two rows (3, 0) and (4, 0) it is 5: what is yours?"),
    "by_query.norm(dim=-1).sum(dim=-1)": ("the norms of the n rows are added; the Frobenius norm is the root of the "
        "sum of all squares of the matrix", "of a matrix of two rows (3, 0) and (4, 0) it is 5: what is yours?"),
    "by_query.norm(dim=-1).amax(dim=-1)": ("the largest norm of a row is taken, not the root of the sum of all "
        "squares", _JACREV),
    **dict.fromkeys(("by_query.abs().mean((1, 2))", "by_query.square().mean((1, 2)).sqrt()"), (
        "a mean over the matrix, of its squares or absolute numbers, not the root of the sum of squares", _JACREV)),
    "by_query.norm()": ("the norm runs over the samples too: it is one number",
        "one norm for each sample: over which dimensions does it go?"),
    "by_query.norm(dim=-1)": ("the norm of each row is returned, not that of the matrix", "one number for each sample"),
    "by_query.square().sum((1, 2))": ("the sum of squares without the root", _JACREV),
})
task.edit("scores = ", {
    "divisor = 1\nscores = ": ("the dot products are not divided", _SCORES),
    "divisor = divisor * d_k**0.5\nscores = ": (
        "the dot products are divided by sqrt(d_k) as well as by `divisor`", _SCORES),
    "divisor = d_k**0.5\nscores = ": ("the dot products are divided by sqrt(d_k), not by `divisor`", _SCORES),
    "divisor = 1 / divisor\nscores = ": ("the dot products are multiplied by `divisor`", _SCORES),
})
task.edit_places({"softmax_jacobian(scores, divisor)": "softmax_jacobian(scores) / divisor",
                  "scores / divisor, dim": "scores, dim"},
                 "softmax gets the dot products undivided: `divisor` is nothing but a factor in front", _SCORES)
task.edit_all("torch.randn", {"torch.rand": ("the numbers are uniform (`torch.rand`), not standard normal "
    "(`torch.randn`)", "the task asks for standard normal numbers")})
task.edit("torch.randn(num_samples, n, d_k)", {"torch.randn(1, n, d_k)": _ONE_SET})
task.edit("torch.softmax(scores / divisor, dim=-1).amax(dim=-1)", {
    "torch.softmax(scores / divisor, dim=-1).mean(dim=-1)": (
        "the mean of the weights, not the largest", "the largest of the n weights of each query"),
    "torch.softmax(scores / divisor, dim=-1).amax(dim=0)": (
        "the largest weights are taken over the samples", "the largest of the n weights of each query"),
    "(scores / divisor).amax(dim=-1)": (
        "the largest score, not the largest weight: softmax is missing", "weights lie between 0 and 1"),
})
task.edit("return by_query.flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)", {
    "return torch.softmax(scores / divisor, dim=-1).amax(dim=-1), by_query.flatten(1).norm(dim=-1)": (
        "the two results come in the wrong order", "sizes first, then largest")})
# fmt: on


LEVELS = torch.tensor([0.1, 0.5, 0.9])


def quantiles(answer, n, d_k, divisor, num_samples=2000):
    """Observe the quantiles of both samples: 10, 50 and 90 %."""
    result = answer(n, d_k, divisor, num_samples)
    if result is None:
        return None
    if type(result) not in (tuple, list) or len(result) != 2 or not all(map(is_tensor, result)):
        raise Finding("other results than two tensors", "`sizes` and `largest`, each (num_samples,)",
                      "the return statement", "print the type of what you return")  # fmt: skip
    names = ("sizes", "largest")
    for name, each in zip(names, result, strict=True):
        if each.shape != (num_samples,):
            raise Finding(f"`{name}` has the shape {tuple(each.shape)} for {num_samples} samples", "`sizes` and "
                          "`largest`, each (num_samples,)", "a dimension that is summed over or kept",
                          "print the shapes of what you return")  # fmt: skip
    return {name: torch.quantile(each.detach().float(), LEVELS) for name, each in zip(names, result, strict=True)}


def alike(answer, n, d_k):
    """Observe whether the samples of one call are more alike than those of two calls."""
    calls = torch.stack([answer(n, d_k, 1.0, 50)[1].detach().double() for _ in range(20)])  # (20, 50)
    return bool(50 * calls.mean(1).var() > 4 * calls.var(1).mean())


alike.words = Wrong(_ONE_SET[0], "the samples of one call are more alike than those of two calls", _ONE_SET[1])
EXPECTED = "for each of many random queries with keys of their own: the Frobenius norm of the (n, d_k) matrix of "
EXPECTED += "derivatives of its weights, and its largest weight"
task.require("both samples are those of random queries and keys", EXPECTED,
             [Case("n = 8, d_k = 30, dot products divided by 2", (8, 30, 2.0), quantiles, within=0.12),
              Case("n = 5, d_k = 12, dot products divided by 3", (5, 12, 3.0), quantiles, within=0.06),
              Case("n = 2, d_k = 2, dot products divided by 1", (2, 2, 1.0), quantiles, within=0.06)],
             [Case("other sizes, a large divisor", (12, 30, 6.0), quantiles, within=0.06),
              Case("other sizes, divided by 1", (3, 9, 1.0), quantiles, within=0.2),
              Case("other sizes, a small divisor", (9, 4, 0.5), quantiles, within=0.3)])  # fmt: skip
task.require("every query has keys of its own", "a query and n keys of its own for each sample",
             [Case("20 calls with n = 2, d_k = 1 and 50 samples each", (2, 1), alike, right=False)])  # fmt: skip
task.limits(
    "300 samples by default",
    [Case("no number of samples given", (4, 8, 2.0), lambda answer, *inputs: tuple(answer(*inputs)[0].shape),
          right=(300,))],
)  # fmt: skip


def _median(n: int, d_k: int, divisor: float) -> float:
    torch.manual_seed(n + d_k)
    return right(n, d_k, divisor, 1000)[0].median().item()


def _measure() -> list[str]:
    return [
        tendency(_median(16, 16, 1.0), _median(16, 256, 1.0)),
        tendency(_median(16, 16, 4.0), _median(16, 256, 16.0)),
        tendency(_median(4, 64, 8.0), _median(64, 64, 8.0)),
    ]


predictions = Predictions(("d_k", "d_k, scaled", "n, scaled"), _measure, "task 5")
