"""The checks of exercise 10. Each takes what the learner wrote and names the mistake that its results point to."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.modules import build, give_weights, parameter_gradients, require_parameters
from transformer_course.checks.oracles_transformer import (
    DEFAULTS,
    right_decoding,
    right_logits,
    right_memory,
    right_shapes,
    right_without_drop,
)
from transformer_course.checks.positional_encoding import default_dtype
from transformer_course.checks.reporting import draw, same
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
    wrong_parameters,
)
from transformer_course.checks.transformer_training import (
    check_accumulated_step,
    check_noam_learning_rate,
    check_train_step,
    compare_rate,
    compare_step,
    small_model,
)
from transformer_course.common.tokens import BOS

UNIT = "transformer"
READY_MADE = ("multi_head_attention_forward", "_transformer_encoder_layer_fwd")
SIZES = {"d_model": 12, "num_heads": 3, "num_encoder_layers": 2, "num_decoder_layers": 3, "d_ff": 20, "max_length": 9}

__all__ = [
    "QUESTIONS",
    "answer",
    "check_accumulated_step",
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


def answer(function: Callable, name: str) -> Answer:
    """Wrap what the learner wrote for the checks of this unit."""
    return Answer(function, name, UNIT, READY_MADE)


def padded(
    lengths: tuple[int, ...], vocab_size: int, seed: int, pad_id: int = 0, length: int = 0, bos: bool = False
) -> Tensor:
    """Draw sentences of these lengths, without padding inside, filled up on the right; BOS in front if it is wanted."""
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randint(0, vocab_size, (len(lengths), max(*lengths, length)), generator=generator)
    tokens = torch.where(tokens == pad_id, (pad_id + 1) % vocab_size, tokens)
    if pad_id and tokens.shape[1] > 1:
        tokens[0, 1] = 0  # a word like any other
    if bos:
        tokens[:, 0] = BOS
    return tokens.masked_fill(torch.arange(tokens.shape[1]) >= torch.tensor(lengths)[:, None], pad_id)


def make(transformer: Callable, situation: str, source_size: int, target_size: int, seed: int, **options: Any):
    """Build the learner's model in float64 with known weights.

    Args:
        transformer: the learner's class.
        situation: what is tried, in words.
        source_size: of the source vocabulary.
        target_size: of the target vocabulary.
        seed: of the weights.
        **options: of the constructor; `SIZES` where they say nothing, and no dropout.

    Returns:
        The model as an `Answer`, its weights by every name that they have, and the options.
    """
    options = SIZES | {"dropout": 0.0} | options
    dtype = options.pop("dtype", torch.float64)
    with default_dtype(dtype):
        built = build(answer(transformer, "Transformer"), situation, source_size, target_size, **options)
    shapes = right_shapes(source_size, target_size, options)
    if options.get("tie_weights"):
        _require_sizes(built, situation, shapes)
    else:
        require_parameters(built, situation, shapes, wrong_parameters(options.get("norm_first", False)))
    given = give_weights(built, seed, dtype)
    return built, named(built, given), options


def named(built: Answer, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Give each weight under every name that it has in the model: tied ones have two or three."""
    first = {id(each): weights[name] for name, each in built.function.named_parameters()}
    return {name: first[id(each)] for name, each in built.function.named_parameters(remove_duplicate=False)}


def _require_sizes(built: Answer, situation: str, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Require these parameters, where some of them may be one."""
    found = {name: tuple(each.shape) for name, each in built.function.named_parameters(remove_duplicate=False)}
    for name, shape in shapes.items():
        if found.get(name) != shape:
            built.fail(
                situation,
                f"{name} has shape {found[name]}" if name in found else f"there is no parameter {name}",
                "every layer of the task with its size; two of them share a parameter",
                "`tie_weights` replaces a parameter by one of another size, or removes it",
                "which tables have a row for each word of the target? The source has a vocabulary of its own",
            )


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


def compare_logits(built: Answer, situation: str, weights: dict, options: dict, source: Tensor, target: Tensor) -> None:
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
    built.compare(situation, result[real], right[real], requirement, known + probabilities(right))


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


def require_tied(built: Answer, situation: str, names: tuple[str, ...]) -> None:
    """Require that these parameters are one and the same object."""
    found = dict(built.function.named_parameters(remove_duplicate=False))
    for name in names:
        if name not in found:
            built.fail(
                situation,
                f"there is no parameter {name}",
                f"one matrix under the names {', '.join(names)}",
                "a layer that is missing, or has another name",
                "print the names of `model.named_parameters(remove_duplicate=False)`",
            )
        if found[name] is not found[names[0]]:
            alike = found[name].shape == found[names[0]].shape and torch.equal(found[name], found[names[0]])
            built.fail(
                situation,
                f"{names[0]} and {name} are two matrices",
                "one matrix under both names, so that each update moves both",
                "a copy (`.clone()`, `.copy_()`, `.data`) has the numbers, but is not the same parameter"
                if alike
                else "`tie_weights` is not used for these two",
                "set the attribute of one layer to the parameter of the other",
            )


def without_drop(built: Answer, situation: str, weights: dict, options: dict, source: Tensor, target: Tensor) -> None:
    """Train with dropout 1: whatever is dropped is zero, so what is left is known."""
    built.function.train()
    right = right_without_drop(weights, options, target)
    result = built.require_tensor(situation, built(situation, source, target), right)
    if not same(result, right):
        built.fail(
            situation,
            "the logits still depend on the words",
            "with dropout 1 nothing but biases is left, in training",
            "`dropout` does not reach one of the embeddings or (it shows in the same way) one of the stacks",
            "follow `dropout` from `__init__` to every layer that takes it",
        )
    built.function.eval()
    real = target != 0
    right = right_logits(weights, options, source, target)
    result = built.require_tensor(situation, built(situation, source, target), right)
    requirement = "in evaluation mode nothing is dropped"
    built.compare(f"{situation}, in evaluation mode", result[real], right[real], requirement)


def gradients(built: Answer, situation: str, options: dict, source: Tensor, target: Tensor) -> None:
    """Require the oracle's gradient for every parameter; tied ones collect it from all their uses."""
    real = target != options.get("pad_id", 0)
    parameter_gradients(
        built,
        situation,
        lambda weights, source, target: right_logits(named(built, weights), options, source, target)[real],
        source,
        target,
        select=lambda logits: logits[real],
    )


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
