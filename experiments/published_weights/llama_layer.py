"""A layer of a Llama in the course's ``ModernBlock``: its names, their shapes, and its weights.

Source: Touvron et al. (2023), "LLaMA: Open and Efficient Foundation Language Models", section 2.2; the names are those
of Wolf et al. (2020), "Transformers".

Dimension names: ``d_model`` the width of the model; ``d_k`` the width of one head.
"""

from collections.abc import Mapping

from torch import Tensor

from transformer_course.common.validation import require_positive
from transformer_course.modern_transformer import ModernBlock
from transformer_course.published.llama_model import LLAMA_NAMES
from transformer_course.published.names import Shapes, require_state
from transformer_course.published.pretrained import pairs_from_halves


def llama_shapes(state: Mapping[str, Tensor], num_heads: int) -> Shapes:
    """Say which names a layer of a Llama has, and their shapes; sizes are read off its own matrices.

    Args:
        state: tensors by name, without what stands before ``self_attn`` and ``mlp``.
        num_heads: heads of queries.

    Returns:
        Shapes by name; the two norms of queries and keys are there if the state dict holds one of them.

    Raises:
        ValueError: if a name is missing that the sizes are read off, or a matrix does not fit the heads.
    """
    sizes = {}
    for name in ("self_attn.k_proj.weight", "mlp.gate_proj.weight"):
        if name not in state or state[name].dim() != 2:
            found = tuple(state[name].shape) if name in state else "nothing"
            raise ValueError(f"{name}: expected a matrix under this name, got {found}")
        sizes[name] = tuple(state[name].shape)
    (of_groups, d_model), (d_ff, _) = sizes.values()
    d_k = d_model // num_heads
    if d_k * num_heads != d_model or of_groups % d_k or num_heads % (of_groups // d_k):
        raise ValueError(
            f"self_attn.k_proj.weight: expected rows for groups of {num_heads} heads in d_model = {d_model}, "
            f"got {of_groups} rows"
        )
    shapes: Shapes = {
        "input_layernorm.weight": (d_model,),
        "self_attn.q_proj.weight": (d_model, d_model),
        "self_attn.k_proj.weight": (of_groups, d_model),
        "self_attn.v_proj.weight": (of_groups, d_model),
        "self_attn.o_proj.weight": (d_model, d_model),
        "post_attention_layernorm.weight": (d_model,),
        "mlp.gate_proj.weight": (d_ff, d_model),
        "mlp.up_proj.weight": (d_ff, d_model),
        "mlp.down_proj.weight": (d_model, d_ff),
    }
    norms = ("self_attn.q_norm.weight", "self_attn.k_norm.weight")
    return shapes | {name: (d_k,) for name in norms if any(each in state for each in norms)}


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
