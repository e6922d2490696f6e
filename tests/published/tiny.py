"""Small models of `transformers` with random weights, and files as they are published."""

import numpy as np
import torch
import transformers

SIZES = dict(
    vocab_size=300, hidden_size=32, intermediate_size=64, num_hidden_layers=3, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=64,
)  # fmt: skip
# The 256 characters that stand for bytes, in the order of GPT-2, and pairs of them.
MERGES = ["h e", "l l", "he ll", "hell o", "Ġ w", "i n", "1 2"]


def perturbed(model, size=0.1):
    """Fresh weights hide mistakes: biases are zero and gains one."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, tensor in model.named_parameters():
            if "inv_freq" not in name:
                tensor.add_(size * torch.randn(tensor.shape, generator=generator))
    return model.eval()


def tiny(kind: str, tied: bool, base: float = 1000.0):
    """A random model of the family of Llama."""
    name = {"llama": "Llama", "qwen2": "Qwen2", "qwen3": "Qwen3", "mistral": "Mistral"}[kind]
    extra = {"head_dim": 8} if kind == "qwen3" else {}
    torch.manual_seed(0)
    config = getattr(transformers, f"{name}Config")(
        **SIZES, **extra, rms_norm_eps=1e-3, tie_word_embeddings=tied, bos_token_id=1, eos_token_id=2,
        rope_parameters={"rope_type": "default", "rope_theta": base},
    )  # fmt: skip
    return perturbed(getattr(transformers, f"{name}ForCausalLM")(config))


def byte_table() -> list[str]:
    """Tokens of a tiny model: three special ones, the bytes, and what pairs become."""
    from tokenizers.pre_tokenizers import ByteLevel

    tokens = ["<|end|>", "<|im_start|>", "<|im_end|>", *sorted(ByteLevel.alphabet())]
    tokens += [merge.replace(" ", "") for merge in MERGES]
    return tokens + [f"<{i}>" for i in range(300 - len(tokens))]


def rows_in_pairs(rows: np.ndarray, num_heads: int) -> np.ndarray:
    """The order of llama.cpp's converter: `permute` of its convert_hf_to_gguf.py."""
    return (
        rows.reshape(num_heads, 2, rows.shape[0] // num_heads // 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)
    )


def write_gguf(path, model, kind="llama", quantised=False, **changes) -> None:
    """Write a model as llama.cpp's converter does; `changes` are keys of the file's table, None leaves one out."""
    import gguf

    config, writer = model.config, gguf.GGUFWriter(path, changes.pop("architecture", kind))
    keys = {
        "embedding_length": config.hidden_size, "block_count": config.num_hidden_layers,
        "attention.head_count": config.num_attention_heads, "attention.head_count_kv": config.num_key_value_heads,
        "feed_forward_length": config.intermediate_size, "context_length": config.max_position_embeddings,
    }  # fmt: skip
    for key, number in (keys | {k: v for k, v in changes.items() if k in keys}).items():
        if number is not None:
            writer.add_uint32(f"{kind}.{key}", number)
    writer.add_float32(f"{kind}.attention.layer_norm_rms_epsilon", config.rms_norm_eps)
    writer.add_float32(f"{kind}.rope.freq_base", config.rope_parameters["rope_theta"])
    writer.add_tokenizer_model(changes.get("tokenizer", "gpt2"))
    writer.add_tokenizer_pre(changes.get("pre", "smollm"))
    writer.add_token_list(byte_table())
    writer.add_token_types([3] * 3 + [1] * 297)
    writer.add_token_merges(MERGES)
    writer.add_eos_token_id(2)
    if template := changes.get("template"):
        writer.add_chat_template(template)
    names = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
             "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
             "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
             "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}  # fmt: skip
    for name, tensor in model.state_dict().items():
        name = name.removeprefix("model.")
        if name == "lm_head.weight" and config.tie_word_embeddings:
            continue
        for theirs, short in {"embed_tokens": "token_embd", "lm_head": "output"}.items():
            name = name.replace(theirs, short)
        if name == "norm.weight":
            name = "output_norm.weight"
        for theirs, short in names.items():
            name = name.replace(theirs, short)
        name, numbers = name.replace("layers.", "blk."), tensor.float().numpy()
        if kind == "llama" and ".attn_q." in name:
            numbers = rows_in_pairs(numbers, config.num_attention_heads)
        if kind == "llama" and ".attn_k." in name:
            numbers = rows_in_pairs(numbers, config.num_key_value_heads)
        if quantised and numbers.ndim == 2:
            form = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(name, gguf.quantize(numbers, form), raw_dtype=form)
        else:
            writer.add_tensor(name, np.ascontiguousarray(numbers))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
