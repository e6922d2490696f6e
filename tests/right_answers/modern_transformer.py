"""Right answers to exercise 18 in unusual forms: loops, complex numbers, other orders of the same steps.

A function or class belongs to the task that its name begins with, up to two underscores in a row.
"""

import cmath
import math

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.common.validation import (
    require_divisor,
    require_even,
    require_features,
    require_floating,
    require_mask,
    require_positive_number,
    require_shape,
)
from transformer_course.language_model import LanguageModel
from transformer_course.positional_encoding import sinusoidal_encoding
from transformer_course.published.marian_transformer import MarianTransformer
from transformer_course.published.names import (
    gpt2_shapes,
    marian_blocks,
    marian_shapes,
    require_marian_config,
    require_state,
)


def _require_norm(x, weight):
    require_shape("weight", weight, ("d_model",))
    require_features("x", x, weight.shape[0])


def rms_norm__length(x, weight, eps=1e-6):
    """Divide by the length of the vector, and by the root of d_model."""
    _require_norm(x, weight)
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return weight * x * (length**2 / x.shape[-1] + eps) ** -0.5


def rms_norm__einsum(x, weight, eps=1e-6):
    """Let einsum add up the squares; the gain is multiplied in beforehand, but not squared."""
    _require_norm(x, weight)
    total = torch.einsum("...d,...d->...", x, x)
    return (x * weight) * torch.rsqrt(total / len(weight) + eps).unsqueeze(-1)


def _require_rotation(x, positions, base):
    require_floating("x", x)
    require_even("d of x", x.shape[-1])
    require_shape("positions", positions, (x.shape[-2],))
    require_positive_number("base", base)


def rotate__complex_numbers(x, positions, base=10_000.0):
    """Take each pair as a complex number, one column at a time."""
    _require_rotation(x, positions, base)
    d, columns = x.shape[-1], []
    for i in range(d // 2):
        turns = [cmath.exp(1j * float(p) * base ** (-2 * i / d)) for p in positions]
        turned = torch.complex(x[..., 2 * i].double(), x[..., 2 * i + 1].double()) * torch.tensor(
            turns, dtype=torch.complex128
        )
        columns += [turned.real, turned.imag]
    return torch.stack(columns, -1).to(x.dtype) if columns else x.clone()


def rotate__matrices(x, positions, base=10_000.0):
    """Multiply each row by a matrix of its own."""
    _require_rotation(x, positions, base)
    d = x.shape[-1]
    frequencies = torch.tensor([base ** (-2 * i / d) for i in range(d // 2)])
    angles = (positions.float().unsqueeze(-1) * frequencies).repeat_interleave(2, -1)  # (length, d)
    partner = torch.arange(d) ^ 1
    sign = torch.tensor([-1.0, 1.0]).repeat(d // 2)
    matrices = torch.diag_embed(angles.cos()) + torch.zeros(len(positions), d, d).index_put(
        (torch.arange(len(positions))[:, None], torch.arange(d), partner), angles.sin() * sign
    )
    return torch.einsum("lij,...lj->...li", matrices.to(x.dtype), x)


def _require_gates(x, w_gate, w_up, w_down):
    require_shape("w_gate", w_gate, ("d_ff", "d_model"))
    require_features("x", x, w_gate.shape[1])
    require_shape("w_up", w_up, tuple(w_gate.shape))
    require_shape("w_down", w_down, tuple(w_gate.shape)[::-1])


def swiglu__one_product(x, w_gate, w_up, w_down):
    """Multiply by both matrices at once, and cut the result."""
    _require_gates(x, w_gate, w_up, w_down)
    gate, up = F.linear(x, torch.cat([w_gate, w_up])).chunk(2, -1)
    return F.linear(gate * torch.sigmoid(gate) * up, w_down)


def swiglu__units_one_by_one(x, w_gate, w_up, w_down):
    """Add up what each hidden unit says."""
    _require_gates(x, w_gate, w_up, w_down)
    result = torch.zeros_like(x)
    for gate, up, down in zip(w_gate, w_up, w_down.mT, strict=True):
        z = (x * gate).sum(-1, keepdim=True)
        result = result + z / (1 + (-z).exp()) * (x * up).sum(-1, keepdim=True) * down
    return result


class _Block(nn.Module):
    """The layers, made in a loop."""

    def __init__(self, d_model, num_heads, num_groups, d_ff, qk_norm=False):
        super().__init__()
        require_divisor("num_heads", num_heads, "d_model", d_model)
        require_divisor("num_groups", num_groups, "num_heads", num_heads)
        require_even("d_model / num_heads", d_model // num_heads)
        d_k = d_model // num_heads
        self.heads, self.groups, self.d_k = num_heads, num_groups, d_k
        for name, before, behind in (
            ("w_down", d_ff, d_model), ("w_up", d_model, d_ff), ("w_gate", d_model, d_ff),
            ("w_output", d_model, d_model), ("w_value", d_model, num_groups * d_k),
            ("w_key", d_model, num_groups * d_k), ("w_query", d_model, d_model),
        ):  # fmt: skip
            self.add_module(name, nn.Linear(before, behind, bias=False))
        for name, width in (("norm_2", d_model), ("norm_1", d_model), ("norm_key", d_k), ("norm_query", d_k)):
            if qk_norm or width != d_k or name in ("norm_1", "norm_2"):
                self.add_module(name, nn.RMSNorm(width, eps=1e-6))

    def _check(self, x, mask, positions):
        require_shape("x", x, ("batch", "length", self.heads * self.d_k))
        if mask is not None:
            require_mask(mask, (x.shape[0], self.heads, x.shape[1], x.shape[1]))
        positions = torch.arange(x.shape[1]) if positions is None else positions
        require_shape("positions", positions, (x.shape[1],))
        return positions


class ModernBlock__torchs_attention(_Block):
    """Let torch attend, with its own switch for groups."""

    def forward(self, x, mask=None, positions=None):
        """Attend, then think."""
        positions = self._check(x, mask, positions)
        parts = []
        for name, number in (("query", self.heads), ("key", self.groups), ("value", self.groups)):
            part = self.get_submodule(f"w_{name}")(self.norm_1(x)).unflatten(-1, (number, self.d_k)).movedim(2, 1)
            if hasattr(self, f"norm_{name}"):
                part = self.get_submodule(f"norm_{name}")(part)
            parts.append(part if name == "value" else rotate__complex_numbers(part, positions))
        mask = mask if mask is None else mask[(None,) * (4 - mask.dim())]
        mixed = F.scaled_dot_product_attention(*parts, attn_mask=mask, enable_gqa=True)
        x = x + self.w_output(torch.cat(mixed.unbind(1), -1))
        y = self.norm_2(x)
        return self.w_down(F.silu(self.w_gate(y)) * self.w_up(y)).add(x)


class ModernBlock__heads_one_by_one(_Block):
    """Go through the heads in a loop; queries and keys turn by matrices."""

    def forward(self, x, mask=None, positions=None):
        """Attend head by head."""
        positions = self._check(x, mask, positions)
        batch, length, _ = x.shape
        allowed = torch.ones(1, dtype=torch.bool) if mask is None else mask
        allowed = allowed.expand(batch, self.heads, length, length)
        y, mixed = rms_norm__einsum(x, self.norm_1.weight), []
        for head in range(self.heads):
            group = head // (self.heads // self.groups)
            rows, shared = (slice(i * self.d_k, (i + 1) * self.d_k) for i in (head, group))
            query, key = y @ self.w_query.weight[rows].T, y @ self.w_key.weight[shared].T
            if hasattr(self, "norm_key"):
                query, key = self.norm_query(query), self.norm_key(key)
            query, key = rotate__matrices(query, positions), rotate__matrices(key, positions)
            scores = torch.baddbmm(torch.zeros((), dtype=x.dtype), query, key.mT, alpha=1 / math.sqrt(self.d_k))
            weights = scores.masked_fill(~allowed[:, head], -math.inf).softmax(-1)
            mixed.append(weights @ (y @ self.w_value.weight[shared].T))
        x = x + torch.cat(mixed, -1) @ self.w_output.weight.T
        gates = (self.w_gate.weight, self.w_up.weight, self.w_down.weight)
        return x + swiglu__one_product(rms_norm__length(x, self.norm_2.weight), *gates)


def load_gpt2__parameter_by_parameter(state, num_heads):
    """Copy into the layers of the model, in the order of the blocks."""
    require_state(state, gpt2_shapes(state))
    tables = [state[f"transformer.{name}.weight"] for name in ("wte", "wpe")]
    numbers = {int(name.split(".")[2]) for name in state if ".h." in name}
    d_ff = len(state["transformer.h.0.mlp.c_fc.bias"])
    model = LanguageModel(len(tables[0]), tables[0].shape[1], num_heads, len(numbers), d_ff, len(tables[1]))
    with torch.no_grad():
        model.token.weight.set_(tables[0].clone())
        model.position.weight.copy_(tables[1])
        model.norm.weight.copy_(state["transformer.ln_f.weight"])
        model.norm.bias.copy_(state["transformer.ln_f.bias"])
        for number, block in enumerate(model.blocks):
            block.feed_forward.activation = "gelu_tanh"
            found = {name.split(f"h.{number}.")[1]: x for name, x in state.items() if f".h.{number}." in name}
            attention, d_model = block.self_attention, tables[0].shape[1]
            for i, layer in enumerate((attention.w_query, attention.w_key, attention.w_value)):
                layer.weight.copy_(found["attn.c_attn.weight"][:, i * d_model : (i + 1) * d_model].T)
                layer.bias.copy_(found["attn.c_attn.bias"][i * d_model : (i + 1) * d_model])
            for name, layer in (("attn.c_proj", attention.w_output), ("mlp.c_fc", block.feed_forward.linear_1),
                                ("mlp.c_proj", block.feed_forward.linear_2)):  # fmt: skip
                layer.load_state_dict({"weight": found[f"{name}.weight"].mT, "bias": found[f"{name}.bias"]})
            for name, layer in (("ln_1", block.norm_1), ("ln_2", block.norm_2)):
                layer.weight.copy_(found[f"{name}.weight"])
                layer.bias.copy_(found[f"{name}.bias"])
    return model


class _Tanh(nn.Module):
    """GELU's approximation as it was published, and the two layers around it."""

    def __init__(self, first, second):
        super().__init__()
        self.first, self.second = first, second

    def forward(self, x):
        """Widen, bend, narrow."""
        z = self.first(x)
        return self.second(0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3))))


def load_gpt2__own_network(state, num_heads):
    """Fill a model by rules for names, and put networks of its own into the blocks."""
    require_state(state, gpt2_shapes(state))
    vocab_size, d_model = state["transformer.wte.weight"].shape
    num_layers = 1 + max(int(name.split(".")[2]) for name in state if name.startswith("transformer.h."))
    d_ff, max_length = state["transformer.h.0.mlp.c_fc.weight"].shape[1], state["transformer.wpe.weight"].shape[0]
    model = LanguageModel(vocab_size, d_model, num_heads, num_layers, d_ff, max_length)
    rules = {"transformer.h.": "blocks.", "transformer.wte": "token", "transformer.wpe": "position",
             "transformer.ln_f": "norm", ".ln_": ".norm_", "attn.c_proj": "self_attention.w_output",
             "mlp.c_fc": "feed_forward.linear_1", "mlp.c_proj": "feed_forward.linear_2"}  # fmt: skip
    renamed = {}
    for name, x in state.items():
        tensor = x.T if x.dim() == 2 and ".h." in name else x
        for theirs, ours in rules.items():
            name = name.replace(theirs, ours)
        if "c_attn" in name:
            for part, rows in zip(("query", "key", "value"), tensor.unflatten(0, (3, d_model)), strict=True):
                renamed[name.replace("attn.c_attn", f"self_attention.w_{part}")] = rows
        else:
            renamed[name] = tensor
    model.load_state_dict(renamed, strict=True)
    for block in model.blocks:
        block.feed_forward = _Tanh(block.feed_forward.linear_1, block.feed_forward.linear_2)
    return model


def _empty_marian(state, config):
    require_marian_config(config)
    require_state(state, marian_shapes(config))
    sizes = [config[name] for name in ("d_model", "encoder_attention_heads", "encoder_layers", "decoder_layers")]
    return MarianTransformer(
        config["vocab_size"], config["vocab_size"], *sizes, config["encoder_ffn_dim"], 0.0,
        max_length=config["max_position_embeddings"], pad_id=config["pad_token_id"],
    )  # fmt: skip


def load_marian__not_tied(state, config):
    """Fill three tables, and set the activation block by block."""
    model = _empty_marian(state, config)
    blocks = marian_blocks(state, config)
    for block in (*model.encoder_blocks, *model.decoder_blocks):
        block.feed_forward.activation = "silu"
    missing, surplus = model.load_state_dict(blocks, strict=False)
    assert not surplus
    with torch.no_grad():
        for name in missing:
            is_bias = name.endswith("bias")
            model.get_parameter(name).copy_(state["final_logits_bias"][0] if is_bias else state["model.shared.weight"])
        for side in (model.source_embedding, model.target_embedding):
            mixed = sinusoidal_encoding(model.max_length, model.d_model)
            order = torch.arange(model.d_model).view(-1, 2).T.flatten()
            side.encoding.copy_(mixed[:, order])
    model.bos_id, model.eos_id = model.pad_id, config["eos_token_id"]
    return model


class _Bend(nn.Module):
    """SiLU by its formula, between the two layers of a network."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        """Widen, bend, narrow."""
        z = self.network.linear_1(x)
        return self.network.linear_2(z / (1 + torch.exp(-z)))


def load_marian__sines_by_hand(state, config):
    """Compute sines and cosines number by number, and put networks of its own into the blocks."""
    model = _empty_marian(state, config)
    table, d_model = state["model.shared.weight"], config["d_model"]
    names = ("source_embedding.token.weight", "target_embedding.token.weight", "output_layer.weight")
    model.load_state_dict(marian_blocks(state, config) | dict.fromkeys(names, table) | {
        "output_layer.bias": state["final_logits_bias"].flatten()
    })  # fmt: skip
    rows = []
    for p in range(model.max_length):
        angles = [p / 10_000 ** (2 * i / d_model) for i in range(d_model // 2)]
        rows.append([math.sin(a) for a in angles] + [math.cos(a) for a in angles])
    model.source_embedding.encoding = torch.tensor(rows)
    model.target_embedding.encoding = torch.tensor(rows)
    for block in [*model.decoder_blocks, *model.encoder_blocks]:
        block.feed_forward = _Bend(block.feed_forward)
    model.eos_id, model.bos_id = config["eos_token_id"], config["decoder_start_token_id"]
    return model


def fixed_rows__view(rows, num_heads):
    """Exchange two dimensions."""
    return rows.unflatten(0, (num_heads, 2, -1)).transpose(1, 2).reshape(rows.shape)


def fixed_rows__places(rows, num_heads):
    """Choose each row by its number."""
    d_k = len(rows) // num_heads
    return rows[[n // d_k * d_k + n % d_k // 2 + n % 2 * (d_k // 2) for n in range(len(rows))]]


def cached_step__torchs_attention(block, x, cache):
    """Let torch attend; a list for a pair."""
    length = cache[0].size(2) if cache else 0
    y, kept = block.norm_1(x), []
    query = block.w_query(y).unflatten(-1, (block.num_heads, block.d_k)).transpose(1, 2)
    query = rotate__complex_numbers(query, torch.tensor([length]))
    for name in ("key", "value"):
        new = block.get_submodule(f"w_{name}")(y).view(len(x), 1, block.num_groups, block.d_k).transpose(1, 2)
        kept.append(rotate__complex_numbers(new, torch.tensor([length])) if name == "key" else new)
    if cache:
        kept = [torch.cat(pair, 2) for pair in zip(cache, kept, strict=True)]
    mixed = F.scaled_dot_product_attention(query, *kept, enable_gqa=True)
    x = x + block.w_output(mixed.transpose(1, 2).flatten(2))
    y = block.norm_2(x)
    return [x + block.w_down(F.silu(block.w_gate(y)) * block.w_up(y)), kept]


def cached_step__head_by_head(block, x, cache):
    """Go through the heads."""
    place = torch.tensor([0 if cache is None else cache[0].shape[-2]])
    y, mixed = rms_norm__length(x, block.norm_1.weight), []
    key = torch.stack([rotate__matrices(k, place) for k in block.w_key(y).chunk(block.num_groups, -1)], 1)
    value = torch.stack(block.w_value(y).chunk(block.num_groups, -1), 1)
    if cache is not None:
        key, value = torch.cat((cache[0], key), -2), torch.cat((cache[1], value), -2)
    for head, query in enumerate(block.w_query(y).chunk(block.num_heads, -1)):
        group = head * block.num_groups // block.num_heads
        weights = (rotate__matrices(query, place) @ key[:, group].mT * block.d_k**-0.5).softmax(-1)
        mixed.append(weights @ value[:, group])
    x = block.w_output(torch.cat(mixed, -1)) + x
    gates = (block.w_gate.weight, block.w_up.weight, block.w_down.weight)
    return swiglu__units_one_by_one(rms_norm__einsum(x, block.norm_2.weight), *gates) + x, (key, value)
