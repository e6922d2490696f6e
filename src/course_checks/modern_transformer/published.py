"""GPT-2 and Marian by their definitions, computed straight from state dicts; and random state dicts.

`tests/test_modern_transformer_published.py` compares both with the models of `transformers`.
"""

import torch
from torch import nn
from torch.nn import functional as F

GPT2_SIZES = {"vocab_size": 29, "max_length": 10, "d_model": 12, "num_layers": 2, "d_ff": 20}
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
    """GPT-2 computed from its state dict, with the choices in ``wrong``; without any, it is right."""

    def __init__(self, state, num_heads, wrong):
        super().__init__()
        self.state = {name.removeprefix("transformer."): tensor.clone() for name, tensor in state.items()}
        self.num_heads, self.wrong = num_heads, wrong
        self.max_length = len(self.state["wpe.weight"])

    def chose(self, dimension, *choices):
        """Say whether one of these choices was made."""
        return self.wrong.get(dimension) in choices

    def norm(self, x, name):
        """Normalise."""
        weight, bias = self.state[f"{name}.weight"], self.state[f"{name}.bias"]
        forgotten = self.chose("norms", "shifts") or (name != "ln_f" and self.chose("biases", "none at all"))
        bias = bias * 0 if forgotten else bias
        if self.chose("norms", "none") or (name != "ln_f" and self.chose("norms", "blocks")):
            weight, bias = torch.ones_like(weight), torch.zeros_like(bias)
        eps = {"1e-12": 1e-12, "1e-6": 1e-6}.get(self.wrong.get("eps"), 1e-5)
        if name == "ln_f" and self.chose("norms", "ln_f"):
            return F.layer_norm(x, x.shape[-1:], eps=eps)
        weight = torch.ones_like(weight) if self.chose("norms", "gains") else weight
        return F.layer_norm(x, x.shape[-1:], weight, bias, eps)

    def linear(self, x, name):
        """Multiply by a matrix that is stored (in, out)."""
        weight, bias = self.state[f"{name}.weight"], self.state[f"{name}.bias"]
        if name.endswith("attn.c_proj") and self.chose("transposed", "not c_proj", "neither", "reshaped"):
            weight = weight.T
        if name.endswith("attn.c_attn") and self.chose("transposed", "not c_attn", "neither", "reshaped"):
            weight = torch.cat([piece.T for piece in weight.chunk(3, -1)], -1)
        if name.endswith("attn.c_attn") and self.chose("thirds", "reshaped"):
            weight = torch.cat(list(weight.reshape(3, len(weight), len(weight))), -1)
        if ".mlp." in name and self.chose("transposed", "reshaped"):
            weight = weight.reshape(weight.shape[::-1]).T
        bias = bias * 0 if self.chose("biases", "none", "none at all", name.split(".")[-1]) else bias
        return x @ weight + bias

    def attend(self, x, block):
        """Attend in all heads."""
        found = self.linear(x, f"{block}.attn.c_attn")
        heads = int(self.wrong["heads"]) if self.chose("heads", "1", "2", "4") else self.num_heads
        if self.chose("thirds", "per head"):
            parts = found.unflatten(-1, (heads, 3, -1)).transpose(1, 2).unbind(3)
        else:
            parts = [part.unflatten(-1, (heads, -1)).transpose(1, 2) for part in found.chunk(3, -1)]
        orders = {"v, k, q": (2, 1, 0), "k, q, v": (1, 0, 2), "q, v, k": (0, 2, 1)}
        query, key, value = (parts[i] for i in orders.get(self.wrong.get("thirds"), (0, 1, 2)))
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.linear(mixed.transpose(1, 2).flatten(2), f"{block}.attn.c_proj")

    def think(self, x, block):
        """Widen, bend, narrow."""
        hidden = self.linear(x, f"{block}.mlp.c_fc")
        bend = {"exact": F.gelu, "relu": F.relu}.get(self.wrong.get("gelu"))
        return self.linear(bend(hidden) if bend else F.gelu(hidden, approximate="tanh"), f"{block}.mlp.c_proj")

    def forward(self, tokens):
        """Say what comes next: ids (batch, length) to logits (batch, length, vocab_size)."""
        x = self.state["wte.weight"][tokens] + self.state["wpe.weight"][: tokens.shape[1]]
        numbers = sorted({int(name.split(".")[1]) for name in self.state if name.startswith("h.")})
        order = {"sorted": sorted(numbers, key=str), "backwards": numbers[::-1], "first": [0] * len(numbers)}
        first, second = ("ln_2", "ln_1") if self.chose("norms", "exchanged") else ("ln_1", "ln_2")
        for number in order.get(self.wrong.get("layers"), numbers):
            block = f"h.{number}"
            x = x + self.attend(self.norm(x, f"{block}.{first}"), block)
            x = x + self.think(self.norm(x, f"{block}.{second}"), block)
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
    """Marian computed from its state dict, with the choices in ``wrong``; without any, it is right."""

    def __init__(self, state, config, wrong):
        super().__init__()
        self.state, self.config, self.wrong = {name: x.clone() for name, x in state.items()}, config, wrong
        starts = {"eos": config["eos_token_id"], "bos": 1}
        self.bos_id = starts.get(wrong.get("start"), config["decoder_start_token_id"])
        self.eos_id = 2 if wrong.get("end") == "own" else config["eos_token_id"]
        if wrong.get("ends") == "exchanged":
            self.bos_id, self.eos_id = self.eos_id, self.bos_id
        self.pad_id = 0 if wrong.get("padding") == "own" else config["pad_token_id"]
        self.max_length = config["max_position_embeddings"]

    def norm(self, x, name):
        """Normalise."""
        return F.layer_norm(x, x.shape[-1:], self.state[f"{name}.weight"], self.state[f"{name}.bias"])

    def linear(self, x, name):
        """Multiply."""
        return F.linear(x, self.state[f"{name}.weight"], self.state[f"{name}.bias"])

    def attend(self, x, y, name, mask=None):
        """Let x attend to y."""
        parts = (self.linear(z, f"{name}.{part}_proj") for z, part in ((x, "q"), (y, "k"), (y, "v")))
        heads = [z.unflatten(-1, (self.config["encoder_attention_heads"], -1)).transpose(1, 2) for z in parts]
        mixed = F.scaled_dot_product_attention(*heads, attn_mask=mask)
        return self.linear(mixed.transpose(1, 2).flatten(2), f"{name}.out_proj")

    def embed(self, tokens, side):
        """Look up, scale, and add positions: sines in the first half, cosines in the second."""
        x = self.state["model.shared.weight"][tokens]
        d, wrong = x.shape[-1], self.wrong
        x = x * {"none": 1.0, "twice": d, "table": d}.get(wrong.get("scale"), d**0.5)
        places = torch.arange(tokens.shape[1], dtype=torch.float64) + (wrong.get("positions") == "from 2") * 2
        angles = torch.outer(places, 10_000 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d))
        columns = (
            [angles.cos(), angles.sin()] if wrong.get("positions") == "cosines first" else [angles.sin(), angles.cos()]
        )
        in_turn = wrong.get("positions") in ("interleaved", f"not {side}")
        encoding = torch.stack(columns, -1).flatten(-2) if in_turn else torch.cat(columns, -1)
        encoding = 0 * encoding if wrong.get("positions") == "none" else encoding
        return x + encoding.to(x.dtype)

    def bend(self, x):
        """Bend what stands inside the feed-forward network."""
        known = {"swish": F.silu, "silu": F.silu, "relu": F.relu, "gelu": F.gelu}
        name = self.wrong.get("activation") or self.config["activation_function"]
        return known[name](x)

    def think(self, x, block):
        """Widen, bend, narrow."""
        return self.linear(self.bend(self.linear(x, f"{block}.fc1")), f"{block}.fc2")

    def _mask(self, source):
        return None if self.wrong.get("padding") == "none" else (source != self.pad_id)[:, None, None, :]

    def encode(self, source):
        """Read."""
        if source.shape[1] > self.max_length:
            raise ValueError(f"source: expected at most {self.max_length} tokens, got {source.shape[1]}")
        x, mask = self.embed(source, "source"), self._mask(source)
        for i in range(self.config["encoder_layers"]):
            block = f"model.encoder.layers.{i}"
            x = self.norm(x + self.attend(x, x, f"{block}.self_attn", mask), f"{block}.self_attn_layer_norm")
            x = self.norm(x + self.think(x, block), f"{block}.final_layer_norm")
        return x

    def decode(self, target, memory, source):
        """Write."""
        x, mask, seen = self.embed(target, "target"), self._mask(source), target.shape[1]
        seen = torch.ones(seen, seen, dtype=torch.bool).tril()
        if self.wrong.get("target") == "hidden":
            seen = seen & (target != self.pad_id)[:, None, None, :]
        for i in range(self.config["decoder_layers"]):
            block = f"model.decoder.layers.{i}"
            x = self.norm(x + self.attend(x, x, f"{block}.self_attn", seen), f"{block}.self_attn_layer_norm")
            looked = self.attend(x, memory, f"{block}.encoder_attn", mask)
            x = self.norm(x + looked, f"{block}.encoder_attn_layer_norm")
            x = self.norm(x + self.think(x, block), f"{block}.final_layer_norm")
        bias = self.state["final_logits_bias"] * (self.wrong.get("output") != "no bias")
        table = self.state["model.shared.weight"]
        power = {"divided": -0.5, "table": 0.5, "output": 0.5}.get(self.wrong.get("scale"), 0)
        return x @ (table * table.shape[1] ** power).T + bias

    def forward(self, source, target):
        """Read and write: logits (batch, target_length, vocab_size)."""
        return self.decode(target, self.encode(source), source)
