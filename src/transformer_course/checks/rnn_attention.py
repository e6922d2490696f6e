"""The checks of exercise 03. Each takes what the learner wrote and names the mistake that its results point to."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles_rnn_attention import (
    best_links,
    right_additive,
    right_attend,
    right_bidirectional,
    right_decoder,
    right_dot,
)
from transformer_course.checks.reporting import draw, same
from transformer_course.checks.rnn_attention_decoder import READY_MADE, UNIT, check_mended_decoder, decoder_inputs
from transformer_course.checks.rnn_attention_experiments import (
    check_alignment_error_rate,
    check_predictions,
    check_share_on_padding,
    compare_alignment,
    compare_share,
)
from transformer_course.checks.rnn_attention_looks import context_mistakes, nothing_allowed_is_zero, weight_mistakes
from transformer_course.checks.rnn_attention_mistakes import (
    BY_HAND,
    additive_mistakes,
    bidirectional_mistakes,
    dot_mistakes,
)
from transformer_course.checks.token_results import require_shaped
from transformer_course.checks.toy_models import toy_cell

NOT_ALLOWED = {"attend": READY_MADE, "mended_decoder": READY_MADE}
CONTEXT_AND_WEIGHTS = ("context", "weights")

__all__ = [
    "additive_inputs",
    "answer",
    "best_links",
    "check_additive_score",
    "check_alignment_error_rate",
    "check_attend",
    "check_bidirectional_encode",
    "check_dot_score",
    "check_mended_decoder",
    "check_predictions",
    "check_share_on_padding",
    "compare_alignment",
    "compare_share",
    "decoder_inputs",
    "draw",
    "look_inputs",
    "right_additive",
    "right_attend",
    "right_bidirectional",
    "right_decoder",
    "right_dot",
    "toy_cell",
]


def answer(function: Callable, name: str) -> Answer:
    """Wrap the learner's function for the checks of this unit."""
    return Answer(function, name, UNIT, NOT_ALLOWED.get(name, ()))


def additive_inputs(batch: int, length: int, d_q: int, d_k: int, d_a: int, seed: int) -> list[Tensor]:
    """Draw a query, keys, and the weights of the small network that compares them."""
    shapes = (batch, d_q), (batch, length, d_k), (d_a, d_q), (d_a, d_k), (d_a,)
    return [0.7 * draw(*shape, seed=seed + number, dtype=torch.float64) for number, shape in enumerate(shapes)]


def look_inputs(batch: int, length: int, d: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Draw scores, values, and a mask that allows at least one word of each sentence."""
    mask = draw(batch, length, seed=seed + 2) > 0
    mask[torch.arange(batch), torch.arange(batch) % length] = True
    return draw(batch, length, seed=seed).double(), draw(batch, length, d, seed=seed + 1).double(), mask


def check_bidirectional_encode(bidirectional_encode: Callable) -> None:
    """Check both halves, their order, the padding, and the gradient."""
    subject = answer(bidirectional_encode, "bidirectional_encode")
    cells = toy_cell(3, 5, seed=21), toy_cell(3, 5, seed=31)
    hidden, lengths = draw(4, 5, seed=24).double(), torch.tensor([6, 3, 1, 0])
    for length in (7, 6):  # the longest sentence has padding too, and then it has none
        inputs = draw(4, length, 3, seed=23).double(), lengths, *cells, hidden
        situation = f"4 sentences of 6, 3, 1 and 0 words, padded to {length}"
        right, behind = right_bidirectional(*inputs), "both directions stand one behind the other"
        known = {
            (4, length, 5): (
                "only one direction is there, or both are added",
                "put both side by side, in the last dimension",
            ),
            (4, 2 * length, 5): (behind, "concatenate the last dimension: `dim=-1`"),
            (8, length, 5): ("both directions stand one below the other", "concatenate the last dimension: `dim=-1`"),
            (length, 4, 10): ("the length stands in the first dimension", "batch first, in all of this course"),
            (4, 10): (
                "only one state of each sentence is returned",
                "the decoder will look at the states of all words",
            ),
            **dict.fromkeys(
                ((4, length, 2, 5), (2, 4, length, 5)),
                ("the directions are stacked, not concatenated", "`torch.cat` keeps the number of dimensions"),
            ),
        }
        result = require_shaped(subject, situation, subject(situation, *inputs), right, known)
        mistakes = bidirectional_mistakes(*inputs)
        subject.compare(situation, result, right, "row j holds both states at word j, and 0 past the end", mistakes)
    subject.passed("both directions, each from its own end of the sentence")
    subject.gradients(
        "the gradient",
        lambda embedded: right_bidirectional(embedded, *inputs[1:]),
        inputs[0],
        keywords=dict(zip(("lengths", "forward_cell", "backward_cell", "hidden"), inputs[1:], strict=True)),
    )
    subject.passed("the gradient reaches every word, from both sides")


def _score_shapes(batch: int, length: int) -> dict[tuple[int, ...], tuple[str, str]]:
    """Say of wrong shapes of scores how they come about."""
    every = "every query is compared with the keys of every sentence"
    left = "a dimension of size 1 is left over from the product"
    return {
        (batch, batch, length): (every, "a sentence has a query of its own: which dimensions belong together?"),
        (batch, length, batch): (every, "a sentence has a query of its own: which dimensions belong together?"),
        (batch, 1, length): (left, "`squeeze` that dimension, and name it"),
        (batch, length, 1): (left, "`squeeze` that dimension, and name it"),
        (length, batch): ("the length stands in the first dimension", "batch first, in all of this course"),
    }


def check_dot_score(dot_score: Callable) -> None:
    """Check which query meets which keys, and the gradient."""
    subject = answer(dot_score, "dot_score")
    for batch, length, d in ((3, 5, 4), (4, 4, 6)):
        query, keys = draw(batch, d, seed=41).double(), draw(batch, length, d, seed=42).double()
        situation = f"batch {batch}, length {length}, d {d}"
        right = right_dot(query, keys)
        known = {**_score_shapes(batch, length), keys.shape: ("the products are not summed", "sum over d")}
        result = require_shaped(subject, situation, subject(situation, query, keys), right, known)
        requirement = "the dot product of each query with the keys of its own sentence"
        subject.compare(situation, result, right, requirement, dot_mistakes(query, keys), BY_HAND)
    subject.passed("each query meets its own keys")
    subject.gradients("the gradient", right_dot, draw(2, 4, seed=43).double(), draw(2, 3, 4, seed=44).double())
    subject.passed("the gradient is that of the formula")


def check_additive_score(additive_score: Callable) -> None:
    """Check the formula with all sizes different and with all widths equal, and the gradient."""
    subject = answer(additive_score, "additive_score")
    for sizes in ((3, 5, 4, 6, 7), (4, 4, 5, 5, 5)):
        inputs = additive_inputs(*sizes, seed=51)
        situation = "batch {}, length {}, d_q {}, d_k {}, d_a {}".format(*sizes)
        right, inner = right_additive(*inputs), (*sizes[:2], sizes[4])
        known = {**_score_shapes(*sizes[:2]), inner: ("the sum over d_a is missing", "`v` has the width d_a")}
        result = require_shaped(subject, situation, subject(situation, *inputs), right, known)
        requirement = "v . tanh(W_q s + W_k h) for each word"
        subject.compare(situation, result, right, requirement, additive_mistakes(*inputs), BY_HAND)
    subject.passed("the formula, with each query at its own keys")
    subject.gradients("the gradient", right_additive, *additive_inputs(2, 3, 4, 5, 6, seed=61))
    subject.passed("the gradient is that of the formula, for the weights too")


def _require_look(subject: Answer, situation: str, result: Any, right: tuple[Tensor, Tensor]) -> list[Tensor]:
    """Require context and weights in this order; say what the known wrong shapes mean."""
    if type(result) is tuple and len(result) == 2:
        (batch, length), d = right[1].shape, right[0].shape[1]
        shapes = [tuple(each.shape) if type(each) is Tensor else () for each in result]
        if shapes == [(batch, length), (batch, d)]:
            subject.fail(
                situation,
                "the first result has the shape of the weights, the second that of the context",
                "the context first, then the weights",
                "the two results are exchanged",
                "look at the return statement",
            )
        left = "a dimension of size 1 is left over from the product"
        contexts = {
            (batch, 1, d): (left, "`squeeze` that dimension, and name it"),
            (batch, d, 1): (left, "`squeeze` that dimension, and name it"),
            (batch, length, d): ("weight times value is not summed over the words", "sum over the length"),
            (batch, batch, d): ("the weights of every sentence meet every sentence", "one look for each sentence"),
        }
        require_shaped(subject, situation, result[0], right[0], contexts, "first result, the context,")
    return subject.require_pair(situation, result, right, CONTEXT_AND_WEIGHTS)


def check_attend(attend: Callable) -> None:
    """Check weights and context, the mask, a sentence in which nothing is allowed, and the gradient."""
    subject = answer(attend, "attend")
    scores, values, mask = look_inputs(3, 5, 4, seed=71)
    mask[1] = torch.tensor([True, False, True, True, False])
    mask[2] = torch.tensor([True, True, True, False, False])
    for situation, allowed in [("3 sentences of 5 words, no mask", None), ("the same, with a mask", mask)]:
        right = right_attend(scores, values, allowed)
        arguments = (scores, values) if allowed is None else (scores, values, allowed)
        context, weights = _require_look(subject, situation, subject(situation, *arguments), right)
        requirement = "softmax over the words of each sentence that may be attended to"
        subject.compare(situation, weights, right[1], requirement, weight_mistakes(scores, allowed), BY_HAND)
        requirement = "the mean of the values of each sentence, in the shares of its weights"
        subject.compare(situation, context, right[0], requirement, context_mistakes(scores, values, allowed), BY_HAND)
        subject.passed("weights and context" + ("" if allowed is None else ", with a mask"))

    nothing = mask.clone()
    nothing[1] = False
    situation, right = "the second of 3 sentences may attend to nothing", right_attend(scores, values, nothing)
    context, weights = _require_look(subject, situation, subject(situation, scores, values, nothing), right)
    nothing_allowed_is_zero(subject, weights[1], situation)
    if not same(context[1], right[0][1]):
        subject.fail(
            situation,
            "its weights are 0, but its context is not",
            "a context of zeros",
            "the context is computed before the weights are set to 0",
            "compute the context from the weights that you return",
        )
    requirement = "the other sentences are as they were"
    subject.compare(situation, weights, right[1], requirement, weight_mistakes(scores, mask))
    subject.compare(situation, context, right[0], requirement)
    subject.passed("a sentence that may attend to nothing gets zeros")
    for situation, allowed in [("with a mask", mask), ("where nothing is allowed", nothing)]:
        subject.gradients(
            f"the gradient of the context, {situation}",
            lambda scores, values, allowed=allowed: right_attend(scores, values, allowed)[0],
            scores,
            values,
            keywords={"mask": allowed},
            select=lambda pair: pair[0],
        )
        subject.gradients(
            f"the gradient of the weights, {situation}",
            lambda scores, allowed=allowed: right_attend(scores, values, allowed)[1],
            scores,
            keywords={"values": values, "mask": allowed},
            select=lambda pair: pair[1],
        )
    subject.passed("the gradient is that of the formula, and finite")
