"""The checks of exercise 10. Each takes what the learner wrote and names the mistake that its results point to."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.modules import build
from transformer_course.checks.oracles_transformer import DEFAULTS, right_decoding, right_logits, right_memory
from transformer_course.checks.reporting import draw, same
from transformer_course.checks.transformer_builds import (
    SIZES,
    answer,
    check_defaults,
    gradients,
    make,
    padded,
    require_tied,
    without_drop,
)
from transformer_course.checks.transformer_experiments import (
    QUESTIONS,
    check_mended_transformer,
    check_predictions,
    check_share_translated,
    compare_mended,
    compare_share,
    make_mended,
    measured_reach,
    right_mended,
    small_translator,
    translations,
)
from transformer_course.checks.transformer_mistakes import (
    IN_LOGITS,
    IN_MEMORY,
    mistakes,
    other_settings,
    probabilities,
)
from transformer_course.checks.transformer_training import (
    check_accumulated_step,
    check_noam_learning_rate,
    check_train_step,
    compare_rate,
    compare_step,
    small_model,
)

__all__ = [
    "QUESTIONS",
    "answer",
    "check_accumulated_step",
    "check_defaults",
    "check_mended_transformer",
    "check_noam_learning_rate",
    "check_predictions",
    "check_share_translated",
    "check_train_step",
    "check_transformer",
    "compare_decoding",
    "compare_logits",
    "compare_memory",
    "compare_mended",
    "compare_rate",
    "compare_share",
    "compare_step",
    "draw",
    "gradients",
    "make",
    "make_mended",
    "measured_reach",
    "padded",
    "require_tied",
    "right_mended",
    "small_model",
    "small_translator",
    "translations",
    "without_drop",
]


def compare_memory(built: Answer, situation: str, weights: dict, options: dict, source: Tensor) -> None:
    """Compare what ``encode`` says of the words with the oracle; what it says of padding is not looked at."""
    real = source != options.get("pad_id", 0)
    right = right_memory(weights, options, source)[-1]
    result = _method(built, "encode")(situation, source)
    result = built.require_tensor(situation, result, right)
    if same(result[real], right[real]):
        return
    known = mistakes(IN_MEMORY, lambda wrong: right_memory(weights, options, source, wrong)[-1][real])
    known += _other(lambda other: right_memory(weights, options | other, source)[-1][real], options)
    requirement = "what the last block of the encoder says of each word, through the last norm if there is one"
    built.compare(situation, result[real], right[real], requirement, known)


def compare_logits(
    built: Answer,
    situation: str,
    weights: dict,
    options: dict,
    source: Tensor,
    target: Tensor,
    hint: str = "compare with `encode` and `decode`, called one after the other",
) -> None:
    """Compare the whole model with the oracle, at those positions of the target that are no padding."""
    real = target != options.get("pad_id", 0)
    right = right_logits(weights, options, source, target)
    result = built.require_tensor(situation, built(situation, source, target), right)
    if same(result[real], right[real]):
        return
    known = mistakes(IN_LOGITS, lambda wrong: right_logits(weights, options, source, target, wrong)[real])
    known += mistakes(IN_MEMORY, lambda wrong: right_logits(weights, options, source, target, wrong)[real])
    known += _other(lambda other: right_logits(weights, options | other, source, target)[real], options)
    requirement = "for each position of the target one logit a word, from the words up to it and the whole source"
    built.compare(situation, result[real], right[real], requirement, known + probabilities(right), hint)


def compare_decoding(
    built: Answer, situation: str, weights: dict, options: dict, target: Tensor, memory: Tensor, source: Tensor
) -> None:
    """Compare ``decode`` with the oracle, for a memory that is handed in."""
    real = target != options.get("pad_id", 0)
    right = right_decoding(weights, options, target, [memory], source)
    result = built.require_tensor(
        situation, _method(built, "decode")(situation, target, memory, source), right, "the logits"
    )
    if same(result[real], right[real]):
        return
    own = right_logits(weights, options, source, target)
    if same(result[real], own[real]):
        built.fail(
            situation,
            "the logits do not depend on the memory that is handed in",
            "logits for this memory",
            "`decode` encodes the source anew",
            "a decoder that writes word by word reads one memory many times: use the argument",
        )
    known = mistakes(IN_LOGITS, lambda wrong: right_decoding(weights, options, target, [memory], source, wrong)[real])
    requirement = "logits from the target and the memory; `source` only says where the memory has padding"
    built.compare(situation, result[real], right[real], requirement, known)


def _other(compute: Callable[[dict], Tensor], options: Mapping[str, Any]) -> list:
    return other_settings(compute, options["num_heads"], options.get("pad_id", 0))


def _method(built: Answer, name: str) -> Answer:
    method = getattr(built.function, name, None)
    if method is None:
        built.fail(
            f"the method {name}",
            "it is not there",
            "the methods encode, decode and forward",
            "another name, or another indentation: a method stands inside the class",
            f"write `def {name}(self, ...)` inside the class",
        )
    return Answer(method, f"{built.name}.{name}", built.unit, built.not_allowed)


def check_transformer(transformer: Callable) -> None:
    """Check layers, encoder, decoder, masks, last norms, tied weights, dropout and limits."""
    source, target = padded((5, 3), 11, seed=1), padded((4, 2), 13, seed=2, bos=True)
    situation = "2 and 3 layers, the norm after each sublayer"
    built, weights, options = make(transformer, situation, 11, 13, seed=100)
    built.passed("every layer is there, with its size")
    compare_memory(built, "encode, 2 sentences of 5 and 3 words", weights, options, source)
    built.passed("encode reads every word, and no padding")
    compare_logits(built, "forward, 2 sentences of 5 and 3 words", weights, options, source, target)
    longer = padded((5, 4), 13, seed=3, bos=True)
    compare_logits(built, "forward, source and target of the same length", weights, options, source, longer)
    other = padded((5, 3), 11, seed=6)
    hint = "a result depends on its own call alone: what does the model keep in `self` that it should compute anew?"
    compare_logits(built, "forward, other sentences after these", weights, options, other, target, hint)
    built.passed("forward: each position sees the source and the words up to itself")
    memory = draw(2, 5, 12, seed=4, dtype=torch.float64)
    compare_decoding(built, "decode, a memory of its own", weights, options, target, memory, source)
    built.passed("decode reads the memory that it is given")

    built, weights, options = make(transformer, "norm_first=True", 11, 13, seed=200, norm_first=True)
    compare_memory(built, "encode, norm_first=True", weights, options, source)
    compare_logits(built, "forward, norm_first=True", weights, options, source, target)
    built.passed("norm_first: the last norms are there, and used")

    names = ("target_embedding.token.weight", "output_layer.weight", "source_embedding.token.weight")
    built = build(answer(transformer, "Transformer"), "tie_weights, 13 words each", 13, 13, **SIZES, tie_weights=True)
    require_tied(built, "tie_weights, 13 words each", names)
    situation = "tie_weights, 11 and 13 words"
    built, weights, options = make(transformer, situation, 11, 13, seed=300, tie_weights=True)
    require_tied(built, situation, names[:2])
    compare_logits(built, f"forward, {situation}", weights, options, source, target)
    built.passed("tie_weights shares the matrix")

    for order in (False, True):
        situation = f"dropout=1, norm_first={order}"
        built, weights, options = make(transformer, situation, 11, 13, seed=400, dropout=1.0, norm_first=order)
        without_drop(built, situation, weights, options, source, target)
    built.passed("dropout reaches every layer that takes it, and stays away in evaluation mode")

    tokens = padded((10, 8), 11, seed=5, bos=True)
    built.refuses("a source of 10 tokens, max_length 9", tokens, target)
    built.refuses("a target of 10 tokens, max_length 9", source, tokens)
    built.passed("sentences that are too long are refused")
    gradients(built, "the gradient with respect to the parameters", DEFAULTS | options, source, target)
    built.passed("gradients reach every parameter")
