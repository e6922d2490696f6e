"""Chapter 18: mistakes that are made when weights are loaded, planted one at a time into models that are right.

A trap changes a copy of a loaded model, or what it reads; nothing else differs, so that the gap of the logits and the
first block that differs are its own.

Dimension names: ``batch`` texts or sentences; ``length`` tokens; ``vocab_size`` tokens to choose from.
"""

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from transformer_course.language_model import LanguageModel
from transformer_course.positional_encoding import sinusoidal_encoding
from transformer_course.published.marian_transformer import MarianTransformer

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Seen:
    """What a trap does.

    Args:
        gap: the largest difference of a logit.
        other: share of the positions at which another token is the most probable.
        first: the first part whose output differs, such as ``blocks.0``; ``"logits"`` if none does before the end.
    """

    gap: float
    other: float
    first: str


def spring(model: nn.Module, change: Change, *inputs: Tensor, read: Change | None = None) -> Seen:
    """Plant a trap into a copy of a model, and compare.

    Args:
        model: ``model(*inputs) -> logits (batch, length, vocab_size)``; it is not changed.
        change: changes a model in place.
        *inputs: token ids.
        read: makes what the changed model reads out of the inputs; None leaves them.

    Returns:
        What is to be seen.
    """
    wrong = copy.deepcopy(model)
    with torch.no_grad():
        change(wrong)
        expected, parts = _outputs(model, inputs)
        found, changed = _outputs(wrong, read(inputs) if read else inputs)
    first = next((name for name in parts if not torch.equal(parts[name], changed[name])), "logits")
    other = (found.argmax(-1) != expected.argmax(-1)).float().mean().item()
    return Seen((found - expected).abs().max().item(), other, first)


def _outputs(model: nn.Module, inputs: tuple[Tensor, ...]) -> tuple[Tensor, dict[str, Tensor]]:
    """Run a model, and keep what its embeddings, its blocks and its last norm return, in the order of their calls."""
    kept: dict[str, Tensor] = {}
    watched = ("source_embedding", "target_embedding", "norm")

    def keep(name: str) -> Callable:
        return lambda module, arguments, output: kept.__setitem__(name, output)

    hooks = [
        module.register_forward_hook(keep(name))
        for name, module in model.named_modules()
        if name in watched or name.rpartition(".")[0] in ("blocks", "encoder_blocks", "decoder_blocks")
    ]
    try:
        return model(*inputs), kept
    finally:
        for hook in hooks:
            hook.remove()


def _exact_gelu(model: LanguageModel) -> None:
    for block in model.blocks:
        block.feed_forward.activation = "gelu"


def _eps(model: LanguageModel) -> None:
    for norm in (model.norm, *(each for block in model.blocks for each in (block.norm_1, block.norm_2))):
        norm.eps = 1e-12


def _square_the_wrong_way_round(model: LanguageModel) -> None:
    for block in model.blocks:
        weight = block.self_attention.w_output.weight
        weight.copy_(weight.T.clone())


def _queries_and_values(model: LanguageModel) -> None:
    for block in model.blocks:
        attention = block.self_attention
        attention.w_query, attention.w_value = attention.w_value, attention.w_query


def _no_last_norm(model: LanguageModel) -> None:
    model.norm.weight.fill_(1.0)
    model.norm.bias.fill_(0.0)


# By the words of the chapter: what `load_gpt2` has to get right.
GPT2_TRAPS: dict[str, Change] = {
    "exact GELU": _exact_gelu,
    "eps 1e-12": _eps,
    "attn.c_proj not transposed": _square_the_wrong_way_round,
    "queries and values exchanged": _queries_and_values,
    "ln_f forgotten": _no_last_norm,
}


def _interleaved(model: MarianTransformer) -> None:
    encoding = sinusoidal_encoding(model.max_length, model.d_model).to(model.source_embedding.encoding)
    model.source_embedding.encoding = model.target_embedding.encoding = encoding


def _unscaled(model: MarianTransformer) -> None:
    # The output layer shares the table, and stays as it is.
    for embedding in (model.source_embedding, model.target_embedding):
        embedding.token.weight = nn.Parameter(embedding.token.weight / math.sqrt(model.d_model))


def _no_bias(model: MarianTransformer) -> None:
    model.output_layer.bias.fill_(0.0)


def _relu(model: MarianTransformer) -> None:
    for block in (*model.encoder_blocks, *model.decoder_blocks):
        block.feed_forward.activation = "relu"


def _no_padding_mask(model: MarianTransformer) -> None:
    model.pad_id = -1  # no token of the source


# What `load_marian` has to get right; the sixth, the first token, is what the model reads: ``begin_with_the_end``.
MARIAN_TRAPS: dict[str, Change] = {
    "sines and cosines in turns": _interleaved,
    "embedding not scaled": _unscaled,
    "no final_logits_bias": _no_bias,
    "ReLU": _relu,
    "no padding mask": _no_padding_mask,
}


def begin_with_the_end(eos_id: int) -> Change:
    """Make the decoder begin with the end of a sentence: a ``read`` for ``spring``, with a change that does nothing."""

    def read(inputs: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        source, target = inputs
        return source, torch.cat([torch.full_like(target[:, :1], eos_id), target[:, 1:]], dim=1)

    return read
