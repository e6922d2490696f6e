"""The checks of exercise 05. Each takes what the learner wrote and names the mistake that its results point to."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.jacobian_mistakes import jacobian_mistakes, score_gradient_mistakes, vjp_mistakes
from transformer_course.checks.oracles import right_attention_backward, right_jacobian, right_vjp
from transformer_course.checks.reporting import Mistake, draw
from transformer_course.checks.sizes import largest_tensor

UNIT = "softmax_jacobian"

# Words in the names of torch functions that a task does not allow.
DERIVATIVES = ("autograd", "backward", "_dual")
READY_MADE = ("scaled_dot_product", "multi_head_attention")
NOT_ALLOWED = {
    "softmax_jacobian": DERIVATIVES,
    "softmax_vjp": DERIVATIVES,
    "attention_backward": (*DERIVATIVES, *READY_MADE),
    "attention_backward_in_blocks": (*DERIVATIVES, *READY_MADE),
}
GRADIENTS = ("grad_query", "grad_key", "grad_value")


def answer(function: Callable, name: str) -> Answer:
    """Wrap the learner's function for the checks of this unit."""
    return Answer(function, name, UNIT, NOT_ALLOWED[name])


def check_softmax_jacobian(softmax_jacobian: Callable) -> None:
    """Check terms, chain rule, -inf and gradient of the learner's Jacobian."""
    subject = answer(softmax_jacobian, "softmax_jacobian")
    requirement = "entry (i, j) is the derivative of weight i of softmax(scores / scale) with respect to score j"
    scores = draw(2, 3, 5, seed=1)
    for scale in (1.0, 2.5):
        situation = f"scores of shape (2, 3, 5), scale = {scale}"
        result = subject(situation, scores, scale)
        _require_two_indices(subject, situation, result, scores)
        right = right_jacobian(scores, scale)
        observed = subject.require_tensor(situation, result, right)
        if scale == 1:  # with this scale all mistakes of the chain rule are invisible
            mistakes = [
                each
                for each in jacobian_mistakes(scores, 1.0)
                if not isinstance(each.shows, Tensor) or not torch.allclose(each.shows, right)
            ]
        else:
            mistakes = jacobian_mistakes(scores, scale)
        subject.compare(situation, observed, right, requirement, mistakes)
    subject.passed("every entry is the derivative, with its factor 1 / scale")
    situation = "one row of 4 scores, no scale given"
    scores = draw(4, seed=2)
    right = right_jacobian(scores)
    subject.compare(situation, subject.tensor(situation, scores, like=right), right, f"{requirement}; scale is 1 then")
    subject.passed("a single row, and scale = 1 where none is given")

    hidden = torch.tensor([[0.5, -math.inf, 1.5, 0.0], [-math.inf] * 4])
    situation = "scores of which some are -inf, and a row of nothing else"
    right = right_jacobian(hidden, 2.0)
    mistakes = [
        Mistake(
            lambda result: bool(result[0].isfinite().all() and result[1].isnan().any()),
            "the row of nothing but -inf gives NaN",
            "torch.softmax gives NaN for such a row",
            "use `softmax` of exercise 04, which stands in the imports: it gives zeros there",
        ),
        Mistake(
            lambda result: bool(result[0].isnan().any()),
            "the row with some scores of -inf gives NaN",
            "the scores themselves take part in a product or a difference (0 * inf is NaN)",
            "use the scores for the weights only, and the weights for everything else",
        ),
    ]
    observed = subject.tensor(situation, hidden, 2.0, like=right)
    subject.compare(situation, observed, right, "zeros for everything that has to do with a score of -inf", mistakes)
    subject.passed("a score of -inf gives a row and a column of zeros")
    subject.gradients("the gradient, for scores of shape (3, 4)", right_jacobian, draw(3, 4, seed=3).double())
    subject.passed("the result can be differentiated again")


def _require_two_indices(subject: Answer, situation: str, result: object, scores: Tensor) -> None:
    """Say what is missing where the result has the shape of the scores."""
    if isinstance(result, Tensor) and result.shape == scores.shape:
        subject.fail(
            situation,
            f"the result has shape {tuple(result.shape)}, that of the scores",
            "a matrix for each row: n weights, each with its derivatives with respect to n scores",
            "p (1 - p) alone, the derivative of each weight with respect to its own score",
            "the weights of a row share one sum: what happens to the others when one score grows?",
        )


def check_softmax_vjp(softmax_vjp: Callable) -> None:
    """Check the backward pass of softmax, and that it forms no Jacobian."""
    subject = answer(softmax_vjp, "softmax_vjp")
    requirement = "the gradient with respect to the scores: the Jacobian of each row times the gradient of that row"
    weights, upstream = torch.softmax(2 * draw(2, 3, 5, seed=4), -1), draw(2, 3, 5, seed=5)
    situation = "weights and gradient of shape (2, 3, 5)"
    right = right_vjp(weights, upstream)
    observed = subject.tensor(situation, weights, upstream, like=right)
    subject.compare(situation, observed, right, requirement, vjp_mistakes(weights, upstream))
    subject.passed("Jacobian times gradient, row by row")
    weights, upstream = torch.softmax(draw(4, seed=6), -1), draw(4, seed=7)
    situation = "a single row"
    right = right_vjp(weights, upstream)
    subject.compare(situation, subject.tensor(situation, weights, upstream, like=right), right, requirement)
    subject.passed("a single row")
    require_no_matrix(subject, 2, 300)
    subject.passed("no n times n matrix on the way")
    inputs = torch.softmax(draw(3, 4, seed=8).double(), -1), draw(3, 4, seed=9).double()
    subject.gradients("the gradient of the result", right_vjp, *inputs)
    subject.passed("the result can be differentiated again")


def require_no_matrix(subject: Answer, rows: int, n: int) -> None:
    """Require that the backward pass of softmax makes no tensor as large as a Jacobian."""
    situation = f"{rows} rows of {n} weights"
    weights, upstream = torch.softmax(draw(rows, n, seed=10), -1), draw(rows, n, seed=11)
    result, largest = largest_tensor(lambda: subject(situation, weights, upstream))
    if largest >= n * n:
        subject.fail(
            situation,
            f"your code made a tensor of {largest:,} numbers",
            f"no tensor that is much larger than the {rows * n:,} weights",
            "the Jacobian is formed, or a product of every weight with every weight",
            "write out (diag(p) - p p^T) g without matrices: what is p p^T g, read from the right?",
        )
    right = right_vjp(weights, upstream)
    subject.compare(situation, subject.require_tensor(situation, result, right), right, "the Jacobian times g")


def check_attention_backward(attention_backward: Callable) -> None:
    """Check the three gradients one after another, the easiest first."""
    subject = answer(attention_backward, "attention_backward")
    situation, scale = "batch 2, 3 queries, 7 keys, d_k = 5, d_v = 4, scale = 1.7", 1.7
    shapes = [(2, 3, 5), (2, 7, 5), (2, 7, 4), (2, 3, 4)]
    inputs = [draw(*shape, seed=20 + place).double() for place, shape in enumerate(shapes)]
    compare_gradients(subject, situation, inputs, scale)
    subject.passed("the gradients with respect to value, query and key")
    situation = "4 queries, 4 keys, d_k = d_v = 4, no batch, scale = 2.2"
    inputs = [draw(4, 4, seed=30 + place).double() for place in range(4)]
    compare_gradients(subject, situation, inputs, 2.2)
    subject.passed("where all sizes are equal, too")


def compare_gradients(subject: Answer, situation: str, inputs: list[Tensor], scale: float) -> None:
    """Compare the three gradients with autograd's, and say which step is likely wrong."""
    query, key, value, grad_output = inputs
    right = dict(zip(GRADIENTS, right_attention_backward(*inputs, scale), strict=True))
    result = subject(situation, *inputs, scale)
    if type(result) is tuple and len(result) == 3 and all(isinstance(each, Tensor) for each in result):
        shapes, wanted = [each.shape for each in result], [each.shape for each in right.values()]
        if shapes != wanted and sorted(shapes) == sorted(wanted):
            subject.fail(
                situation,
                f"the results have the shapes {', '.join(str(tuple(shape)) for shape in shapes)}",
                "the gradients in the order of the arguments: query, key, value",
                "the results come in another order",
                "end the function with `return grad_query, grad_key, grad_value`",
            )
    grad_query, grad_key, grad_value = subject.require_pair(situation, result, tuple(right.values()), GRADIENTS)
    scores = query @ key.transpose(-2, -1) / scale
    weights, own = torch.softmax(scores, -1), torch.softmax(scores * scale / query.shape[-1] ** 0.5, -1)
    upstream = grad_output @ value.transpose(-2, -1)
    product_rule = "for C = A B: grad_A = grad_C B^T and grad_B = A^T grad_C; the shapes leave no other choice"
    value_mistakes = [
        Mistake(
            own.transpose(-2, -1) @ grad_output,
            "grad_value belongs to weights that are too sharp or too flat",
            "the scores are divided by sqrt(d_k), not by the argument `scale`",
            "use `scale` as it is given",
        ),
        Mistake(
            torch.softmax(scores * scale, -1).transpose(-2, -1) @ grad_output,
            "grad_value belongs to weights that are too sharp or too flat",
            "the scores are not divided by `scale` before softmax",
            "use `scale` in the forward pass as well",
        ),
    ]
    if query.shape[-2] == key.shape[-2]:
        value_mistakes.append(
            Mistake(
                weights @ grad_output,
                "grad_value is shared out by rows of the weights, not by columns",
                "the weights are not transposed",
                product_rule,
            )
        )
        transposed_key = [
            Mistake(
                right_vjp(weights, upstream) @ query / scale,
                "grad_key is shared out by rows, not by columns",
                "the gradient of the scores is not transposed",
                product_rule,
            )
        ]
    else:
        transposed_key = []
    words = "the gradient by autograd, of softmax(q k^T / scale) v"
    hint = "go through the four steps backward, one by one, and compare each with autograd (`retain_grad`)"
    subject.compare(situation, grad_value, right["grad_value"], f"{words}, with respect to value", value_mistakes, hint)
    subject.compare(
        f"{situation}: grad_query",
        grad_query,
        right["grad_query"],
        f"{words}, with respect to query",
        score_gradient_mistakes(weights, upstream, scale, lambda scores: scores @ key),
        hint,
    )
    subject.compare(
        f"{situation}: grad_key",
        grad_key,
        right["grad_key"],
        f"{words}, with respect to key",
        [
            *transposed_key,
            *score_gradient_mistakes(weights, upstream, scale, lambda scores: scores.transpose(-2, -1) @ query),
        ],
        hint,
    )


def check_attention_backward_in_blocks(attention_backward_in_blocks: Callable) -> None:
    """Check that the size of the blocks changes nothing, and that no full matrix of scores is made."""
    subject = answer(attention_backward_in_blocks, "attention_backward_in_blocks")
    shapes = [(2, 3, 5), (2, 8, 5), (2, 8, 6), (2, 3, 6)]
    inputs = [draw(*shape, seed=50 + place).double() for place, shape in enumerate(shapes)]
    for block_size in (8, 3, 1):
        for name, factor in (("", 1.0), (", large scores", 30.0)):
            arguments = inputs[0] * factor, inputs[1] * factor, *inputs[2:]
            right = right_attention_backward(*arguments, 1.9)
            subject.returns(f"8 keys in blocks of {block_size}{name}", right, *arguments, 1.9, block_size)
    situation = "40 queries, 64 keys in blocks of 4"
    inputs = [
        draw(*shape, seed=60 + place).double() for place, shape in enumerate([(40, 3), (64, 3), (64, 2), (40, 2)])
    ]
    _, largest = largest_tensor(lambda: subject(situation, *inputs, 1.7, 4))
    if largest >= 40 * 64:
        subject.fail(
            situation,
            f"your code made a tensor of {largest:,} numbers",
            "no more than 40 * 4 scores at a time",
            "the scores of all keys are held at once",
            "for each block compute its scores anew, in both passes",
        )
    subject.passed("the gradients do not depend on the size of the blocks")
