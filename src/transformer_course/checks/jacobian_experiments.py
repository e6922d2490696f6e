"""The checks of exercise 05 that have to do with chance: two measurements and a prediction."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.causes import kind
from transformer_course.checks.chance import same_distribution
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import draw

UNIT = "softmax_jacobian"
QUESTIONS = ("d_k", "d_k, scaled", "n, scaled")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there are three predictions; not whether they are right."""
    require_predictions(predictions, QUESTIONS, ("grows", "stays", "falls"), "task 5")


def median_sizes(n: int, d_k: int, divisor: float) -> float:
    """Measure what is predicted: the median size of the derivative of the weights with respect to the query."""
    return _sample(n, d_k, divisor, 300)[0].median().item()


def check_dot_product_variance(dot_product_variance: Callable) -> None:
    """Check the variance within what chance allows, and that the generator is the source of all numbers."""
    for d_k in (6, 40):
        compare_variance(dot_product_variance, d_k)
    Answer(dot_product_variance, "dot_product_variance", UNIT).passed("the variance is that of q . k")
    require_generator(dot_product_variance, 5, 50)
    Answer(dot_product_variance, "dot_product_variance", UNIT).passed("all numbers come from the generator")


def compare_variance(dot_product_variance: Callable, d_k: int, num_samples: int = 10_000) -> None:
    """Compare with the variance d_k; chance alone fails less than one right answer in a hundred million."""
    subject = Answer(dot_product_variance, "dot_product_variance", UNIT)
    situation = f"d_k = {d_k}, {num_samples} samples"
    generator = torch.Generator().manual_seed(100 + d_k)
    measured = subject(situation, d_k, num_samples, generator)
    if type(measured) is not float:
        subject.fail(
            situation,
            f"it returned {kind(measured)}",
            "a Python number",
            "the result is still a tensor, or nothing is returned",
            "use `.item()`",
        )
    allowed = 6 * math.sqrt((2 + 6 / d_k) / num_samples)
    if abs(measured / d_k - 1) <= allowed:
        return
    causes = {
        "the standard deviation is returned, not the variance": math.sqrt(d_k),
        "the products are not summed: it is the variance of one product of two numbers": 1.0,
        "the variance is divided by d_k, or q . k by sqrt(d_k)": 1.0,
        "each query meets itself in the place of a key": 2 * d_k,
        "the numbers are uniform (`torch.rand`), not standard normal (`torch.randn`)": d_k * 7 / 144,
        "q . k is divided by d_k": 1 / d_k,
        "the mean is returned, which is 0 but for chance": 0.0,
    }
    likely = [
        cause for cause, value in causes.items() if abs(measured - value) <= 2 * allowed * value + 0.05 * (value == 0)
    ]
    subject.fail(
        situation,
        f"it returned {measured:.3g}, which is not the variance of such dot products",
        "the variance of many q . k, whose terms are products of independent standard normal numbers",
        " Or (it shows in the same way): ".join(likely) if likely else "none of the mistakes that we know",
        "print the shape at each line: (num_samples, d_k) numbers become num_samples dot products, then one number",
    )


def require_generator(dot_product_variance: Callable, d_k: int, num_samples: int) -> None:
    """Require that a generator with the same seed gives the same number, and one that has moved on another."""
    subject = Answer(dot_product_variance, "dot_product_variance", UNIT)
    situation = "a generator"
    expected = "the same state of the generator gives the same number, and a later state another one"
    first, again, later = [torch.Generator().manual_seed(seed) for seed in (1, 1, 2)]
    torch.randn(17, generator=later)
    numbers = [subject(situation, d_k, num_samples, each) for each in (first, again, later, first)]
    if numbers[0] != numbers[1]:
        subject.fail(
            situation,
            "two generators with the same seed gave two numbers",
            expected,
            "the generator is not used for all that is drawn",
            "hand it to every call that draws: `torch.randn(..., generator=generator)`",
        )
    if len(set(numbers)) != 3:
        subject.fail(
            situation,
            "generators in different states gave the same number",
            expected,
            "a seed is set inside the function, or a generator of its own is made there",
            "draw from the generator that is given, as it is",
        )


def require_samples(dot_product_variance: Callable) -> None:
    """Require that two samples give a number that is far from reliable."""
    subject = Answer(dot_product_variance, "dot_product_variance", UNIT)
    generator = torch.Generator().manual_seed(3)
    situation = "40 calls with 2 samples each"
    measured = [subject(situation, 4, 2, generator) for _ in range(40)]
    if all(abs(number / 4 - 1) < 0.3 for number in measured):
        subject.fail(
            situation,
            "all of them are nearly right",
            "two samples are too few for that: most of the numbers are far off",
            "the argument `num_samples` is not used. Or (it shows in the same way): the answer is d_k, not measured",
            "print how many dot products you make",
        )


def require_products(dot_product_variance: Callable) -> None:
    """Require that the measured variance varies as that of products does (one false alarm in a hundred million)."""
    subject = Answer(dot_product_variance, "dot_product_variance", UNIT)
    generator = torch.Generator().manual_seed(4)
    situation = "200 calls with d_k = 1 and 500 samples each"
    measured = torch.tensor([subject(situation, 1, 500, generator) for _ in range(200)])
    if measured.std() < 0.09:  # sqrt(8 / 500) for products of two normal numbers, sqrt(2 / 500) for normal numbers
        subject.fail(
            situation,
            "the results are right on average, but agree with one another too well",
            "the variance of products: products of two random numbers are now and then very large",
            "the sum of the numbers of one vector, whose variance is d_k too: query and key do not meet",
            "draw a histogram of what you take the variance of, for d_k = 1",
        )


def check_measure_jacobians(measure_jacobians: Callable) -> None:
    """Check the experiment at two points, with room for chance."""
    for n, d_k, divisor in [(8, 30, 2.0), (5, 12, 1.0)]:
        compare_measurement(measure_jacobians, n, d_k, divisor)
    require_fresh_draws(measure_jacobians)
    Answer(measure_jacobians, "measure_jacobians", UNIT).passed("both samples are those of random queries and keys")


def require_fresh_draws(measure_jacobians: Callable) -> None:
    """Require that samples of one call have no more in common than those of two calls (false alarm: 1e-7)."""
    subject = Answer(measure_jacobians, "measure_jacobians", UNIT)
    situation = "20 calls with n = 2, d_k = 1 and 50 samples each"
    like = torch.zeros(50)
    calls = [subject.pair(situation, 2, 1, 1.0, 50, like=[like, like], names=("sizes", "largest")) for _ in range(20)]
    largest = torch.stack([each for _, each in calls]).detach().double()  # (20, 50)
    if 50 * largest.mean(1).var() > 4 * largest.var(1).mean():
        subject.fail(
            situation,
            "the samples of one call are more alike than those of two calls",
            "a query and n keys of its own for each sample",
            "all queries share one set of keys, or all keys one query",
            "print the shapes of query and key: the first dimension of both is num_samples",
        )


def compare_measurement(measure_jacobians: Callable, n: int, d_k: int, divisor: float, num_samples: int = 300) -> None:
    """Compare both samples with larger ones of our own; chance alone fails one right answer in a billion."""
    subject = Answer(measure_jacobians, "measure_jacobians", UNIT)
    situation = f"n = {n}, d_k = {d_k}, dot products divided by {divisor:g}"
    arguments = (n, d_k, divisor) if num_samples == 300 else (n, d_k, divisor, num_samples)
    like = torch.zeros(num_samples)
    sizes, largest = subject.pair(situation, *arguments, like=[like, like], names=("sizes", "largest"))
    right_sizes, right_largest = _sample(n, d_k, divisor)
    if not same_distribution(largest, right_largest):
        subject.fail(
            situation,
            "`largest` does not hold what such queries and keys give",
            "the largest of the n weights of each query, for scores q . k / divisor",
            _cause(largest, lambda wrong: _sample(n, d_k, wrong)[1], divisor, d_k),
            "print the shape of the scores, (num_samples, n), and the size of a typical one before and after division",
        )
    if same_distribution(sizes, right_sizes):
        return
    causes = {
        "the derivative is that with respect to the scores: the keys, through which they depend on q, are missing": 1,
        "the derivative with respect to what goes into softmax: the keys and the division by `divisor` are missing": 2,
        "the division by `divisor` is missing (the chain rule of the inner function)": 3,
        "the largest singular value of the matrix (`torch.linalg.matrix_norm(ord=2)`), not the square root of the sum "
        "of all its squares": 4,
        "the mean of the absolute numbers in the place of the root of the sum of squares": 5,
        "the sum of squares without the root": 6,
        "it is divided by `divisor` twice": 7,
        "only the diagonal p (1 - p) of the Jacobian": 8,
    }
    likely = [
        cause for cause, which in causes.items() if same_distribution(sizes, _wrong_sizes(n, d_k, divisor, which))
    ]
    subject.fail(
        situation,
        "`sizes` does not hold what such queries and keys give",
        "for each query the Frobenius norm of the (n, d_k) matrix of derivatives of its weights with respect to it",
        " Or (it shows in the same way): ".join(likely) if likely else "none of the mistakes that we know",
        "check one sample with `torch.func.jacrev`: differentiate the n weights with respect to the d_k numbers of q",
    )


def _cause(largest: Tensor, sample: Callable[[float], Tensor], divisor: float, d_k: int) -> str:
    if not bool(((largest > 0) & (largest <= 1.0001)).all()):
        return "these are not weights: softmax is missing. Or (it shows in the same way): the two results change places"
    causes = {
        "the scores are not divided": 1.0,
        "the scores are divided by `divisor` twice": divisor**2,
        "the scores are divided by sqrt(d_k), not by `divisor`": math.sqrt(d_k),
        "the scores are divided by `divisor` and by sqrt(d_k)": divisor * math.sqrt(d_k),
        "the scores are multiplied with `divisor`": 1 / divisor,
        "the numbers are uniform (`torch.rand`), not standard normal (`torch.randn`)": 6 * divisor,
    }
    likely = [cause for cause, wrong in causes.items() if same_distribution(largest, sample(wrong))]
    unknown = "none of the mistakes that we know; perhaps softmax runs over the samples"
    return " Or (it shows in the same way): ".join(likely) if likely else unknown


def _draw(n: int, d_k: int, divisor: float, num_samples: int) -> tuple[Tensor, Tensor, Tensor]:
    query, key = draw(num_samples, 1, d_k, seed=n), draw(num_samples, n, d_k, seed=1000 + d_k)
    weights = torch.softmax((query * key).sum(-1) / divisor, -1)
    return key, weights, torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)


def _sample(n: int, d_k: int, divisor: float, num_samples: int = 2000) -> tuple[Tensor, Tensor]:
    key, weights, jacobian = _draw(n, d_k, divisor, num_samples)
    return (jacobian @ key / divisor).flatten(1).norm(dim=-1), weights.amax(-1)


def _wrong_sizes(n: int, d_k: int, divisor: float, which: int) -> Tensor:
    key, weights, jacobian = _draw(n, d_k, divisor, 2000)
    matrix = (jacobian @ key / divisor).flatten(1)
    if which in (1, 2):
        return jacobian.flatten(1).norm(dim=-1) / (divisor if which == 1 else 1.0)
    if which == 4:
        return torch.linalg.matrix_norm(matrix.view(-1, n, d_k), ord=2)
    if which == 8:
        return (torch.diag_embed(weights * (1 - weights)) @ key / divisor).flatten(1).norm(dim=-1)
    return {
        3: matrix.norm(dim=-1) * divisor,
        5: matrix.abs().mean(-1),
        6: matrix.square().sum(-1),
        7: matrix.norm(dim=-1) / divisor,
    }[which]
