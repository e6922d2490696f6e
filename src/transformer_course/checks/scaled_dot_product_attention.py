"""The checks of exercise 04. Each takes what the learner wrote and names the mistake that its results point to."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.attention_mistakes import (
    empty_row_is_zero,
    mask_mistakes,
    overflow_mistakes,
    softmax_mistakes,
    transposed,
    weight_mistakes,
)
from transformer_course.checks.oracles import right_output, right_pair, right_softmax, right_weights
from transformer_course.checks.reporting import Mistake, draw, fail, passed, same

UNIT = "scaled_dot_product_attention"

# Words in the names of torch functions that a task does not allow.
READY_MADE = ("scaled_dot_product", "multi_head_attention")
NOT_ALLOWED = {
    "softmax": ("softmax", "softmin", *READY_MADE),
    "attention_weights": READY_MADE,
    "mean_largest_weight": READY_MADE,
    "scaled_dot_product_attention": READY_MADE,
    "mended_attention": READY_MADE,
    "attention_in_blocks": READY_MADE,
}
OUTPUT_AND_WEIGHTS = ("output", "weights")


def answer(function: Callable, name: str) -> Answer:
    """Wrap the learner's function for the checks of this unit."""
    return Answer(function, name, UNIT, NOT_ALLOWED[name])


def check_softmax(softmax: Callable) -> None:
    """Check shape, rows, stability, -inf and gradient of the learner's softmax."""
    subject = answer(softmax, "softmax")
    scores = draw(2, 3, 5, seed=1)
    situation = "random scores of shape (2, 3, 5)"
    subject.compare(
        situation,
        subject.tensor(situation, scores, like=scores),
        right_softmax(scores),
        "every row (the last dimension) is e^score, divided by the sum of e^score over that row",
        softmax_mistakes(scores),
    )
    subject.passed("every row is positive and sums to 1")

    large = torch.tensor([[1e4, 1e4 - 1, 1e4 - 2], [-1e4, -1e4 + 1, -1e4 + 2]]).double()
    situation = "scores around 10 000 and around -10 000"
    subject.compare(
        situation,
        subject.tensor(situation, large, like=large),
        right_softmax(large),
        "finite weights: adding a constant to a row does not change its softmax",
        overflow_mistakes(large),
        "print the largest exponential of each row; it should be exactly 1",
    )
    subject.passed("large scores do not overflow")

    hidden = torch.tensor([[0.5, -math.inf, 1.5, -math.inf], [-math.inf] * 4])
    situation = "a row in which some scores are -inf"
    weights = subject.tensor(situation, hidden, like=hidden)
    if not same(weights[0], right_softmax(hidden)[0]):
        subject.fail(
            situation,
            "the row is NaN" if weights[0].isnan().any() else "other weights than the row has without its -inf entries",
            "weight 0 for a score of -inf, and the softmax of the others",
            "-inf takes part in a product or a difference (inf - inf and 0 * inf are NaN), or was replaced by a number",
            "the exponential of -inf is 0 already; look for the operation that comes before it",
        )
    empty_row_is_zero(subject, weights[1], "a row of nothing but -inf")
    subject.passed("-inf gets weight 0, and a row of nothing but -inf gets zeros")

    subject.gradients("the gradient, for scores of shape (3, 4)", right_softmax, draw(3, 4, seed=2).double())
    subject.passed("the gradient is that of the formula")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each of the three ways to scale; not whether it is right."""
    questions, words = ("1", "sqrt(d_k)", "d_k"), ("grows", "stays", "falls")
    if (
        type(predictions) is not dict
        or set(predictions) != set(questions)
        or not all(type(word) is str and word in words for word in predictions.values())
    ):
        fail(
            "predictions",
            "the three answers",
            f"{predictions!r}"[:200],
            f"a dictionary with the keys {', '.join(questions)}, each with one of the words {', '.join(words)}",
            "an answer is missing or misspelt",
            "take the commented line of the cell, and fill in the three words",
        )
    passed("predictions", "you have made your guess; task 4 measures it")


def check_attention_weights(attention_weights: Callable) -> None:
    """Check the weights: which dimension, which scale, which gradient."""
    subject = answer(attention_weights, "attention_weights")
    situation = "3 queries, 7 keys, d_k = 5, batch of 2"
    query, key = draw(2, 3, 5, seed=3), draw(2, 7, 5, seed=4)
    right = right_weights(query, key)
    subject.compare(
        situation,
        subject.tensor(situation, query, key, like=right),
        right,
        "softmax over the keys of q . k / sqrt(d_k)",
        weight_mistakes(query, key, {"the number of keys": 7, "the number of queries": 3, "the batch size": 2}),
    )
    subject.passed("softmax over the keys of the scaled scores")

    situation = "4 queries and 4 keys, d_k = 6, no batch"
    query, key = draw(4, 6, seed=5), draw(4, 6, seed=6)
    right = right_weights(query, key)
    exchanged = Mistake(
        right_weights(key, query),
        "the result is that of query and key exchanged",
        "key times query in the place of query times key",
        "the query stands on the left of the matrix product, the transposed key on the right",
    )
    subject.compare(
        situation,
        subject.tensor(situation, query, key, like=right),
        right,
        "row i holds the weights of query i",
        [exchanged, transposed(right), *weight_mistakes(query, key, {})],
    )
    subject.passed("rows are queries, columns are keys")

    inputs = draw(2, 4, seed=7).double(), draw(3, 4, seed=8).double()
    subject.gradients("the gradient, 2 queries, 3 keys, d_k = 4", right_weights, *inputs)
    subject.passed("the gradient is that of the formula")


def check_mean_largest_weight(mean_largest_weight: Callable) -> None:
    """Check the experiment at two points, with room for chance."""
    for d_k, divisor in [(16, 4.0), (25, 1.0)]:
        compare_mean_largest_weight(mean_largest_weight, d_k, divisor)
    passed("mean_largest_weight", "the numbers are those of 1000 random queries with 16 keys each")


def compare_mean_largest_weight(mean_largest_weight: Callable, d_k: int, divisor: float) -> None:
    """Compare the learner's mean with one of our own; chance alone fails one right answer in a billion."""
    subject = answer(mean_largest_weight, "mean_largest_weight")
    situation = f"d_k = {d_k}, dot products divided by {divisor:g}"
    measured = subject(situation, d_k, divisor)
    expected = "a Python number, the mean of the largest of 16 weights"
    if type(measured) is not float:
        kind = type(measured).__name__
        subject.fail(situation, f"it returned a {kind}", expected, "the result is still a tensor", "use `.item()`")
    scores = (draw(2000, 1, d_k, seed=9) * draw(2000, 16, d_k, seed=10)).sum(-1) / divisor
    largest = torch.softmax(scores, -1).amax(-1)
    if abs(measured - largest.mean().item()) <= 1e-5 + 6.5 * largest.std().item() * math.sqrt(1 / 1000 + 1 / 2000):
        return
    observed = f"it returned {measured:.3f}, which is not what such queries and keys give"
    if measured > 0.9999:
        cause = "softmax over a dimension of size 1, so that every weight is 1"
    elif abs(measured - 1 / 16) < 1e-5:
        cause = "the mean of all weights, which is 1/16 whatever the scores are, in the place of the largest"
    else:
        cause = "the products are not divided by `divisor`, or divided by sqrt(d_k) as well, or all queries share keys"
    subject.fail(situation, observed, expected, cause, "print the shape of the weights: (1000, 1, 16)")


def check_scaled_dot_product_attention(scaled_dot_product_attention: Callable) -> None:
    """Check output and weights without a mask, with one, for a query without keys; and the gradients."""
    subject = answer(scaled_dot_product_attention, "scaled_dot_product_attention")
    sizes = "batch 2, 3 queries, 7 keys, d_k = 5, d_v = 6"
    inputs = query, key, value = draw(2, 3, 5, seed=11), draw(2, 7, 5, seed=12), draw(2, 7, 6, seed=13)
    others = {"d_v": 6, "the number of keys": 7, "the number of queries": 3, "the batch size": 2}
    _compare_pair(subject, f"no mask; {sizes}", inputs, None, weight_mistakes(query, key, others))
    subject.passed("output and weights without a mask")

    square = draw(4, 6, seed=14), draw(4, 6, seed=15), draw(4, 3, seed=16)
    right = right_weights(*square[:2])
    _compare_pair(subject, "4 queries and 4 keys, d_k = 6, d_v = 3, no batch", square, None, [transposed(right)])
    subject.passed("rows are queries, columns are keys")

    mask = torch.tensor([[1, 1, 0, 1, 0, 0, 1], [0, 1, 1, 0, 1, 1, 0], [1, 0, 0, 1, 1, 0, 1]], dtype=torch.bool)
    _compare_pair(subject, f"a mask of shape (3, 7); {sizes}", inputs, mask, mask_mistakes(query, key, mask))
    subject.passed("a mask hides keys, and the others share the whole weight")

    mask = mask.clone()
    mask[1] = False
    situation = "a query that may attend to nothing"
    right = right_pair(*inputs, mask)
    output, weights = subject.pair(situation, *inputs, mask, like=right, names=OUTPUT_AND_WEIGHTS)
    empty_row_is_zero(subject, weights[:, 1], situation)
    empty_row_is_zero(subject, output[:, 1], f"{situation}: its output")
    subject.compare(situation, weights, right[1], "the other queries are not touched by it")
    subject.passed("a query that may attend to nothing gets zeros")

    doubles = [x.double() for x in inputs]
    subject.gradients("the gradient of the output, no mask", right_output, *doubles, select=lambda pair: pair[0])
    subject.passed("the gradient is that of the formula")


def _compare_pair(
    subject: Answer, situation: str, inputs: tuple[Tensor, Tensor, Tensor], mask: Tensor | None, mistakes: list[Mistake]
) -> None:
    """Compare output and weights with the oracle, the weights with their known mistakes first."""
    query, key, value = inputs
    right = right_pair(query, key, value, mask)
    arguments = inputs if mask is None else (*inputs, mask)
    result = subject(situation, *arguments)
    if type(result) is tuple and len(result) == 2 and all(type(each) is Tensor for each in result):
        output, weights = result
        if output.shape == right[1].shape and weights.shape == right[0].shape and output.shape != weights.shape:
            subject.fail(
                situation,
                f"the first result has shape {tuple(output.shape)}, the second {tuple(weights.shape)}",
                "the output first, then the weights",
                "the two results come in the wrong order",
                "end the function with `return output, weights`",
            )
        if weights.shape == right[1].shape and weights.dtype == key.dtype and same(output, weights @ key):
            subject.fail(
                situation,
                "the output is a weighted mean of the keys",
                "a weighted mean of the values",
                "weights times key: the value is not used",
                "the keys say where to look, the values say what is found there",
            )
    output, weights = subject.require_pair(situation, result, right, OUTPUT_AND_WEIGHTS)
    requirement = "softmax, over the keys that may be attended to, of q . k / sqrt(d_k)"
    subject.compare(situation, weights, right[1], requirement, mistakes)
    wrong_outputs = [
        Mistake(
            right_output(query, key, value),
            "the weights are right, but the output is that without a mask",
            "the output is computed from weights that know nothing of the mask",
            "compute the weights once, and use the same ones for both results",
        ),
        Mistake(
            value.mean(-2, keepdim=True).expand_as(right[0]),
            "every query gets the plain mean of the values",
            "the weights are not used for the output",
            "multiply the weights with the value",
        ),
        Mistake(
            right[0] / query.shape[-1] ** 0.5,
            "the output is too small by the factor sqrt(d_k)",
            "the division by sqrt(d_k) is applied to the output too",
            "scale the scores, before softmax, and nothing else",
        ),
    ]
    if weights.shape[-1] == weights.shape[-2]:
        wrong_outputs.append(
            Mistake(
                right[1].transpose(-2, -1) @ value,
                "each value is shared out by a column of the weights, not by a row",
                "the weights are transposed before the product with the value",
                "rows of the weights belong to queries: `weights @ value`",
            )
        )
    subject.compare(situation, output, right[0], "the mean of the values, weighted with the weights", wrong_outputs)


def check_mended_attention(mended_attention: Callable) -> None:
    """Check two properties that the broken function does not have; say which one is missing, not where."""
    subject = answer(mended_attention, "mended_attention")
    inputs = query, key, value = draw(2, 3, 8, seed=17), draw(2, 5, 8, seed=18), draw(2, 5, 3, seed=19)
    situation = "no mask, d_k = 8, d_v = 3"
    right = right_pair(*inputs)
    _, weights = subject.pair(situation, *inputs, like=right, names=OUTPUT_AND_WEIGHTS)
    subject.compare(
        situation,
        weights,
        right[1],
        "the weights of the formula, which depend on query and key alone",
        weight_mistakes(query, key, {"the value's width": 3}),
        "give two values of different width to the same query and key: do the weights change?",
    )
    subject.passed("the weights are those of the formula when d_k and d_v differ")
    mask = torch.tensor([[1, 1, 0, 0, 1], [0, 1, 1, 1, 0], [1, 0, 1, 1, 1]], dtype=torch.bool)
    situation = "a mask of shape (3, 5)"
    right = right_pair(*inputs, mask)
    output, weights = subject.pair(situation, *inputs, mask, like=right, names=OUTPUT_AND_WEIGHTS)
    requirement = "each row of the weights sums to 1: the keys that remain share the whole weight"
    subject.compare(situation, weights, right[1], requirement, mask_mistakes(query, key, mask))
    subject.compare(situation, output, right[0], "the mean of the values, weighted with the weights")
    subject.passed("with a mask every row of the weights sums to 1")


def check_attention_in_blocks(attention_in_blocks: Callable) -> None:
    """Check that the size of the blocks changes nothing, for ordinary and for large scores."""
    subject = answer(attention_in_blocks, "attention_in_blocks")
    query, key, value = draw(2, 3, 5, seed=61), draw(2, 8, 5, seed=62), draw(2, 8, 6, seed=63)
    for block_size in (8, 4, 3, 1):
        situation = f"8 keys in blocks of {block_size}"
        subject.returns(situation, right_output(query, key, value), query, key, value, block_size)
        large = (60 * query, 60 * key, value)
        subject.returns(f"{situation}, large scores", right_output(*large), *large, block_size)
    subject.passed("the output does not depend on the size of the blocks")
