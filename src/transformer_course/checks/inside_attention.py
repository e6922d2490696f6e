"""The checks of exercise 12. Each takes what the learner wrote and names the mistake that its results point to."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.inside_attention_ablation import (
    check_head_importance,
    compare_drops,
    compare_failure,
    refuses_heads,
)
from transformer_course.checks.inside_attention_experiments import (
    check_mended_diversity,
    check_rank_agreement,
    compare_agreement,
    compare_diversity,
)
from transformer_course.checks.inside_attention_mistakes import (
    entropy_mistakes,
    rollout_mistakes,
    similarity_mistakes,
)
from transformer_course.checks.inside_models import TwoAttentions
from transformer_course.checks.oracles_inside import right_entropy, right_rollout, right_similarity
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import Mistake, draw
from transformer_course.checks.token_results import require_shaped

UNIT = "inside_attention"
NOT_ALLOWED = {
    "attention_entropy": ("special_entr", ".entr", "xlogy", "distributions"),
    "head_similarity": ("cosine_similarity", "corrcoef", "cosine_embedding"),
}
QUESTIONS = ("cosine of random maps", "share of the largest entropy", "loss without one twin")
WORDS = ("almost nothing", "about a half", "almost all")

__all__ = [
    "TwoAttentions",
    "answer",
    "causal_maps",
    "check_attention_entropy",
    "check_attention_rollout",
    "check_head_importance",
    "check_head_similarity",
    "check_mended_diversity",
    "check_predictions",
    "check_rank_agreement",
    "compare_agreement",
    "compare_diversity",
    "compare_drops",
    "compare_failure",
    "draw",
    "draw_maps",
    "gradient_at_zero",
    "refuses_heads",
    "right_entropy",
    "right_rollout",
    "right_similarity",
]


def answer(function: Callable, name: str) -> Answer:
    """Wrap the learner's function for the checks of this unit."""
    return Answer(function, name, UNIT, NOT_ALLOWED.get(name, ()))


def draw_maps(*shape: int, seed: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """Draw maps whose rows sum to 1, some of them sharp."""
    return torch.softmax(2 * draw(*shape, seed=seed).double(), -1).to(dtype)


def causal_maps(*shape: int, seed: int) -> Tensor:
    """Draw maps of which the upper right is 0: every position looks at itself and what came before it."""
    scores = 2 * draw(*shape, seed=seed).double()
    hidden = torch.ones(shape[-2:], dtype=torch.bool).triu(1)
    return torch.softmax(scores.masked_fill(hidden, -torch.inf), -1)


def gradient_at_zero(subject: Answer, situation: str, weights: Tensor) -> None:
    """Require the gradient -(ln w + 1) where there is weight, and 0 where there is none."""
    leaf, other = (weights.detach().clone().requires_grad_() for _ in range(2))
    result, right = subject(situation, leaf), right_entropy(other)
    subject.require_tensor(situation, result, right)
    if not result.requires_grad:
        subject.gradients(situation, right_entropy, weights)
    (got,), (wanted,) = torch.autograd.grad(result.sum(), leaf), torch.autograd.grad(right.sum(), other)
    nothing = weights == 0
    subject.compare(
        situation,
        got,
        wanted,
        "-(ln w + 1) for a weight w, and 0 for a weight of 0",
        [
            Mistake(
                lambda gradient: not bool(gradient.isfinite().all()),
                "the gradient with respect to a weight of 0 is infinite or NaN",
                "the logarithm of 0 is taken, and its NaN or infinity replaced afterwards: the result is mended, "
                "the way back is not",
                "give a weight of 0 another number before the logarithm is taken, with `torch.where` or `masked_fill`",
            ),
            Mistake(
                torch.where(nothing, wanted, wanted + 1),
                "the gradient is -ln w",
                "the logarithm is cut off from the graph: it depends on w as well",
                "leave `.detach()`, `.data` and `torch.no_grad()` out of the formula",
            ),
            Mistake(
                lambda gradient: bool(
                    gradient.isfinite().all() and torch.where(nothing, wanted, gradient).allclose(wanted, 1e-5, 1e-5)
                ),
                "the gradient with respect to a weight of 0 is not 0",
                "a small number is added before the logarithm, or small weights are raised to it",
                "give a weight of 0 another number before the logarithm is taken, with `torch.where` or `masked_fill`",
            ),
        ],
    )


def check_attention_entropy(attention_entropy: Callable) -> None:
    """Check rows with and without zeros, and the gradient."""
    subject = answer(attention_entropy, "attention_entropy")
    hint = "try a row with all its weight on one key, and a row that is even over 4 keys"
    known = {
        (2, 3, 7): (
            "the sum runs over the queries: each row is a distribution over keys",
            "sum over the last dimension",
        ),
        (): ("everything is summed or averaged into one number", "sum over the last dimension only"),
        (2, 3): ("the rows of a map are averaged", "sum over the last dimension only"),
        (2, 5): ("the heads are averaged", "sum over the last dimension only"),
        (2, 3, 5, 7): ("the sum over the keys is missing", "sum over the last dimension"),
        (2, 3, 5, 1): ("the dimension of the keys is kept", "leave out `keepdim=True`, or squeeze the last dimension"),
    }
    some = draw_maps(2, 3, 5, 7, seed=1)
    empty = some.clone()
    empty[0, 1] = torch.tensor([0, 0, 1.0, 0, 0, 0, 0])
    empty[1, 0, :3] = torch.tensor([0.5, 0, 0, 0.25, 0, 0.25, 0])
    empty[1, 2, 4] = 0.0
    kept = Mistake(
        right_entropy(some),
        "the result is that of the call before",
        "something is kept between calls: a global variable, or a default argument that is changed",
        "compute everything from the argument",
    )
    for situation, weights, what in [
        ("2 layers, 3 heads, 5 queries, 7 keys", some, "the entropy of each row, in nats"),
        ("rows in which some or all weights are 0", empty, "a weight of 0 adds nothing"),
    ]:
        right = right_entropy(weights)
        result = require_shaped(subject, situation, subject(situation, weights), right, known)
        requirement = "the sum of -w ln w over the keys, where a weight of 0 adds 0"
        subject.compare(situation, result, right, requirement, [*entropy_mistakes(weights), kept], hint)
        subject.passed(what)
    gradient_at_zero(subject, "the gradient, where no weight is 0", some)
    gradient_at_zero(subject, "the gradient, where some weights are 0", empty)
    subject.passed("the gradient, also at a weight of 0")


def check_head_similarity(head_similarity: Callable) -> None:
    """Check the cosine of every pair of heads, with and without a map of zeros, and the gradient."""
    subject = answer(head_similarity, "head_similarity")
    hint = "try a layer whose heads all have the same map, and one whose heads never look at the same key"
    known = {
        (4, 4): ("the layers are mixed", "compare heads of the same layer, for every layer"),
        (3, 3): ("layers are compared, not heads", "each layer has its own table of heads by heads"),
        (3, 4): (
            "a head is compared with one other thing, not with every head",
            "the table has heads rows and columns",
        ),
        (12, 12): ("the heads of all layers are compared with each other", "flatten the queries and keys only"),
        (3, 4, 4, 5): ("the cosine is taken row by row", "flatten queries and keys into one dimension first"),
        (3, 4, 5, 5): ("queries are compared, not heads", "flatten queries and keys into one dimension first"),
        (3, 6): ("only the pairs of different heads are returned", "the table has heads rows and columns"),
    }
    some = draw_maps(3, 4, 5, 6, seed=11)
    empty = some.clone()
    empty[1, 2] = 0.0
    for situation, weights, what in [
        ("3 layers, 4 heads, 5 queries, 6 keys", some, "the cosine of every pair of heads, in each layer"),
        ("a head whose map is all 0", empty, "a map of zeros has cosine 0 with every map"),
    ]:
        right = right_similarity(weights)
        result = require_shaped(subject, situation, subject(situation, weights), right, known)
        requirement = "the cosine of two maps of a layer, each read as one long vector; 0 for a map of zeros"
        subject.compare(situation, result, right, requirement, similarity_mistakes(weights), hint)
        subject.passed(what)
    subject.gradients("the gradient", right_similarity, some)
    subject.passed("the gradient")


def check_attention_rollout(attention_rollout: Callable) -> None:
    """Check the order of the layers, the residual connection, rows of zeros, and the gradient."""
    subject = answer(attention_rollout, "attention_rollout")
    hint = "print what each layer adds for 2 layers, 1 head and 3 positions, and follow one position by hand"
    known = {
        (4, 5, 5): (
            "heads and layers are exchanged, or one of the two is left",
            "the mean over dimension 1, the heads",
        ),
        (3, 5, 5): ("the layers are still there", "multiply the matrices of the layers with each other"),
        (5,): ("one dimension too many is averaged or summed", "the result is a table of positions by positions"),
    }
    some = draw_maps(3, 4, 5, 5, seed=21)
    empty = causal_maps(3, 4, 5, 5, seed=22)
    empty[1, :, 3] = 0.0
    empty[0, 2, 1] = 0.0
    for situation, weights, what in [
        ("3 layers, 4 heads, 5 positions", some, "from the first layer up, with the residual connection"),
        ("positions that attend to nothing, in some heads or in all", empty, "every row sums to 1, in any case"),
    ]:
        right = right_rollout(weights)
        result = require_shaped(subject, situation, subject(situation, weights), right, known)
        requirement = "heads averaged, half attention and half identity, rows divided by their sum, layer after layer"
        subject.compare(situation, result, right, requirement, rollout_mistakes(weights), hint)
        subject.passed(what)
    subject.gradients("the gradient", right_rollout, some)
    subject.passed("the gradient")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each question; not whether it is right."""
    require_predictions(predictions, QUESTIONS, WORDS, "task 6")
