"""The names and shapes under which the weights of GPT-2 and Marian are published, and checks of a state dict.

Source: Wolf et al. (2020), "Transformers: State-of-the-Art Natural Language Processing"; the names are those of
``state_dict()`` of its ``GPT2LMHeadModel`` and ``MarianMTModel``.
"""

from collections.abc import Mapping
from typing import Any

from torch import Tensor, equal

Shapes = dict[str, tuple[int | str, ...]]

# What a model of the published form says in its config.json, where it says it at all.
MARIAN_FORM = {
    "scale_embedding": True,
    "static_position_embeddings": True,
    "share_encoder_decoder_embeddings": True,
    "tie_word_embeddings": True,
    "normalize_before": False,
    "normalize_embedding": False,
    "add_final_layer_norm": False,
}
MARIAN_SIZES = (
    "vocab_size",
    "d_model",
    "encoder_layers",
    "decoder_layers",
    "encoder_attention_heads",
    "encoder_ffn_dim",
    "max_position_embeddings",
    "pad_token_id",
    "eos_token_id",
    "decoder_start_token_id",
)
# Their names for activations, and the course's.
ACTIVATION_NAMES = {"swish": "silu", "silu": "silu", "gelu": "gelu", "gelu_new": "gelu_tanh", "relu": "relu"}

MARIAN_ENCODER = {
    "self_attn.q_proj": "self_attention.w_query",
    "self_attn.k_proj": "self_attention.w_key",
    "self_attn.v_proj": "self_attention.w_value",
    "self_attn.out_proj": "self_attention.w_output",
    "self_attn_layer_norm": "norm_1",
    "fc1": "feed_forward.linear_1",
    "fc2": "feed_forward.linear_2",
    "final_layer_norm": "norm_2",
}
MARIAN_DECODER = MARIAN_ENCODER | {
    "encoder_attn.q_proj": "cross_attention.w_query",
    "encoder_attn.k_proj": "cross_attention.w_key",
    "encoder_attn.v_proj": "cross_attention.w_value",
    "encoder_attn.out_proj": "cross_attention.w_output",
    "encoder_attn_layer_norm": "norm_2",
    "final_layer_norm": "norm_3",
}


def require_state(state: Mapping[str, Tensor], shapes: Shapes) -> None:
    """Raise ``ValueError`` unless a state dict holds these names in these shapes, and no others."""
    if missing := [name for name in shapes if name not in state]:
        raise ValueError(f"state: expected the name {missing[0]}{_and_more(missing)}, got a state dict without")
    if left := [name for name in state if name not in shapes]:
        raise ValueError(f"state: expected no names but those of the model, got {left[0]}{_and_more(left)}")
    for name, shape in shapes.items():
        found = tuple(state[name].shape)
        if found != shape:
            raise ValueError(f"{name}: expected shape {shape}, got {found}")


def _and_more(names: list[str]) -> str:
    return f" and {len(names) - 1} more" if len(names) > 1 else ""


def gpt2_shapes(state: Mapping[str, Tensor]) -> Shapes:
    """Say which names a GPT-2 has, and their shapes; the sizes are read off its own tables and first block.

    Args:
        state: tensors by name.

    Returns:
        Shapes by name, of ``transformer.wte.weight`` (tokens), ``transformer.wpe.weight`` (positions), for each block i
        the twelve under ``transformer.h.i.``, and the last norm ``transformer.ln_f``. Matrices are
        ``(width in, width out)``.

    Raises:
        ValueError: if a name is missing that the sizes are read off, or its tensor is no matrix.
    """
    tables = {}
    for name in ("transformer.wte.weight", "transformer.wpe.weight", "transformer.h.0.mlp.c_fc.weight"):
        if name not in state or state[name].dim() != 2:
            found = tuple(state[name].shape) if name in state else "nothing"
            raise ValueError(f"{name}: expected a matrix under this name, got {found}")
        tables[name.split(".")[-2]] = tuple(state[name].shape)
    d_model, d_ff = tables["wte"][1], tables["c_fc"][1]
    of_block = {
        "ln_1.weight": (d_model,),
        "ln_1.bias": (d_model,),
        "attn.c_attn.weight": (d_model, 3 * d_model),
        "attn.c_attn.bias": (3 * d_model,),
        "attn.c_proj.weight": (d_model, d_model),
        "attn.c_proj.bias": (d_model,),
        "ln_2.weight": (d_model,),
        "ln_2.bias": (d_model,),
        "mlp.c_fc.weight": (d_model, d_ff),
        "mlp.c_fc.bias": (d_ff,),
        "mlp.c_proj.weight": (d_ff, d_model),
        "mlp.c_proj.bias": (d_model,),
    }
    blocks = range(len(numbers_after(state, "transformer.h.")))
    return {
        "transformer.wte.weight": tables["wte"],
        "transformer.wpe.weight": (tables["wpe"][0], d_model),
        **{f"transformer.h.{i}.{name}": shape for i in blocks for name, shape in of_block.items()},
        "transformer.ln_f.weight": (d_model,),
        "transformer.ln_f.bias": (d_model,),
    }


def numbers_after(state: Mapping[str, Tensor], prefix: str) -> set[str]:
    """Collect what stands between a prefix and the next point: the numbers of blocks."""
    return {name.removeprefix(prefix).partition(".")[0] for name in state if name.startswith(prefix)}


def gpt2_state(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Bring the state dict of a GPT-2 into one form.

    Published files leave ``transformer.`` away or not, hold the output layer a second time or not, and some hold the
    causal mask of each block under ``attn.bias``.

    Args:
        state: tensors by name.

    Returns:
        The same tensors by the names of ``gpt2_shapes``.

    Raises:
        ValueError: if the output layer is not the table of tokens.
    """
    prefix = "" if any(name.startswith("transformer.") for name in state) else "transformer."
    named = {name if name == "lm_head.weight" else prefix + name: tensor for name, tensor in state.items()}
    named = {name: x for name, x in named.items() if not name.endswith((".attn.bias", ".attn.masked_bias"))}
    return without_copies(named, "transformer.wte.weight", ("lm_head.weight",))


def without_copies(state: Mapping[str, Tensor], name: str, copies: tuple[str, ...]) -> dict[str, Tensor]:
    """Keep one tensor of several that must be the same, under the first name.

    Raises:
        ValueError: if two of them differ.
    """
    found = [each for each in (name, *copies) if each in state]
    for other in found[1:]:
        if not equal(state[found[0]], state[other]):
            raise ValueError(f"{other}: expected the same numbers as in {found[0]}, which it shares; got others")
    kept = {each: tensor for each, tensor in state.items() if each not in found}
    return {name: state[found[0]], **kept} if found else kept


def require_marian_config(config: Mapping[str, Any]) -> None:
    """Raise ``ValueError`` unless the course's Transformer can be a Marian of this configuration."""
    if missing := [name for name in (*MARIAN_SIZES, "activation_function") if config.get(name) is None]:
        raise ValueError(f"config: expected {missing[0]}{_and_more(missing)}, got a configuration without")
    for name, wanted in MARIAN_FORM.items():
        if config.get(name, wanted) != wanted:
            raise ValueError(f"config: expected {name} = {wanted}, as in the published models, got {config[name]}")
    for one in ("attention_heads", "ffn_dim"):
        mine, other = config[f"encoder_{one}"], config.get(f"decoder_{one}", config[f"encoder_{one}"])
        if mine != other:
            raise ValueError(f"config: expected decoder_{one} = encoder_{one} = {mine}, got {other}")
    if config["activation_function"] not in ACTIVATION_NAMES:
        wanted = ", ".join(ACTIVATION_NAMES)
        raise ValueError(f"config: expected activation_function from {wanted}, got {config['activation_function']!r}")


def marian_shapes(config: Mapping[str, Any]) -> Shapes:
    """Say which names a Marian has, and their shapes.

    Args:
        config: what stands in its config.json.

    Returns:
        Shapes by name, of ``model.shared.weight`` (tokens of both languages, and the output layer),
        ``final_logits_bias``, and what stands under ``model.encoder.layers.i.`` and ``model.decoder.layers.i.``.
    """
    d_model, d_ff, vocab_size = config["d_model"], config["encoder_ffn_dim"], config["vocab_size"]
    shapes: Shapes = {"model.shared.weight": (vocab_size, d_model), "final_logits_bias": (1, vocab_size)}
    for side, attentions in (("encoder", ("self_attn",)), ("decoder", ("self_attn", "encoder_attn"))):
        for i in range(config[f"{side}_layers"]):
            prefix = f"model.{side}.layers.{i}."
            linears = {f"{each}.{p}_proj": (d_model, d_model) for each in attentions for p in ("q", "k", "v", "out")}
            linears |= {"fc1": (d_ff, d_model), "fc2": (d_model, d_ff)}
            for name, shape in linears.items():
                shapes |= {f"{prefix}{name}.weight": shape, f"{prefix}{name}.bias": shape[:1]}
            for name in (*(f"{each}_layer_norm" for each in attentions), "final_layer_norm"):
                shapes |= {f"{prefix}{name}.weight": (d_model,), f"{prefix}{name}.bias": (d_model,)}
    return shapes


def marian_blocks(state: Mapping[str, Tensor], config: Mapping[str, Any]) -> dict[str, Tensor]:
    """Rename the tensors of all blocks of a Marian to the names of the course's ``Transformer``.

    Args:
        state: tensors by the names of ``marian_shapes``.
        config: what stands in its config.json.

    Returns:
        The tensors by names that begin with ``encoder_blocks`` and ``decoder_blocks``.
    """
    renamed = {}
    for side, names in (("encoder", MARIAN_ENCODER), ("decoder", MARIAN_DECODER)):
        for i in range(config[f"{side}_layers"]):
            for theirs, ours in names.items():
                for kind in ("weight", "bias"):
                    renamed[f"{side}_blocks.{i}.{ours}.{kind}"] = state[f"model.{side}.layers.{i}.{theirs}.{kind}"]
    return renamed


def marian_state(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Bring the state dict of a Marian into one form: the one table that it holds up to four times, once.

    Positions, which some files hold, are left out: they can be computed.

    Args:
        state: tensors by name.

    Returns:
        The same tensors by the names of ``marian_shapes``.

    Raises:
        ValueError: if the copies of the table differ.
    """
    copies = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
    positions = tuple(f"model.{side}.embed_positions.weight" for side in ("encoder", "decoder"))
    kept = {name: tensor for name, tensor in state.items() if name not in positions}
    return without_copies(kept, "model.shared.weight", copies)
