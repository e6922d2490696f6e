"""The learner's model of exercise 10, built with known weights, and what can be asked of it beside its results."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.modules import build, give_weights, parameter_gradients, require_parameters
from transformer_course.checks.oracles_transformer import right_logits, right_shapes, right_without_drop
from transformer_course.checks.positional_encoding import default_dtype
from transformer_course.checks.reporting import same
from transformer_course.checks.transformer_mistakes import wrong_parameters
from transformer_course.common.tokens import BOS

UNIT = "transformer"
READY_MADE = ("multi_head_attention_forward", "_transformer_encoder_layer_fwd")
SIZES = {"d_model": 12, "num_heads": 3, "num_encoder_layers": 2, "num_decoder_layers": 3, "d_ff": 20, "max_length": 9}


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


def check_defaults(transformer: Callable) -> None:
    """Check what the constructor takes where nothing is said: the sizes of the paper's base model."""
    subject = answer(transformer, "Transformer")
    source, target = padded((4, 2), 10, seed=95), padded((3, 5), 8, seed=96, bos=True)
    situation = "d_model 16, and nothing else is said"
    with default_dtype(torch.float64):
        built = build(subject, situation, 10, 8, d_model=16)
    options = {"d_model": 16, "num_heads": 8, "num_encoder_layers": 6, "num_decoder_layers": 6, "d_ff": 2048}
    require_parameters(built, situation, right_shapes(10, 8, options), wrong_parameters(False))
    weights = give_weights(built, 21_000, size=0.1)
    built.function.eval()
    right = right_logits(weights, options, source, target)
    result = built.require_tensor(situation, built(situation, source, target), right)
    built.compare(situation, result[target != 0], right[target != 0], "8 heads, and a padding token 0")

    situation = "no blocks, and nothing else is said"
    built = build(subject, situation, 10, 8, num_encoder_layers=0, num_decoder_layers=0)
    shapes = right_shapes(10, 8, {"d_model": 512, "num_encoder_layers": 0, "num_decoder_layers": 0, "d_ff": 2048})
    require_parameters(built, situation, shapes)
    long = padded((513,), 8, seed=97, bos=True)
    built.require_tensor(situation, built(situation, source[:1], long[:, :512]), torch.zeros(1, 512, 8))
    built.refuses("513 tokens", source[:1], long)
    built.function.train()
    if same(built(situation, source, target), built(situation, source, target)):
        cause = "`dropout` is 0 where nothing is said; the paper has 0.1"
        expected = "in training, other numbers are dropped in each call"
        built.fail(situation, "two calls give the same", expected, cause, "compare the defaults with the task's")
