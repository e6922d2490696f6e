"""GPT-2 and Marian by their definitions, computed straight from state dicts; and random state dicts.

`tests/test_modern_transformer_published.py` compares both with the models of `transformers`.
"""

import torch
from torch import nn
from torch.nn import functional as F

MARIAN_CONFIG = {
    "vocab_size": 23,
    "d_model": 12,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 3,
    "decoder_attention_heads": 3,
    "encoder_ffn_dim": 18,
    "decoder_ffn_dim": 18,
    "max_position_embeddings": 9,
    "activation_function": "swish",
    "scale_embedding": True,
    "pad_token_id": 22,
    "eos_token_id": 0,
    "decoder_start_token_id": 22,
}


def drawn_like(shapes, draw, tables):
    """Draw a tensor for each name: gains around 1, biases that show, matrices that keep the size of what they read."""
    state = {}
    for name, shape in shapes.items():
        numbers = draw(*shape)
        if name in tables:
            state[name] = numbers * tables[name]
        elif len(shape) == 2 and "bias" not in name:
            state[name] = numbers * (1.4 / min(shape) ** 0.5)
        elif name.endswith("weight"):
            state[name] = 1 + 0.3 * numbers
        else:
            state[name] = 0.4 * numbers
    return state


def gpt2_state(draw, vocab_size=29, max_length=10, d_model=12, num_layers=2, d_ff=20):
    """Draw a GPT-2; its tables are small, as those of the published one are, so that eps of the norms shows."""
    shapes = {"transformer.wte.weight": (vocab_size, d_model), "transformer.wpe.weight": (max_length, d_model)}
    for i in range(num_layers):
        block = f"transformer.h.{i}."
        shapes |= {f"{block}ln_{n}.{kind}": (d_model,) for n in (1, 2) for kind in ("weight", "bias")}
        linears = (("attn.c_attn", d_model, 3 * d_model), ("attn.c_proj", d_model, d_model),
                   ("mlp.c_fc", d_model, d_ff), ("mlp.c_proj", d_ff, d_model))  # fmt: skip
        for name, before, behind in linears:
            shapes |= {f"{block}{name}.weight": (before, behind), f"{block}{name}.bias": (behind,)}
    shapes |= {"transformer.ln_f.weight": (d_model,), "transformer.ln_f.bias": (d_model,)}
    return drawn_like(shapes, draw, {"transformer.wte.weight": 0.05, "transformer.wpe.weight": 0.03})


class GPT2(nn.Module):
    """GPT-2 computed from its state dict."""

    def __init__(self, state, num_heads):
        super().__init__()
        self.state = {name.removeprefix("transformer."): tensor.clone() for name, tensor in state.items()}
        self.num_heads, self.max_length = num_heads, len(self.state["wpe.weight"])

    def norm(self, x, name):
        """Normalise."""
        return F.layer_norm(x, x.shape[-1:], self.state[f"{name}.weight"], self.state[f"{name}.bias"], 1e-5)

    def linear(self, x, name):
        """Multiply by a matrix that is stored (in, out)."""
        return x @ self.state[f"{name}.weight"] + self.state[f"{name}.bias"]

    def forward(self, tokens):
        """Say what comes next: ids (batch, length) to logits (batch, length, vocab_size)."""
        x = self.state["wte.weight"][tokens] + self.state["wpe.weight"][: tokens.shape[1]]
        for number in sorted({int(name.split(".")[1]) for name in self.state if name.startswith("h.")}):
            block = f"h.{number}"
            parts = self.linear(self.norm(x, f"{block}.ln_1"), f"{block}.attn.c_attn").chunk(3, -1)
            parts = (part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for part in parts)
            mixed = F.scaled_dot_product_attention(*parts, is_causal=True).transpose(1, 2).flatten(2)
            x = x + self.linear(mixed, f"{block}.attn.c_proj")
            hidden = self.linear(self.norm(x, f"{block}.ln_2"), f"{block}.mlp.c_fc")
            x = x + self.linear(F.gelu(hidden, approximate="tanh"), f"{block}.mlp.c_proj")
        return self.norm(x, "ln_f") @ self.state["wte.weight"].T


def marian_state(draw, config):
    """Draw a Marian of this configuration."""
    d_model, d_ff, vocab_size = config["d_model"], config["encoder_ffn_dim"], config["vocab_size"]
    shapes = {"model.shared.weight": (vocab_size, d_model), "final_logits_bias": (1, vocab_size)}
    for side, attentions in (("encoder", ["self_attn"]), ("decoder", ["self_attn", "encoder_attn"])):
        for i in range(config[f"{side}_layers"]):
            block = f"model.{side}.layers.{i}."
            linears = {
                f"{each}.{part}_proj": (d_model, d_model) for each in attentions for part in ("q", "k", "v", "out")
            }
            linears |= {"fc1": (d_ff, d_model), "fc2": (d_model, d_ff)}
            for name, shape in linears.items():
                shapes |= {f"{block}{name}.weight": shape, f"{block}{name}.bias": shape[:1]}
            for name in (*(f"{each}_layer_norm" for each in attentions), "final_layer_norm"):
                shapes |= {f"{block}{name}.weight": (d_model,), f"{block}{name}.bias": (d_model,)}
    return drawn_like(shapes, draw, {"model.shared.weight": 0.4, "final_logits_bias": 1.0})


class Marian(nn.Module):
    """Marian computed from its state dict."""

    def __init__(self, state, config):
        super().__init__()
        self.state, self.config = {name: x.clone() for name, x in state.items()}, config
        self.bos_id, self.eos_id = config["decoder_start_token_id"], config["eos_token_id"]
        self.max_length = config["max_position_embeddings"]

    def norm(self, x, name):
        """Normalise."""
        return F.layer_norm(x, x.shape[-1:], self.state[f"{name}.weight"], self.state[f"{name}.bias"])

    def linear(self, x, name):
        """Multiply."""
        return F.linear(x, self.state[f"{name}.weight"], self.state[f"{name}.bias"])

    def attend(self, x, y, name, mask=None):
        """Let x attend to y, add and normalise."""
        parts = (self.linear(z, f"{name}.{part}_proj") for z, part in ((x, "q"), (y, "k"), (y, "v")))
        heads = [z.unflatten(-1, (self.config["encoder_attention_heads"], -1)).transpose(1, 2) for z in parts]
        mixed = F.scaled_dot_product_attention(*heads, attn_mask=mask)
        return self.norm(x + self.linear(mixed.transpose(1, 2).flatten(2), f"{name}.out_proj"), f"{name}_layer_norm")

    def embed(self, tokens):
        """Look up, scale, and add positions: sines in the first half, cosines in the second."""
        x = self.state["model.shared.weight"][tokens] * self.config["d_model"] ** 0.5
        steps = 10_000 ** (-torch.arange(0, x.shape[-1], 2, dtype=torch.float64) / x.shape[-1])
        angles = torch.outer(torch.arange(tokens.shape[1], dtype=torch.float64), steps)
        return x + torch.cat([angles.sin(), angles.cos()], -1).to(x.dtype)

    def think(self, x, block):
        """Widen, bend, narrow, add and normalise."""
        bend = {"swish": F.silu, "relu": F.relu, "gelu": F.gelu}[self.config["activation_function"]]
        return self.norm(
            x + self.linear(bend(self.linear(x, f"{block}.fc1")), f"{block}.fc2"), f"{block}.final_layer_norm"
        )

    def forward(self, source, target):
        """Read and write: logits (batch, target_length, vocab_size)."""
        if source.shape[1] > self.max_length:
            raise ValueError(f"source: expected at most {self.max_length} tokens, got {source.shape[1]}")
        memory, mask = self.embed(source), (source != self.config["pad_token_id"])[:, None, None, :]
        for i in range(self.config["encoder_layers"]):
            block = f"model.encoder.layers.{i}"
            memory = self.think(self.attend(memory, memory, f"{block}.self_attn", mask), block)
        x, seen = self.embed(target), torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).tril()
        for i in range(self.config["decoder_layers"]):
            block = f"model.decoder.layers.{i}"
            x = self.attend(x, x, f"{block}.self_attn", seen)
            x = self.think(self.attend(x, memory, f"{block}.encoder_attn", mask), block)
        return x @ self.state["model.shared.weight"].T + self.state["final_logits_bias"]
