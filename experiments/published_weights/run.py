"""The course's models beside those of `transformers`, same random weights: `python -m experiments.published_weights`.

How far the logits are apart, and how far with each trap: for weights as a fresh model has them, and for weights that
have all been moved a little. Nothing is downloaded. A few seconds; the package comes with requirements-dev.txt.
"""

import os
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from experiments.published_weights.llama_layer import load_llama_block
from experiments.published_weights.weight_traps import GPT2_TRAPS, MARIAN_TRAPS, begin_with_the_end, spring
from experiments.results import Results
from transformer_course.masking import causal_mask
from transformer_course.modern_transformer import ModernBlock, load_gpt2, load_marian

SIZE, HEADS, GROUPS, END, PADDING = 0.1, 4, 2, 0, 120
SETTINGS = {"moved_by": SIZE, "d_model": 64, "num_layers": 2, "heads": HEADS, "groups": GROUPS}


def moved(model: nn.Module) -> nn.Module:
    """Add a little noise to every parameter; Marian's positions are computed, and stay."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, tensor in (*model.named_parameters(), *model.named_buffers()):
            if "embed_positions" not in name and "inv_freq" not in name:
                tensor.add_(SIZE * torch.randn(tensor.shape, generator=generator))
    return model


def no_biases(model: nn.Module) -> None:
    """Forget every bias."""
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            parameter.fill_(0.0)


def no_gains(model: nn.Module) -> None:
    """Forget the gains of the norms."""
    for name, parameter in model.named_parameters():
        if "norm" in name and name.endswith("weight"):
            parameter.fill_(1.0)


def trapped(model: nn.Module, traps: dict[str, Callable], *inputs: Tensor) -> dict[str, dict[str, Any]]:
    """Say what each trap does."""
    found = {name: spring(model, change, *inputs) for name, change in traps.items()}
    return {name: {"gap": seen.gap, "other": seen.other, "first": seen.first} for name, seen in found.items()}


def gpt2(change: Callable) -> dict[str, Any]:
    """Compare a GPT-2."""
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=300, n_positions=32, n_embd=64, n_layer=2, n_head=HEADS, bos_token_id=0, eos_token_id=0
    )
    theirs = change(GPT2LMHeadModel(config)).eval()
    ours = load_gpt2(theirs.state_dict(), HEADS)
    tokens = torch.randint(300, (8, 32), generator=torch.Generator().manual_seed(2))
    with torch.no_grad():
        gap = (ours(tokens) - theirs(tokens).logits).abs().max().item()
    traps = {**GPT2_TRAPS, "biases forgotten": no_biases, "gains forgotten": no_gains}
    return {"gap": gap, "traps": trapped(ours, traps, tokens)}


def marian(change: Callable) -> dict[str, Any]:
    """Compare a Marian."""
    from transformers import MarianConfig, MarianMTModel

    torch.manual_seed(0)
    config = MarianConfig(
        vocab_size=121, d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=HEADS,
        decoder_attention_heads=HEADS, encoder_ffn_dim=128, decoder_ffn_dim=128, max_position_embeddings=32,
        activation_function="swish", scale_embedding=True, pad_token_id=PADDING, decoder_start_token_id=PADDING,
        eos_token_id=END, forced_eos_token_id=None,
    )  # fmt: skip
    theirs = change(MarianMTModel(config)).eval()
    ours = load_marian(theirs.state_dict(), theirs.config.to_dict())
    generator = torch.Generator().manual_seed(2)
    source, target = (torch.randint(1, PADDING, (8, length), generator=generator) for length in (12, 10))
    source[::2, 7], source[::2, 8:], target[:, 0] = END, PADDING, PADDING
    with torch.no_grad():
        logits = theirs(input_ids=source, attention_mask=source != PADDING, decoder_input_ids=target).logits
        gap = (ours(source, target) - logits).abs().max().item()
    found = trapped(ours, {**MARIAN_TRAPS, "biases forgotten": no_biases}, source, target)
    seen = spring(ours, lambda model: None, source, target, read=begin_with_the_end(END))
    found["begins with the end"] = {"gap": seen.gap, "other": seen.other, "first": seen.first}
    return {"gap": gap, "traps": found}


def llama(change: Callable) -> dict[str, Any]:
    """Compare a layer of a Llama: its output, which has as many numbers as the model is wide."""
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaDecoderLayer, LlamaRotaryEmbedding

    torch.manual_seed(0)
    config = LlamaConfig(
        hidden_size=64, intermediate_size=128, num_attention_heads=HEADS, num_key_value_heads=GROUPS, head_dim=16,
        max_position_embeddings=64, attn_implementation="eager",
    )  # fmt: skip
    theirs = change(LlamaDecoderLayer(config, 0)).eval()
    state, mask = theirs.state_dict(), causal_mask(20)
    ours = load_llama_block(state, HEADS, eps=config.rms_norm_eps)
    x = torch.randn(2, 20, 64, generator=torch.Generator().manual_seed(2))
    hidden = torch.zeros(20, 20).masked_fill(~mask, torch.finfo(torch.float32).min)[None, None]
    with torch.no_grad():
        turns = LlamaRotaryEmbedding(config)(x, torch.arange(20)[None])
        expected = theirs(x, attention_mask=hidden, position_embeddings=turns)
        expected = expected[0] if isinstance(expected, tuple) else expected

        def gap(block: nn.Module) -> float:
            return (block(x, mask) - expected).abs().max().item()

        unsorted = load_llama_block(state, HEADS, eps=config.rms_norm_eps)
        unsorted.w_query.weight.copy_(state["self_attn.q_proj.weight"])
        unsorted.w_key.weight.copy_(state["self_attn.k_proj.weight"])
        tiled = ModernBlock(64, HEADS, HEADS, 128, eps=config.rms_norm_eps)
        weights = ours.state_dict()
        for name in ("w_key.weight", "w_value.weight"):
            weights[name] = weights[name].unflatten(0, (GROUPS, -1)).repeat(HEADS // GROUPS, 1, 1).flatten(0, 1)
        tiled.load_state_dict(weights)
        found = {"halves not sorted into pairs": gap(unsorted), "groups in turns": gap(tiled)}
        return {"gap": gap(ours), "traps": {name: {"gap": size} for name, size in found.items()}}


def main() -> None:
    """Run what is missing in the result file."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import transformers

    results = Results("published_weights", SETTINGS)
    for name, compare in (("GPT-2", gpt2), ("Marian", marian), ("Llama", llama)):
        for weights, change in (("fresh", lambda model: model), ("moved", moved)):
            if not results.has(model=name, weights=weights):
                results.add(model=name, weights=weights, transformers=transformers.__version__, **compare(change))


if __name__ == "__main__":
    main()
