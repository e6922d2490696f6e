"""The checks of exercise 07. Each takes what the learner wrote and names the mistake that its results point to."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.modules import build, give_weights, parameter_gradients, require_parameters
from transformer_course.checks.multi_head_experiments import (
    check_grouped_attention,
    check_heads_one_by_one,
    check_mended_heads,
    matrices,
    right_one_by_one,
)
from transformer_course.checks.multi_head_mistakes import (
    INTERLEAVED,
    LOOK,
    MERGE_INTERLEAVED,
    MERGE_VIEWED,
    PROJECTIONS,
    REVERSED,
    VIEWED,
    multi_head_mistakes,
    of,
    wrong_parameters,
)
from transformer_course.checks.oracles_heads import (
    right_flops,
    right_heads,
    right_merge,
    right_multi_head,
    right_parameter_count,
    right_split,
)
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import Mistake, draw, same

UNIT = "multi_head_attention"
READY_MADE = ("multi_head_attention",)
QUESTIONS, WORDS = ("parameters", "multiply-accumulates", "weights"), ("grow", "stay", "fall")
OUTPUT_AND_WEIGHTS = ("output", "weights")

__all__ = [
    "answer",
    "check_attention_flops",
    "check_grouped_attention",
    "check_heads_one_by_one",
    "check_mended_heads",
    "check_merge_heads",
    "check_multi_head_attention",
    "check_parameter_count",
    "check_predictions",
    "check_split_heads",
    "draw",
    "make",
    "matrices",
    "parameter_gradients",
    "right_flops",
    "right_heads",
    "right_merge",
    "right_multi_head",
    "right_one_by_one",
    "right_parameter_count",
    "right_split",
]


def answer(function: Callable, name: str) -> Answer:
    """Wrap what the learner wrote for the checks of this unit."""
    return Answer(function, name, UNIT, READY_MADE)


def _shaped(subject: Answer, situation: str, result: object, right: Tensor, known: dict[tuple, tuple]) -> Tensor:
    """Require the right shape; say what the known wrong ones mean."""
    if type(result) is Tensor and result.shape != right.shape and tuple(result.shape) in known:
        cause, hint = known[tuple(result.shape)]
        observed = f"the result has shape {tuple(result.shape)}"
        subject.fail(situation, observed, f"the shape {tuple(right.shape)}", cause, hint)
    return subject.require_tensor(situation, result, right)


def check_split_heads(split_heads: Callable) -> None:
    """Check which numbers each head gets, and that gradients pass."""
    subject = answer(split_heads, "split_heads")
    situation, x = "batch 2, length 5, d_model 12, 3 heads", draw(2, 5, 12, seed=1)
    known = {
        (2, 5, 3, 4): (
            "the heads still stand behind the length: the transpose is missing",
            "exchange length and heads",
        ),
        (2, 4, 5, 3): ("num_heads and d_k change places", LOOK),
        (2, 3, 4, 5): ("the length and d_k change places at the end", "the columns of a head stand in the last place"),
        (2, 3, 5, 12): ("every head gets all columns", "the heads share the d_model columns among them"),
    }
    right = right_split(x, 3)
    result = _shaped(subject, situation, subject(situation, x, 3), right, known)
    mistakes = [of(each, x, 3) for each in (VIEWED, INTERLEAVED, REVERSED)]
    subject.compare(
        situation, result, right, "head i holds the i-th block of d_k columns, of every word", mistakes, LOOK
    )
    subject.passed("head i holds the i-th block of columns")
    inputs = draw(2, 3, 6, seed=2).double()
    subject.gradients("the gradient, 2 heads", lambda x: right_split(x, 2), inputs, keywords={"num_heads": 2})
    subject.passed("gradients pass through")


def check_merge_heads(merge_heads: Callable) -> None:
    """Check that every word gets its heads side by side, and that gradients pass."""
    subject = answer(merge_heads, "merge_heads")
    situation, x = "batch 2, 3 heads, length 5, d_k 4", draw(2, 3, 5, 4, seed=3)
    lost = (
        "the heads are added up. Or (it shows in the same way): they are averaged",
        "d_model is heads * d_k: keep all",
    )
    known = {
        (2, 5, 4): lost,
        (2, 5, 3, 4): ("the last two dimensions are still two", "make one dimension of heads and d_k"),
        (2, 3, 20): ("the length and d_k become one", "bring heads next to d_k before two dimensions become one"),
        (2, 12, 5): ("the length stands last", "the result is (batch, length, d_model)"),
    }
    right = right_merge(x)
    result = _shaped(subject, situation, subject(situation, x), right, known)
    reverse = Mistake(
        right_merge(x.flip(1)), "the heads stand in the wrong order", "they are glued from the last", LOOK
    )
    mistakes = [of(MERGE_VIEWED, x), of(MERGE_INTERLEAVED, x), reverse]
    subject.compare(
        situation, result, right, "the columns of head 0, then those of head 1, ..., of every word", mistakes
    )
    subject.passed("every word has its heads side by side")
    subject.gradients("the gradient, 2 heads", right_merge, draw(3, 2, 4, 5, seed=4).double())
    subject.passed("gradients pass through")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each of the three numbers; not whether it is right."""
    require_predictions(predictions, QUESTIONS, WORDS, "the table after task 5")


def _count(subject: Answer, situation: str, arguments: tuple, right: int, known: list[tuple[int, str]]) -> None:
    """Require a Python integer; say which forgotten or surplus term gives the one that came."""
    result = subject(situation, *arguments)
    expected = "a Python integer: one number for every term of the task's list"
    if type(result) is not int:
        cause = "`/` gives a float, `//` an integer; or a tensor in the place of a number"
        subject.fail(situation, f"it returned a {type(result).__name__}", expected, cause, "use integers all through")
    if result != right:
        causes = list(dict.fromkeys(cause for number, cause in known if number == result))
        subject.fail(
            situation,
            f"it returned {result}, which is too {'many' if result > right else 'few'}",
            expected,
            " Or (it shows in the same way): ".join(causes) or "none of the mistakes that we know",
            "take the smallest case, d_model = 2 and one head, and count on paper",
        )


def check_parameter_count(parameter_count: Callable) -> None:
    """Check the count with and without bias, for one head and several."""
    subject = answer(parameter_count, "parameter_count")
    for d_model, num_heads, bias in [(12, 3, True), (12, 3, False), (10, 1, True)]:
        d, h, b, d_k = d_model, num_heads, int(bias), d_model // num_heads
        known = [
            (3 * d * d + 3 * b * d, "w_output is left out"),
            (4 * d * d, "the biases are left out"),
            (4 * d * d + 4 * d, "the biases are counted although there are none"),
            (h * (4 * d * d + 4 * b * d), "every head is counted with d_model columns of its own"),
            ((3 * h + 1) * d * d + 4 * b * d, "every head is counted with d_model columns of its own"),
            (4 * d * d_k + 4 * b * d_k, "one head alone is counted"),
            (3 * d * d_k + d * d + b * (3 * d_k + d), "one head alone is counted"),
            (4 * d * d + b, "one bias in all, where every output column has one"),
            (4 * d * d + 4 * b, "one bias a layer, where every output column has one"),
            (4 * h * d_k * d_k + 4 * b * d, "a head reads d_k features, where every head reads all d_model"),
        ]
        situation = f"d_model = {d}, num_heads = {h}, bias = {bias}"
        _count(subject, situation, (d, h, bias), right_parameter_count(d, bias), known)
    subject.passed("every weight and bias of the four layers is counted")


def check_attention_flops(attention_flops: Callable) -> None:
    """Check the count for queries and keys of different lengths."""
    subject = answer(attention_flops, "attention_flops")
    for m, n, d, h in [(5, 7, 12, 3), (1, 9, 8, 2)]:
        once, right = m * n * d, right_flops(m, n, d, h)
        projections = 2 * (m + n) * d * d
        known = [
            (2 * right, "a multiplication and an addition are counted as two; here the pair is one"),
            (projections, "the two matrix products of attention are left out"),
            (2 * once, "the four projections are left out"),
            (projections + once, "one of the two matrix products of attention is left out"),
            (projections + 2 * h * once, "a head is counted with d_model columns; it has d_k"),
            (projections + 2 * once // h, "the products of one head alone are counted"),
            (4 * m * d * d + 2 * once, "key and value have key_length rows, not query_length"),
            (4 * n * d * d + 2 * once, "query and output have query_length rows, not key_length"),
            ((m + 2 * n) * d * d + 2 * once, "the projection of the output is left out"),
            ((3 * m + n) * d * d + 2 * once, "the value has key_length rows, like the key"),
            ((m + 3 * n) * d * d + 2 * once, "the output has query_length rows, like the query"),
            (projections + 2 * once + h * m * n, "softmax or the scale is counted; it is no matrix product"),
        ]
        _count(subject, f"{m} queries, {n} keys, d_model = {d}, {h} heads", (m, n, d, h), right, known)
    subject.passed("the projections and the two products of every head are counted")


def make(attention_class: Callable, situation: str, d_model: int, num_heads: int, seed: int, **options):
    """Build the learner's module with known weights: the module as an `Answer`, and the weights by name."""
    dtype = options.pop("dtype", torch.float64)
    built = build(answer(attention_class, "MultiHeadAttention"), situation, d_model, num_heads, **options)
    shapes = {}
    for name in PROJECTIONS:
        shapes[f"{name}.weight"] = (d_model, d_model)
        if options.get("bias", True):
            shapes[f"{name}.bias"] = (d_model,)
    require_parameters(built, situation, shapes, wrong_parameters(d_model, num_heads, options.get("bias", True)))
    return built, give_weights(built, seed, dtype)


def check_multi_head_attention(attention_class: Callable) -> None:
    """Check parameters, attributes, weights and output of the learner's module, with and without a mask."""
    situation = "d_model = 12, 3 heads"
    built, weights = make(attention_class, situation, 12, 3, seed=10)
    for name, right in (("d_model", 12), ("num_heads", 3), ("d_k", 4)):
        found = getattr(built.function, name, None)
        if type(found) is not int or found != right:
            cause = "`__init__` does not keep it, or keeps something else under this name"
            built.fail(
                situation, f"{name} is {found!r}", f"the attribute {name}, an integer", cause, f"set `self.{name}`"
            )
    built.passed("four layers, each with its name and size")

    inputs = draw(2, 5, 12, seed=21).double(), draw(2, 7, 12, seed=22).double(), draw(2, 7, 12, seed=23).double()
    _compare(built, "batch 2, 5 queries, 7 keys, no mask", weights, 3, inputs)
    built.passed("output and weights without a mask")
    same_length = draw(2, 5, 12, seed=24).double(), draw(2, 5, 12, seed=25).double(), draw(2, 5, 12, seed=26).double()
    _compare(built, "batch 2, 5 queries, 5 other keys, no mask", weights, 3, same_length)
    built.passed("query, key and value come from their own inputs")

    three = [torch.cat([x, x[:1] + 1]) for x in inputs]
    mask = draw(3, 1, 5, 7, seed=27) > 0
    mask[..., 2] = True
    _compare(built, "as many examples as heads, a mask for each example", weights, 3, tuple(three), mask)
    built.passed("every example has its own mask, the same for all heads")

    mask[1, 0, 3] = False
    situation = "a query that may attend to nothing"
    output, _ = built.pair(
        situation, *three, mask, like=right_multi_head(weights, 3, *three, mask), names=OUTPUT_AND_WEIGHTS
    )
    if not same(output[1, 3], weights["w_output.bias"]):
        built.fail(
            situation,
            "NaN" if output[1, 3].isnan().any() else "the output of this query is not the bias of w_output",
            "zeros from every head, and the bias of w_output after the last projection",
            "softmax of a row of -inf; or the row is repaired after the last projection",
            "use the imported scaled_dot_product_attention, which knows of such rows",
        )
    built.passed("a query that may attend to nothing gets the bias of w_output")

    parameter_gradients(
        built,
        "the gradient with respect to the parameters",
        lambda weights, *inputs: right_multi_head(weights, 3, *inputs)[0],
        *inputs,
        select=lambda pair: pair[0],
    )
    built.passed("gradients reach every parameter")


def _compare(
    built: Answer, situation: str, weights: dict, num_heads: int, inputs: tuple, mask: Tensor | None = None
) -> None:
    """Compare output and weights with the oracle, the weights with their known mistakes first."""
    right = right_multi_head(weights, num_heads, *inputs, mask)
    result = built(situation, *inputs) if mask is None else built(situation, *inputs, mask)
    if type(result) is tuple and len(result) == 2 and all(type(each) is Tensor for each in result):
        if result[0].shape == right[1].shape:
            cause = "the two results come in the wrong order"
            built.fail(
                situation, "the first result has four dimensions", "the output first", cause, "return output, weights"
            )
        if result[1].dim() == 3 and result[1].shape == right[1].mean(1).shape:
            built.fail(
                situation,
                f"the weights have shape {tuple(result[1].shape)}",
                "weights of every head, (batch, heads, query_length, key_length)",
                "the weights are averaged over the heads, as torch.nn.MultiheadAttention does; or one head is returned",
                "return the weights as attention gives them, before anything is merged",
            )
    output, shares = built.require_pair(situation, result, right, OUTPUT_AND_WEIGHTS)
    in_weights, in_output = multi_head_mistakes(weights, num_heads, inputs, mask)
    built.compare(situation, shares, right[1], "in every head softmax of q . k / sqrt(d_k) over the keys", in_weights)
    requirement = "the values that the heads have mixed, side by side, through w_output"
    built.compare(situation, output, right[0], requirement, in_output)
