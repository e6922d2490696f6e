"""A published Llama, SmolLM2, Qwen2 or Qwen3, whole, in the course's ``ModernBlock``s.

Source: Touvron et al. (2023), "LLaMA: Open and Efficient Foundation Language Models", section 2.2; the names are those
of Wolf et al. (2020), "Transformers".
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_course.common.validation import require_divisor, require_even
from transformer_course.published.modern_language_model import ModernLanguageModel, Sizes
from transformer_course.published.names import Shapes, require_state, without_copies
from transformer_course.published.pretrained import pairs_from_halves

LLAMA_NAMES = {
    "input_layernorm": "norm_1",
    "self_attn.q_proj": "w_query",
    "self_attn.k_proj": "w_key",
    "self_attn.v_proj": "w_value",
    "self_attn.o_proj": "w_output",
    "self_attn.q_norm": "norm_query",
    "self_attn.k_norm": "norm_key",
    "post_attention_layernorm": "norm_2",
    "mlp.gate_proj": "w_gate",
    "mlp.up_proj": "w_up",
    "mlp.down_proj": "w_down",
}
KINDS = ("llama", "mistral", "qwen2", "qwen3")
NEEDED = {
    "vocab_size": "vocab_size",
    "hidden_size": "d_model",
    "num_attention_heads": "num_heads",
    "num_hidden_layers": "num_layers",
    "intermediate_size": "d_ff",
    "rms_norm_eps": "eps",
    "max_position_embeddings": "max_length",
}
TURNING = ("w_query", "w_key", "norm_query", "norm_key")
WITH_BIAS = ("w_query", "w_key", "w_value")


def load_llama(state: Mapping[str, Tensor], config: Mapping[str, Any]) -> ModernLanguageModel:
    """Make a ``ModernLanguageModel`` a published model of this family.

    Source: Touvron et al. (2023), section 2.2; the names of ``LlamaForCausalLM``, ``Qwen2ForCausalLM`` and
    ``Qwen3ForCausalLM`` in Wolf et al. (2020).

    Args:
        state: tensors by their published names.
        config: what stands in config.json.

    Returns:
        A model with the same logits, in float32, in eval mode.

    Raises:
        ValueError: if the configuration is of another kind of model, a name is missing or left over, or a shape is
            another than it must be.
    """
    sizes = sizes_of(config)
    if sizes.tied:
        state = without_copies(state, "model.embed_tokens.weight", ("lm_head.weight",))
    state = {name: tensor for name, tensor in state.items() if not name.endswith("rotary_emb.inv_freq")}
    names = course_names(sizes)
    shapes = shapes_of(sizes)
    require_state(state, {theirs: shapes[ours] for theirs, ours in names.items()})
    renamed = {ours: state[theirs].float() for theirs, ours in names.items()}
    return filled(sizes, {name: _in_pairs(name, tensor, sizes) for name, tensor in renamed.items()})


def sizes_of(config: Mapping[str, Any]) -> Sizes:
    """Read the sizes off a configuration.

    Raises:
        ValueError: if it is of a model that the blocks of the course are not, or says too little.
    """
    kind = config.get("model_type")
    if kind not in KINDS:
        raise ValueError(f"config: expected model_type from {', '.join(KINDS)}, got {kind!r}")
    if missing := [name for name in NEEDED if config.get(name) is None]:
        raise ValueError(f"config: expected {missing[0]}, got a configuration without")
    turning = config.get("rope_parameters") or config.get("rope_scaling") or {}
    if turning.get("rope_type", turning.get("type", "default")) != "default":
        raise ValueError("config: expected positions that turn as in the first Llama, got another rope_type")
    if config.get("hidden_act", "silu") != "silu":
        raise ValueError(f"config: expected hidden_act silu, got {config['hidden_act']!r}")
    if config.get("mlp_bias") or (config.get("attention_bias") and kind != "qwen2"):
        raise ValueError("config: expected a model without biases, got one with")
    numbers = {ours: config[theirs] for theirs, ours in NEEDED.items()}
    return checked(
        Sizes(
            **numbers,
            num_groups=config.get("num_key_value_heads") or config["num_attention_heads"],
            base=float(turning.get("rope_theta") or config.get("rope_theta") or 10_000.0),
            tied=config.get("tie_word_embeddings", False),
            qk_norm=kind == "qwen3",
            biases=kind == "qwen2",
        ),
        config.get("head_dim"),
    )


def checked(sizes: Sizes, d_k: int | None = None) -> Sizes:
    """Return the sizes, or raise ``ValueError`` if the blocks of the course cannot have them."""
    require_divisor("num_attention_heads", sizes.num_heads, "hidden_size", sizes.d_model)
    require_divisor("num_key_value_heads", sizes.num_groups, "num_attention_heads", sizes.num_heads)
    require_even("hidden_size / num_attention_heads", sizes.d_model // sizes.num_heads)
    if d_k not in (None, sizes.d_model // sizes.num_heads):
        raise ValueError(f"config: expected head_dim = {sizes.d_model // sizes.num_heads}, got {d_k}")
    return sizes


def course_names(sizes: Sizes) -> dict[str, str]:
    """Give the course's name of each published one."""
    names = {"model.embed_tokens.weight": "token.weight", "model.norm.weight": "norm.weight"}
    if not sizes.tied:
        names["lm_head.weight"] = "output.weight"
    for i in range(sizes.num_layers):
        for theirs, ours in LLAMA_NAMES.items():
            if ours in ("norm_query", "norm_key") and not sizes.qk_norm:
                continue
            names[f"model.layers.{i}.{theirs}.weight"] = f"blocks.{i}.{ours}.weight"
            if sizes.biases and ours in WITH_BIAS:
                names[f"model.layers.{i}.{theirs}.bias"] = f"blocks.{i}.{ours}.bias"
    return names


def shapes_of(sizes: Sizes) -> Shapes:
    """Say which shape the tensor of each of the course's names has."""
    with torch.device("meta"):  # shapes without numbers
        model = ModernLanguageModel(sizes)
    return {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}


def filled(sizes: Sizes, state: Mapping[str, Tensor]) -> ModernLanguageModel:
    """Make a model of tensors by the course's names, which it takes as they are, without copying.

    Raises:
        ValueError: if a name is missing or left over, or a shape is another than it must be.
    """
    with torch.device("meta"):
        model = ModernLanguageModel(sizes)
    if sizes.tied:
        state = {**state, "output.weight": state["token.weight"]} if "token.weight" in state else state
    require_state(state, {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()})
    model.load_state_dict(state, assign=True)
    if sizes.tied:
        model.output.weight = model.token.weight
    return model.requires_grad_(False).eval()


def _in_pairs(name: str, tensor: Tensor, sizes: Sizes) -> Tensor:
    """Sort what turns: the published order turns halves of a head together, the course's pairs of neighbours."""
    layer = name.split(".")[-2]
    if layer not in TURNING:
        return tensor
    heads = {"w_query": sizes.num_heads, "w_key": sizes.num_groups}
    return pairs_from_halves(tensor, heads.get(layer, 1))
