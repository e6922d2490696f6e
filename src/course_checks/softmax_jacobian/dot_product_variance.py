"""Task `dot_product_variance` of exercise 05."""

import torch

from course_checks.cases import Case, refusal
from course_checks.softmax_jacobian.shared import UNIT
from course_checks.task import Task
from course_checks.words import Finding

task = Task("dot_product_variance", UNIT)
_SHAPES = "print the shape at each line: (num_samples, d_k) numbers become num_samples dot products, then one number"
_HALF = ("the generator is not used for all that is drawn",
         "hand it to every call that draws: `torch.randn(..., generator=generator)`")  # fmt: skip
_SEED = ("a seed is set inside the function, or a generator of its own is made there",
         "draw from the generator that is given, as it is")  # fmt: skip

_ONE = ("one query for all keys, or one key for all queries: each sample draws both",
        "print the shape of what you draw: how many queries are there, and how many keys?")  # fmt: skip


@task.oracle
def right(d_k, num_samples=10_000, generator=None):
    """Know it: the variances of independent terms add."""
    return float(d_k)


# fmt: off
task.edit(".var()", {
    ".std()": ("the standard deviation is returned, not the variance", _SHAPES),
    ".mean()": ("the mean is returned, which is 0 but for chance", _SHAPES),
})
task.edit(".sum(dim=-1)", {"": (
    "the products are not summed: it is the variance of one product of two numbers", _SHAPES)})
task.edit("(query * key)", {
    "(query * key / d_k**0.5)": (
        "the variance is divided by d_k, or q . k by its root", "no scale here: how far do they spread as they are?"),
    "query": ("the sum of the numbers of one vector, whose variance is d_k too: query and key do not meet",
              "draw a histogram of what you take the variance of, for d_k = 1"),
})
task.edit(".item()", {"": (
    "the result is still a tensor", "turn a tensor of one number into a Python number with `.item()`")})
task.edit("key = torch.randn(num_samples, d_k, generator=generator)", {
    "key = query": ("each query meets itself in the place of a key", "draw queries and keys apart"),
    "key = torch.randn(1, d_k, generator=generator)": _ONE,
})
task.edit_all("torch.randn", {"torch.rand": ("the numbers are uniform (`torch.rand`), not standard normal "
    "(`torch.randn`)", "the task asks for standard normal numbers")})
task.edit("query = torch.randn(num_samples, d_k, generator=generator)", {
    "query = torch.randn(1, d_k, generator=generator)": _ONE,
    "query = torch.randn(num_samples, d_k)": _HALF,
    "generator = torch.Generator().manual_seed(0)\nquery = torch.randn(num_samples, d_k, generator=generator)": _SEED,
})
task.edit_all("(num_samples, ", {"(10_000, ": (
    "the argument `num_samples` is not used", "print how many dot products you make")})
# fmt: on


def measured(answer, d_k, num_samples, calls=1):
    """Observe the mean of several measurements, over d_k."""
    generator = torch.Generator().manual_seed(100 + d_k)
    found = [answer(d_k, num_samples, generator) for _ in range(calls)]
    if any(type(each) is not float for each in found):
        return found[0]
    return sum(found) / calls


def spread(answer, d_k, num_samples):
    """Observe how far the measurements of 2000 calls lie apart."""
    generator = torch.Generator().manual_seed(4)
    seen = torch.tensor([answer(d_k, num_samples, generator) for _ in range(2000)]).std().item()
    if 0.24 < seen < 0.343:  # all pairs: about sqrt(4 / n), here 0.286
        raise Finding("the measurements lie too close together", "", "one product compares each query with all "
                      "keys, not with its own alone", "how many products are there?", final=True)  # fmt: skip
    return seen


def from_the_generator(answer):
    """Observe whether the same state of the generator gives the same number, and a later state another one."""
    first, again, later = [torch.Generator().manual_seed(seed) for seed in (1, 1, 2)]
    numbers = [answer(5, 50, each) for each in (first, again, later, first)]
    expected = "the same state of the generator gives the same number, and a later state another one"
    if numbers[0] != numbers[1]:
        raise Finding("two generators with the same seed gave two numbers", expected, *_HALF)
    if len(set(numbers)) != 3:
        raise Finding("generators in different states gave the same number", expected, *_SEED)
    return True


EXPECTED = "the variance of many q . k, whose terms are products of independent standard normal numbers"
# Six standard errors: chance alone fails less than one right answer in a hundred million.
task.require("the variance is that of q . k", EXPECTED,
             [Case("d_k = 6, 10 000 samples", (6, 10_000), measured, within=0.6),
              Case("d_k = 40, 10 000 samples", (40, 10_000), measured, within=3.5)],
             [Case("d_k = 3, 5 000 samples", (3, 5_000), measured, within=0.5),
              Case("d_k = 100, 2 000 samples", (100, 2_000), measured, within=19.5)])  # fmt: skip
task.require(
    "products of random numbers spread as they should, and the number of samples counts",
    "measurements with few samples that lie apart as those of products of normal numbers do",
    # The variance of n products has a standard error of about sqrt(8 / n), here 0.4; that of normal numbers half.
    [Case("2000 calls with d_k = 1 and 50 samples each", (1, 50), spread, right=0.401, within=0.058)],
)
task.require(
    "all numbers come from the generator",
    "the same state of the generator gives the same number, and a later state another one",
    [Case("generators in the same state and in other states", (), from_the_generator, right=True)],
)
task.limits("the defaults, and wrong input",
            [Case("only d_k = 4 given", (4,), within=1.2), refusal("d_k = 0", (0,)), refusal("d_k = 2.5", (2.5,)),
             refusal("one sample", (4, 1))])  # fmt: skip
