"""Chapter 18: a layer of a published Llama in the course's ``ModernBlock``.

Source: Touvron et al. (2023), "LLaMA: Open and Efficient Foundation Language Models", section 2.2; the names are those
of Wolf et al. (2020), "Transformers".

Dimension names: ``d_model`` the width of the model; ``d_k`` the width of one head.
"""

from collections.abc import Mapping

from torch import Tensor

from transformer_course.common.validation import require_positive
from transformer_course.modern_transformer import ModernBlock
from transformer_course.published.names import llama_shapes, require_state
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


def load_llama_block(
    state: Mapping[str, Tensor], num_heads: int, base: float = 10_000.0, eps: float = 1e-6
) -> ModernBlock:
    """Make a ``ModernBlock`` one layer of a Llama, or of a Qwen3, whose queries and keys have norms.

    Source: Touvron et al. (2023), section 2.2; the names of ``LlamaDecoderLayer`` in Wolf et al. (2020).

    Args:
        state: tensors by their published names, without what stands before ``self_attn`` and ``mlp``.
        num_heads: heads of queries, as config.json says.
        base: ``rope_theta`` there.
        eps: ``rms_norm_eps`` there.

    Returns:
        A block that computes what the layer computes, in the dtype and on the device of the state dict.

    Raises:
        ValueError: if a name is missing or left over, or a shape is another than it must be.
    """
    require_positive("num_heads", num_heads)
    shapes = llama_shapes(state, num_heads)
    require_state(state, shapes)
    d_ff, d_model = shapes["mlp.gate_proj.weight"]
    num_groups = shapes["self_attn.k_proj.weight"][0] * num_heads // d_model
    qk_norm = "self_attn.q_norm.weight" in state
    block = ModernBlock(d_model, num_heads, num_groups, d_ff, qk_norm, base, eps)
    heads = {"w_query": num_heads, "w_key": num_groups, "norm_query": 1, "norm_key": 1}
    weights = {ours: state[f"{theirs}.weight"] for theirs, ours in LLAMA_NAMES.items() if f"{theirs}.weight" in state}
    weights |= {name: pairs_from_halves(weights[name], number) for name, number in heads.items() if name in weights}
    block.to(weights["w_query"])
    block.load_state_dict({f"{name}.weight": tensor for name, tensor in weights.items()})
    return block.eval()
