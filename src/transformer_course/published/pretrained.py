"""Chapter 18: GPT-2 and Marian in the course's own models, by the names under which their weights are published.

Source: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.3; Junczys-Dowmunt et
al. (2018), "Marian"; the names are those of Wolf et al. (2020), "Transformers".

The functions read state dicts; ``data.published`` reads the files that hold them.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_course.common.validation import require_divisor
from transformer_course.language_model import LanguageModel
from transformer_course.positional_encoding import sinusoidal_encoding
from transformer_course.published.marian_transformer import MarianTransformer
from transformer_course.published.names import (
    ACTIVATION_NAMES,
    gpt2_shapes,
    gpt2_state,
    marian_blocks,
    marian_shapes,
    marian_state,
    numbers_after,
    require_marian_config,
    require_state,
)

GPT2_HEAD_WIDTH = 64  # of all four sizes of GPT-2
GPT2_LINEARS = {
    "attn.c_proj": "self_attention.w_output",
    "mlp.c_fc": "feed_forward.linear_1",
    "mlp.c_proj": "feed_forward.linear_2",
}


def load_gpt2(state: Mapping[str, Tensor], num_heads: int | None = None) -> LanguageModel:
    """Make the language model of chapter 13 a GPT-2.

    Two things differ from what the names suggest: the matrices are stored ``(in, out)``, where ``nn.Linear`` wants
    ``(out, in)``, and the three projections of attention are one. And GELU is computed by its approximation with tanh.

    Source: Radford et al. (2019), section 2.3; the names of ``GPT2LMHeadModel`` in Wolf et al. (2020).

    Args:
        state: tensors by their published names, with or without ``transformer.`` in front.
        num_heads: heads of each block, which no tensor shows; None means ``d_model / 64``, as in all published sizes.

    Returns:
        A model with the same logits, in the dtype and on the device of the state dict; its weights are copies.

    Raises:
        ValueError: if a name is missing or left over, a shape is another than it must be, the output layer is not the
            table of tokens, or num_heads does not divide d_model.
    """
    state = gpt2_state(state)
    shapes = gpt2_shapes(state)
    require_state(state, shapes)
    vocab_size, d_model = shapes["transformer.wte.weight"]
    num_heads = d_model // GPT2_HEAD_WIDTH if num_heads is None else num_heads
    require_divisor("num_heads", num_heads, "d_model", d_model)
    num_layers = len(numbers_after(state, "transformer.h."))
    renamed = {
        "token.weight": state["transformer.wte.weight"],
        "position.weight": state["transformer.wpe.weight"],
        "norm.weight": state["transformer.ln_f.weight"],
        "norm.bias": state["transformer.ln_f.bias"],
    }
    for i in range(num_layers):
        renamed |= _gpt2_block(state, f"transformer.h.{i}.", f"blocks.{i}.")
    model = LanguageModel(
        vocab_size,
        d_model,
        num_heads,
        num_layers,
        d_ff=shapes["transformer.h.0.mlp.c_fc.weight"][1],
        max_length=shapes["transformer.wpe.weight"][0],
        activation="gelu_tanh",
    )
    return _filled(model, renamed)


def _gpt2_block(state: Mapping[str, Tensor], theirs: str, ours: str) -> dict[str, Tensor]:
    """Rename the twelve tensors of a block, of which two become six."""
    renamed = {}
    for kind in ("weight", "bias"):
        renamed[f"{ours}norm_1.{kind}"] = state[f"{theirs}ln_1.{kind}"]
        renamed[f"{ours}norm_2.{kind}"] = state[f"{theirs}ln_2.{kind}"]
        for their_name, our_name in GPT2_LINEARS.items():
            tensor = state[f"{theirs}{their_name}.{kind}"]
            renamed[f"{ours}{our_name}.{kind}"] = tensor.T if kind == "weight" else tensor
        thirds = state[f"{theirs}attn.c_attn.{kind}"].chunk(3, dim=-1)  # queries, keys, values
        for name, third in zip(("w_query", "w_key", "w_value"), thirds, strict=True):
            renamed[f"{ours}self_attention.{name}.{kind}"] = third.T if kind == "weight" else third
    return renamed


def load_marian(state: Mapping[str, Tensor], config: Mapping[str, Any]) -> MarianTransformer:
    """Make the Transformer of chapter 10 a Marian.

    The blocks are those of 2017, with SiLU in the place of ReLU. The differences lie around them: sines fill the first
    half of the columns and cosines the second, one table serves both languages and the output, which adds a bias, and
    the decoder begins with the padding token.

    Source: Junczys-Dowmunt et al. (2018); the names of ``MarianMTModel`` in Wolf et al. (2020).

    Args:
        state: tensors by their published names.
        config: what stands in config.json.

    Returns:
        A model with the same logits, in the dtype and on the device of the state dict; its weights are copies. It
        knows its ``bos_id``, ``eos_id`` and ``pad_id``, so that ``translate`` of chapter 11 works with it.

    Raises:
        ValueError: if the configuration is of another kind of model, a name is missing or left over, or a shape is
            another than it must be.
    """
    require_marian_config(config)
    state = marian_state(state)
    require_state(state, marian_shapes(config))
    model = MarianTransformer(
        config["vocab_size"],
        config["vocab_size"],
        config["d_model"],
        config["encoder_attention_heads"],
        config["encoder_layers"],
        config["decoder_layers"],
        config["encoder_ffn_dim"],
        dropout=0.0,
        max_length=config["max_position_embeddings"],
        tie_weights=True,
        pad_id=config["pad_token_id"],
        activation=ACTIVATION_NAMES[config["activation_function"]],
    )
    model.bos_id, model.eos_id = config["decoder_start_token_id"], config["eos_token_id"]
    table = state["model.shared.weight"]
    renamed = dict.fromkeys(("source_embedding.token.weight", "target_embedding.token.weight"), table)
    renamed |= {"output_layer.weight": table, "output_layer.bias": state["final_logits_bias"][0]}
    renamed |= marian_blocks(state, config)
    _filled(model, renamed)
    encoding = halves_encoding(model.max_length, model.d_model).to(table)
    model.source_embedding.encoding, model.target_embedding.encoding = encoding, encoding.clone()
    return model


def halves_encoding(length: int, d_model: int) -> Tensor:
    """Sort the columns of ``sinusoidal_encoding`` as Marian does: first all sines, then all cosines.

    Args:
        length: how many positions.
        d_model: how many columns.

    Returns:
        The encoding ``(length, d_model)`` in torch's default dtype.

    >>> halves_encoding(2, 4)[1]
    tensor([0.8415, 0.0100, 0.5403, 0.9999])
    """
    encoding = sinusoidal_encoding(length, d_model)
    return torch.cat([encoding[:, 0::2], encoding[:, 1::2]], dim=1)


def pairs_from_halves(rows: Tensor, num_heads: int) -> Tensor:
    """Sort the rows of a projection so that what was columns i and i + d_k / 2 of each head become 2i and 2i + 1.

    Llama turns the former together, ``rotate`` the latter. Scores do not change, as long as queries and keys are sorted
    in the same way.

    Args:
        rows: ``(num_heads * d_k, ...)``, the rows of a projection, or the gain of a norm.
        num_heads: heads, or groups of keys.

    Returns:
        The rows in another order.

    Raises:
        ValueError: if the rows do not split into heads of an even width.

    >>> pairs_from_halves(torch.arange(8), num_heads=2)
    tensor([0, 2, 1, 3, 4, 6, 5, 7])
    """
    require_divisor("2 * num_heads", 2 * num_heads, "rows", rows.shape[0])
    halves = rows.unflatten(0, (num_heads, 2, -1))  # (num_heads, 2, d_k / 2, ...)
    return halves.transpose(1, 2).flatten(0, 2)


def _filled(model: Any, renamed: Mapping[str, Tensor]) -> Any:
    """Copy the tensors into a model, which takes their dtype and device; it has exactly these names."""
    model.to(next(iter(renamed.values())))
    model.load_state_dict(renamed)
    return model.eval()
