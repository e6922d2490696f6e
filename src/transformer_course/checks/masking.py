"""The checks of exercise 06. Each takes what the learner wrote and names the mistake that its results point to."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.attention_mistakes import empty_row_is_zero, masked_softmax_mistakes
from transformer_course.checks.causes import kind
from transformer_course.checks.mask_mistakes import (
    causal_mistakes,
    combined_mistakes,
    padding_mistakes,
    padding_shapes,
    require_bool,
)
from transformer_course.checks.oracles import right_softmax
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import Mistake, draw

UNIT = "masking"

# Words in the names of torch functions that a task does not allow.
READY_MADE = ("scaled_dot_product", "multi_head_attention")
QUESTIONS = ("weights", "values", "keys", "gradient of values", "gradient of keys")


def answer(function: Callable, name: str) -> Answer:
    """Wrap the learner's function for the checks of this unit."""
    return Answer(function, name, UNIT, () if name == "influence" else READY_MADE)


def right_masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Compute softmax over what the mask allows, with torch's softmax; zeros where it allows nothing."""
    return right_softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf))


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there are five predictions; not whether they are right."""
    require_predictions(predictions, QUESTIONS, ("notices", "misses"), "task 6")


def measured_notices() -> dict[str, str]:
    """Measure which of the five tests notice an attention that applies the causal mask after softmax."""
    query, key, value = (draw(5, 4, seed=seed).double().requires_grad_() for seed in (1, 2, 3))
    causal = torch.ones(5, 5, dtype=torch.bool).tril()

    def attention(key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        weights = torch.softmax(query @ key.T / 2, -1) * causal
        return weights @ value, weights

    output, weights = attention(key, value)
    grad_key, grad_value = torch.autograd.grad(output[2].sum(), (key, value), retain_graph=True)
    later = torch.arange(5)[:, None] > 2
    seen = {
        "weights": bool(weights[2, 3:].ne(0).any()),
        "values": not torch.allclose(attention(key, value + later)[0][2], output[2]),
        "keys": not torch.allclose(attention(key + later, value)[0][2], output[2]),
        "gradient of values": bool(grad_value[3:].ne(0).any()),
        "gradient of keys": bool(grad_key[3:].ne(0).any()),
    }
    return {question: "notices" if seen[question] else "misses" for question in QUESTIONS}


def check_padding_mask(padding_mask: Callable) -> None:
    """Check shape, convention and padding in all places."""
    subject = answer(padding_mask, "padding_mask")
    requirement = "True for every token that is not `pad_id`, and False for the others"
    for situation, tokens, arguments in [
        ("3 sentences padded to length 5", [[7, 5, 9, 0, 0], [4, 0, 0, 0, 0], [6, 8, 4, 3, 0]], ()),
        ("2 sentences, pad_id = 4", [[7, 0, 4, 4], [3, 5, 2, 4]], (4,)),
        ("padding in front and in the middle", [[0, 0, 0, 7, 5], [3, 0, 4, 0, 8]], ()),
    ]:
        tokens = torch.tensor(tokens)
        compare_padding(subject, situation, tokens, *arguments, requirement=requirement)
        subject.passed(situation)


def compare_padding(
    subject: Answer, situation: str, tokens: Tensor, *arguments: int, requirement: str = "False for padding alone"
) -> None:
    """Compare with the tokens themselves."""
    pad_id = arguments[0] if arguments else 0
    right = (tokens != pad_id).reshape(tokens.shape[0], 1, 1, tokens.shape[1])
    result = subject(situation, tokens, *arguments)
    padding_shapes(subject, situation, result, *tokens.shape)
    observed = require_bool(subject, situation, result, right)
    subject.compare(situation, observed, right, requirement, padding_mistakes(tokens, pad_id), "print mask[0, 0, 0]")


def check_causal_mask(causal_mask: Callable) -> None:
    """Check the triangle and the smallest sizes."""
    subject = answer(causal_mask, "causal_mask")
    for length in (4, 1, 0):
        compare_causal(subject, length)
        subject.passed(f"length {length}")


def compare_causal(subject: Answer, length: int, **keywords: object) -> None:
    """Compare with the definition, position by position."""
    situation = f"length {length}"
    right = torch.tensor([[key <= query for key in range(length)] for query in range(length)], dtype=torch.bool)
    right = right.reshape(length, length)
    result = subject(situation, length, **keywords)
    observed = require_bool(subject, situation, result, right)
    requirement = "position i may attend to the positions 0, 1, ..., i and to no other"
    subject.compare(situation, observed, right, requirement, causal_mistakes(length), "print the mask for length 3")


def require_device(subject: Answer) -> None:
    """Require that the argument ``device`` reaches torch, by naming one that does not exist."""
    try:
        subject.function(3, device="nowhere")
    except Exception:  # torch's own complaint, which is what we want to see
        return
    subject.fail(
        "a device that does not exist",
        "it returned a mask all the same",
        "a mask on the device that the argument names, and so an error here",
        "the argument `device` is not used",
        "hand it to the function that makes the tensor: `torch.ones(..., device=device)`",
    )


def check_combine_masks(combine_masks: Callable) -> None:
    """Check masks of several shapes, and None."""
    subject = answer(combine_masks, "combine_masks")
    one, two, three = (draw(4, 6, seed=seed) > -0.4 for seed in (1, 2, 3))
    compare_combined(subject, "two masks of shape (4, 6)", one, two)
    compare_combined(subject, "three masks of shape (4, 6)", one, two, three)
    subject.passed("two and three masks of one shape")
    one, two, three = (draw(*shape, seed=seed) > -0.4 for seed, shape in enumerate([(2, 1, 1, 7), (5, 7), (3, 1, 7)]))
    compare_combined(subject, "masks of shapes (2, 1, 1, 7) and (5, 7)", one, two)
    compare_combined(subject, "masks of shapes (2, 1, 1, 7), (5, 7) and (3, 1, 7)", one, two, three)
    subject.passed("masks that broadcast")
    compare_combined(subject, "None between two masks", one, None, two)
    compare_combined(subject, "a mask and None", two, None)
    subject.passed("None allows everything")
    for masks in ((None,), (None, None), ()):
        require_none(subject, masks)
    subject.passed("None where there is no mask at all")


def compare_combined(subject: Answer, situation: str, *masks: Tensor | None) -> None:
    """Compare with all masks, broadcast and stacked."""
    given = [mask for mask in masks if mask is not None]
    right = torch.stack(list(torch.broadcast_tensors(*given))).all(0)
    result = subject(situation, *masks)
    if result is None:
        subject.fail(
            situation,
            "it returned None",
            "the combination of the masks that are there",
            "one None makes the whole result None, or the return statement is missing",
            "leave out the None entries first, and combine the rest",
        )
    observed = require_bool(subject, situation, result, right)
    mistakes = combined_mistakes(given) if len(given) > 1 else []
    mistakes = [each for each in mistakes if not torch.equal(each.shows, right)]
    subject.compare(situation, observed, right, "a key is allowed only if every mask allows it", mistakes)


def require_none(subject: Answer, masks: tuple[None, ...]) -> None:
    """Require None where nothing is hidden."""
    situation = f"combine_masks({', '.join('None' for _ in masks)})"
    result = subject(situation, *masks)
    if result is not None:
        subject.fail(
            situation,
            f"it returned {kind(result)}",
            "None, which stands for `everything is allowed`",
            "a mask is made up where there is none: its shape cannot be known",
            "start with None, and let the first mask take its place",
        )


def check_masked_softmax(masked_softmax: Callable) -> None:
    """Check the weights with and without a mask, for a row that may attend to nothing, and the gradients."""
    subject = answer(masked_softmax, "masked_softmax")
    scores = draw(2, 3, 5, seed=11)
    situation = "scores of shape (2, 3, 5), no mask"
    right = right_masked_softmax(scores)
    subject.compare(situation, subject.tensor(situation, scores, like=right), right, "softmax over the last dimension")
    subject.passed("no mask")
    mask = torch.tensor([[1, 1, 0, 1, 0], [0, 1, 1, 0, 0], [1, 0, 1, 1, 1]], dtype=torch.bool)
    situation = "scores of shape (2, 3, 5), a mask of shape (3, 5)"
    right = right_masked_softmax(scores, mask)
    subject.compare(
        situation,
        subject.tensor(situation, scores, mask, like=right),
        right,
        "softmax over the keys that may be attended to, and 0 for the others",
        [*masked_softmax_mistakes(scores, mask), *_renormalised(scores, mask)],
        "print one row of scores, mask and weights below one another",
    )
    subject.passed("hidden keys have weight 0, and the others share the whole weight")
    large = scores.clone()
    large[..., 2] += 200
    situation = "a hidden key with a score that is larger by 200 than all others"
    right = right_masked_softmax(large, mask)
    mistakes = [
        Mistake(
            lambda weights: bool(not weights.isfinite().all() or (weights.sum(-1) < 0.5).any()),
            "rows are NaN or sum to 0",
            "softmax runs first and the mask comes after it: the hidden key has taken all the weight, and nothing that "
            "is left can be divided up again",
            "set the hidden scores to -inf before softmax",
        )
    ]
    observed = subject.tensor(situation, large, mask, like=right)
    subject.compare(situation, observed, right, "the weights do not depend on what is hidden", mistakes)
    subject.passed("a hidden key is not felt, however large its score is")
    mask = mask.clone()
    mask[1] = False
    situation = "a row that may attend to nothing"
    right = right_masked_softmax(scores, mask)
    weights = subject.tensor(situation, scores, mask, like=right)
    empty_row_is_zero(subject, weights[:, 1], situation)
    subject.compare(situation, weights, right, "the other rows are not touched by it")
    subject.passed("a row that may attend to nothing gets zeros")
    subject.gradients(
        "the gradient, with a row that may attend to nothing",
        lambda scores: right_masked_softmax(scores, mask),
        scores.double(),
        keywords={"mask": mask},
    )
    subject.passed("the gradient is finite and that of the formula")


def _renormalised(scores: Tensor, mask: Tensor) -> list[Mistake]:
    plain = torch.softmax(scores, -1) * mask
    flat = mask / mask.sum(-1, keepdim=True)
    return [
        Mistake(
            torch.softmax(plain, -1),
            "hidden keys still have a weight, and all weights are nearly equal",
            "softmax is taken twice",
            "softmax once, over masked scores",
        ),
        Mistake(
            flat.expand_as(plain).to(plain.dtype),
            "all keys that may be attended to have the same weight",
            "the scores are not used",
            "set the hidden scores to -inf, and leave the others as they are",
        ),
    ]
