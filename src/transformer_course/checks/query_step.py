"""The checks of exercise 05 for a step of gradient descent by hand, which a learner mends."""

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles import right_attention_backward
from transformer_course.checks.reporting import Mistake, draw
from transformer_course.checks.softmax_jacobian import DERIVATIVES, READY_MADE, UNIT


def answer(mended_query_step: Callable) -> Answer:
    """Wrap the learner's function."""
    return Answer(mended_query_step, "mended_query_step", UNIT, (*DERIVATIVES, *READY_MADE))


def right_query_step(query: Tensor, key: Tensor, value: Tensor, target: Tensor, step_size: float) -> Tensor:
    """Let autograd make one step down the slope of the squared distance between the output and the target."""
    scale = query.shape[-1] ** 0.5
    output = torch.softmax(key @ query / scale, -1) @ value
    grad_query, _, _ = right_attention_backward(query[None], key, value, (output - target)[None], scale)
    return query - step_size * grad_query[0]


def check_mended_query_step(mended_query_step: Callable) -> None:
    """Check the step; say which of the two mistakes is left, not where it is."""
    subject = answer(mended_query_step)
    inputs = [draw(*shape, seed=40 + place).double() for place, shape in enumerate([(9,), (6, 9), (6, 4), (4,)])]
    compare_step(subject, "d_k = 9, 6 keys, d_v = 4, step size 0.5", inputs, 0.5)
    subject.passed("the step goes straight down the slope of the loss")


def compare_step(subject: Answer, situation: str, inputs: list[Tensor], step_size: float) -> None:
    """Compare one step with autograd's."""
    query, key, value, target = inputs
    right = right_query_step(*inputs, step_size)
    scale = query.shape[-1] ** 0.5
    weights = torch.softmax(key @ query / scale, -1)
    upstream = value @ (weights @ value - target)
    diagonal = weights * (1 - weights) * upstream
    rest = query - right
    mistakes = [
        Mistake(
            query - step_size * diagonal @ key,
            "nothing has changed: neither the direction nor the length of the step is right",
            "both mistakes are still there",
            "compare the gradient with autograd's for one query: which line is the first that differs?",
        ),
        Mistake(
            query - step_size * diagonal @ key / scale,
            "the direction of the step is not that of the gradient",
            "the step back through softmax: its Jacobian is more than a diagonal",
            "how do the other weights answer when one score grows?",
        ),
        Mistake(
            query - rest * scale,
            "the direction of the step is right, its length is not: it is too long by the factor sqrt(d_k)",
            "the scores are divided by the scale on the way forward; the way back has to know of it",
            "write down the derivative of a score with respect to the query",
        ),
        Mistake(
            query - rest / scale,
            "the direction of the step is right, its length is not: it is too short by the factor sqrt(d_k)",
            "the division by the scale is there twice",
            "one division on the way forward, one on the way back",
        ),
        Mistake(
            query + rest,
            "the step goes up the slope, not down",
            "the sign of the step or of the loss's gradient was changed; it was right",
            "leave those lines as they were",
        ),
    ]
    observed = subject.tensor(situation, *inputs, step_size, like=right)
    subject.compare(situation, observed, right, "query minus step_size times the gradient of the loss", mistakes)
