"""The checks of exercise 08 beside its contract: what an order changes, the mended embedding, and rotations."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles_positions import (
    frequencies,
    right_embedding,
    right_encoding,
    right_gap,
    right_rotation,
)
from transformer_course.checks.position_mistakes import embedding_mistakes
from transformer_course.checks.reporting import Mistake, draw

UNIT = "positional_encoding"


def check_order_gap(order_gap: Callable) -> None:
    """Check the experiment with and without an encoding."""
    subject = Answer(order_gap, "order_gap", UNIT)
    x, order = draw(5, 8, seed=1, dtype=torch.float64), [3, 0, 4, 1, 2]
    encoding = right_encoding(5, 8).double()
    compare_order_gap(subject, "5 words, d_model = 8, no encoding", x, order)
    subject.passed("without positions")
    compare_order_gap(subject, "5 words, d_model = 8, an encoding", x, order, encoding)
    subject.passed("with positions")


def compare_order_gap(subject: Answer, situation: str, x: Tensor, order: list[int], encoding: Tensor | None = None):
    """Compare the learner's number with ours."""
    result = subject(situation, x, order) if encoding is None else subject(situation, x, order, encoding)
    expected = "a Python number, the largest absolute difference of the two results"
    if type(result) is not float:
        hint = "use `.item()`"
        subject.fail(
            situation, f"it returned a {type(result).__name__}", expected, "the result is still a tensor", hint
        )
    right, added = right_gap(x, order, encoding), 0.0 if encoding is None else encoding
    if abs(result - right) <= 1e-9:
        return
    first, second = (_attend(words + added) for words in (x, x[order]))
    apart, shuffled = first[order] - second, x[order] + added
    known = [
        ((first - second).abs().max(), "outputs of different words are compared: the first result is not reordered"),
        (0.0, "the encoding moves with the words; it belongs to the places. Or (it shows in the same way): not used"),
        (apart.abs().mean(), "the mean of the differences, not the largest"),
        (apart.abs().sum(), "the sum of the differences, not the largest"),
        (apart.max(), "the largest difference without its sign (`abs`)"),
        ((first[order] - _attend(shuffled[order])).abs().max(), "the words are reordered twice"),
        ((_attend(x)[order] - second).abs().max(), "the encoding is added only once, to the reordered words"),
    ]
    causes = [cause for number, cause in known if abs(result - float(number)) <= 1e-9]
    subject.fail(
        situation,
        f"it returned {result:.4g}",
        expected,
        " Or (it shows in the same way): ".join(causes) or "none of the mistakes that we know",
        "reorder two words only, and print both results: which rows belong to the same word?",
    )


def _attend(x: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(x, x, x)


def check_mended_embedding(mended_embedding: Callable) -> None:
    """Check the sum that the broken function does not compute."""
    subject = Answer(mended_embedding, "mended_embedding", UNIT)
    tokens, table = torch.tensor([[3, 7, 1, 3, 10], [2, 2, 5, 9, 4]]), draw(11, 8, seed=30)
    encoding = right_encoding(9, 8)
    right = right_embedding(tokens, table, encoding)
    situation = "batch 2, length 5, d_model = 8"
    result = subject.tensor(situation, tokens, table, encoding, like=right)
    requirement = "the token's row times sqrt(d_model), plus the encoding of its place in the sentence"
    subject.compare(situation, result, right, requirement, embedding_mistakes(tokens, table, encoding))
    subject.passed("every token has its own row, scaled, and the encoding of its place")


def check_rotate(rotate: Callable) -> None:
    """Check the rotation, and that dot products depend on the distance alone."""
    subject = Answer(rotate, "rotate", UNIT)
    x = draw(2, 5, 6, seed=40, dtype=torch.float64)
    right = right_rotation(x)
    angles = torch.outer(torch.arange(5).double(), frequencies(6))
    first, second = x[..., :3], x[..., 3:]
    sign = torch.tensor([1.0, -1.0] * 3, dtype=torch.float64)
    halves = [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()]
    mistakes = [
        Mistake(
            right_rotation(x * sign) * sign,
            "the pairs turn the other way",
            "the two sines have each other's sign",
            "the pair (1, 0) at position 1 turns to (cos, sin) of its angle",
        ),
        Mistake(
            torch.cat(halves, -1),
            "column i is paired with column i + d_k / 2",
            "halves in the place of neighbours; both are in use, and a model must not mix them",
            "pair columns 2i and 2i + 1: `x[..., 0::2]` and `x[..., 1::2]`",
        ),
        Mistake(
            x + right_encoding(5, 6).double(), "the encoding is added", "a turn is a product, not a sum", "see above"
        ),
    ]
    situation = "batch 2, length 5, d_k = 6"
    result = subject.tensor(situation, x, like=right)
    subject.compare(situation, result, right, "columns 2i and 2i + 1 turn by position * frequency", mistakes)
    subject.returns("start = 7", right_rotation(x, 7), x, start=7)
    heads = draw(2, 3, 4, 8, seed=41)
    subject.returns("batch 2, 3 heads, length 4, d_k = 8", right_rotation(heads, 2), heads, 2)
    subject.returns("no batch, length 3, d_k = 2", right_rotation(heads[0, 0, :3, :2]), heads[0, 0, :3, :2])
    subject.passed("every pair turns with its frequency")
