"""The learner's norms and blocks, built with known weights."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.block_mistakes import wrong_block_parameters
from transformer_course.checks.modules import WrongParameters, build, give_weights, require_parameters
from transformer_course.checks.norm_mistakes import wrong_feed_forward_parameters, wrong_norm_parameters

UNIT = "transformer_blocks"
NORMS = ("layer_norm", "batch_norm", "group_norm", "instance_norm", "rms_norm")
LAYERS = ("multi_head_attention", "transformer_encoder_layer")
READY_MADE = {"LayerNorm": NORMS, "FeedForward": LAYERS, "EncoderBlock": LAYERS, "DecoderBlock": LAYERS}


def answer(function: Callable, name: str) -> Answer:
    """Wrap what the learner wrote for the checks of this unit."""
    return Answer(function, name, UNIT, READY_MADE.get(name, ()))


def _made(
    subject: Answer,
    situation: str,
    arguments: Sequence,
    options: Mapping,
    shapes: Mapping,
    wrong: Sequence[WrongParameters],
    seed: int,
    dtype: torch.dtype,
) -> tuple[Answer, dict[str, Tensor]]:
    built = build(subject, situation, *arguments, **options)
    require_parameters(built, situation, shapes, wrong)
    return built, give_weights(built, seed, dtype)


def make_norm(
    norm_class: Callable, situation: str, d_model: int, seed: int, dtype: torch.dtype = torch.float64, **options
) -> tuple[Answer, dict[str, Tensor]]:
    """Build the learner's LayerNorm with known weights: the module as an `Answer`, and the weights by name."""
    shapes = {"weight": (d_model,), "bias": (d_model,)}
    subject = answer(norm_class, "LayerNorm")
    return _made(subject, situation, (d_model,), options, shapes, wrong_norm_parameters(), seed, dtype)


def feed_forward_shapes(d_model: int, d_ff: int, prefix: str = "") -> dict[str, tuple[int, ...]]:
    """Name the parameters of a feed-forward network."""
    return {
        f"{prefix}linear_1.weight": (d_ff, d_model),
        f"{prefix}linear_1.bias": (d_ff,),
        f"{prefix}linear_2.weight": (d_model, d_ff),
        f"{prefix}linear_2.bias": (d_model,),
    }


def make_feed_forward(
    feed_forward_class: Callable,
    situation: str,
    d_model: int,
    d_ff: int,
    seed: int,
    dtype: torch.dtype = torch.float64,
    **options,
) -> tuple[Answer, dict[str, Tensor]]:
    """Build the learner's FeedForward with known weights."""
    wrong = wrong_feed_forward_parameters(d_model, d_ff)
    subject, shapes = answer(feed_forward_class, "FeedForward"), feed_forward_shapes(d_model, d_ff)
    return _made(subject, situation, (d_model, d_ff), options, shapes, wrong, seed, dtype)


def make_block(
    block_class: Callable,
    name: str,
    situation: str,
    sizes: tuple[int, int, int],
    seed: int,
    dtype: torch.dtype = torch.float64,
    **options,
) -> tuple[Answer, dict[str, Tensor]]:
    """Build one of the learner's blocks with known weights; the sizes are d_model, num_heads, d_ff."""
    d_model, _, d_ff = sizes
    attentions = ("self_attention", "cross_attention") if name == "DecoderBlock" else ("self_attention",)
    shapes = feed_forward_shapes(d_model, d_ff, "feed_forward.")
    for attention in attentions:
        for projection in ("w_query", "w_key", "w_value", "w_output"):
            shapes[f"{attention}.{projection}.weight"] = (d_model, d_model)
            shapes[f"{attention}.{projection}.bias"] = (d_model,)
    for number in range(1, len(attentions) + 2):
        shapes |= {f"norm_{number}.weight": (d_model,), f"norm_{number}.bias": (d_model,)}
    wrong = wrong_block_parameters(len(attentions) + 1)
    return _made(answer(block_class, name), situation, sizes, options, shapes, wrong, seed, dtype)
