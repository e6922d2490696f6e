"""The checks of exercise 12 beside its contract: how far two rankings agree, and the mended comparison of heads."""

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.causes import kind
from transformer_course.checks.oracles_inside import right_agreement, right_diversity
from transformer_course.checks.reporting import draw

UNIT = "inside_attention"


def _compare_number(
    subject: Answer,
    situation: str,
    arguments: tuple,
    right: float,
    causes: dict[str, float],
    requirement: str,
    hint: str,
) -> None:
    before = [list(each) for each in arguments if type(each) is list]
    result = subject(situation, *arguments)
    if before != [each for each in arguments if type(each) is list]:
        subject.fail(
            situation,
            "the call changed one of its lists",
            "arguments that are the same after the call as before it",
            "`.sort()`, `.reverse()` or an assignment works on the list of the caller",
            "`sorted(x)` makes a new list",
        )
    if type(result) is not float:
        subject.fail(
            situation, f"it returned {kind(result)}", "a Python number (float)", "the return statement", "use `.item()`"
        )
    if math.isclose(result, right, rel_tol=1e-6, abs_tol=1e-9):
        return
    alike = [cause for cause, wrong in causes.items() if math.isclose(result, wrong, rel_tol=1e-6, abs_tol=1e-9)]
    cause = ". Or (it shows in the same way): ".join(alike) or "none of the mistakes that we know"
    subject.fail(situation, f"the number {result:.4f}", requirement, cause, hint)


def _products(first: Sequence[float], second: Sequence[float]) -> list[tuple[float, float]]:
    return [(first[i] - first[j], second[i] - second[j]) for i, j in combinations(range(len(first)), 2)]


def _correlation(first: Sequence[float], second: Sequence[float]) -> float:
    table = torch.tensor([list(first), list(second)], dtype=torch.float64)
    return torch.corrcoef(table)[0, 1].item()


def compare_agreement(subject: Answer, situation: str, first: list[float], second: list[float]) -> None:
    """Compare with the count of all pairs."""
    pairs = _products(first, second)
    number, alike = len(pairs), sum(a * b > 0 for a, b in pairs)
    apart, ties = sum(a * b < 0 for a, b in pairs), sum(a * b == 0 for a, b in pairs)
    right = right_agreement(first, second)
    neighbours = [(b - a) * (d - c) for a, b, c, d in zip(first, first[1:], second, second[1:], strict=False)]
    size = len(first)
    causes = {
        "pairs in the opposite order are not subtracted": alike / number,
        "pairs in the opposite order count -1, and the others, ties too, count 1": (alike + ties - apart) / number,
        "ties count as opposite": (alike - ties - apart) / number,
        "the signs are the wrong way round": -right,
        "the count is not divided by the number of pairs": float(alike - apart),
        "the count is divided by the number of heads": (alike - apart) / size,
        "every pair is counted once, and divided by the number of ordered pairs": right / 2,
        "every pair is counted twice": 2 * right,
        "the count is divided by the square of the number of heads: a head is no pair with itself": (
            2 * (alike - apart) / size**2
        ),
        "only neighbours in the list are compared": sum((x > 0) - (x < 0) for x in neighbours) / (size - 1),
        "ties are left out of the number of pairs": (alike - apart) / max(number - ties, 1),
        "the sizes of the numbers count: that is their correlation, not that of their order": (
            _correlation(first, second)
        ),
        "the places in the two orders are correlated, where the task counts pairs": _correlation(
            *(torch.tensor(x).argsort().argsort().tolist() for x in (first, second))
        ),
    }
    _compare_number(
        subject,
        situation,
        (list(first), list(second)),
        right,
        {cause: wrong for cause, wrong in causes.items() if math.isfinite(wrong)},
        "pairs of places that both lists order alike, minus pairs that they order in opposite ways, over all pairs",
        "write down the three pairs of `[1, 2, 3]` and `[10, 30, 20]` by hand",
    )


def check_rank_agreement(rank_agreement: Callable) -> None:
    """Check orders that agree, that oppose each other, that mix, and ties."""
    subject = Answer(rank_agreement, "rank_agreement", UNIT)
    mixed = [0.4, 0.1, 0.9, 0.3, 0.7, 0.2], [2.0, 1.0, 30.0, 6.0, 5.0, 1.5]
    compare_agreement(subject, "six heads, few pairs in the opposite order", *mixed)
    compare_agreement(subject, "six heads, most pairs in the opposite order", mixed[0], [-(x**3) for x in mixed[1]])
    subject.passed("pairs that agree, minus pairs that do not, over all pairs")
    compare_agreement(subject, "five heads with ties", [0.5, 0.5, 0.1, 0.9, 0.2], [3.0, 1.0, 1.0, 4.0, 2.0])
    subject.passed("a pair with a tie counts for neither side")


def compare_diversity(subject: Answer, situation: str, weights: Tensor) -> None:
    """Compare with the mean over sentences and pairs of different heads."""
    batch, heads = weights.shape[:2]

    def mean(maps: Tensor, diagonal: bool = False) -> float:
        values = [
            torch.nn.functional.cosine_similarity(one.flatten(), other.flatten(), dim=0)
            for sentence in maps
            for i, one in enumerate(sentence)
            for j, other in enumerate(sentence)
            if diagonal or i != j
        ]
        return torch.stack(values).mean().item()

    right = right_diversity(weights)
    averaged = weights.mean(0, keepdim=True)
    causes = {
        "both bugs are still there": mean(averaged, True),
        "a head is still compared with itself": mean(weights, True),
        "the sentences are still averaged before heads are compared": mean(averaged),
        "the diagonal is left out of the sum, but still counted in the mean": right * (heads - 1) / heads,
        "half of the pairs are left out of the sum, but still counted in the mean": right / 2,
        "half of the table is left out of the sum, but still counted in the mean": right * (heads - 1) / heads / 2,
        "the sentences are summed, not averaged": right * batch,
        "all heads of a sentence are divided by one length": _with_one_length(weights),
        "heads of different sentences are compared too": mean(weights.flatten(0, 1)[None]),
        "heads of different sentences are compared too, and each with itself": mean(weights.flatten(0, 1)[None], True),
    }
    if batch > 1:
        causes["sentences are compared, not heads"] = mean(weights.transpose(0, 1))
    _compare_number(
        subject,
        situation,
        (weights,),
        right,
        causes,
        "the mean cosine of two different heads that read the same sentence",
        "try heads that never look at the same key in any sentence (0), and heads that are all the same (1)",
    )


def _with_one_length(weights: Tensor) -> float:
    flat, heads = weights.flatten(2), weights.shape[1]
    products = flat @ flat.mT / flat.square().sum((1, 2), keepdim=True)
    return products[:, ~torch.eye(heads, dtype=torch.bool)].mean().item()


def check_mended_diversity(mended_diversity: Callable) -> None:
    """Check heads that never meet in a sentence but have the same mean, heads that are alike, and random ones."""
    subject = Answer(mended_diversity, "mended_diversity", UNIT)
    one = torch.eye(4).double().unsqueeze(0)
    apart = torch.cat([torch.stack([one.roll(shift + s, -1)[0] for shift in range(3)])[None] for s in range(4)])
    compare_diversity(subject, "heads that never look at the same key in one sentence", apart)
    compare_diversity(subject, "heads that have the same map", torch.softmax(draw(3, 1, 4, 5), -1).expand(3, 4, 4, 5))
    subject.passed("0 for heads that never meet, 1 for heads that are the same")
    compare_diversity(subject, "random maps", torch.softmax(2 * draw(3, 4, 5, 6, seed=41).double(), -1))
    subject.passed("random maps")
