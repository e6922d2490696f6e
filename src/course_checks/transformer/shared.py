"""What the tasks of exercise 10 share: a Transformer that can be built with mistakes, and torch's own as oracle."""

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn import functional as F

from transformer_course.common.tokens import PAD
from transformer_course.common.validation import require_mask

UNIT = "transformer"
READY_MADE = ("multi_head_attention_forward", "_transformer_encoder_layer_fwd")


class Embedding(nn.Module):
    """Tokens and positions, as in the task."""

    def __init__(self, vocab_size: int, d_model: int, dropout: float = 0.0, pad_id: int = PAD):
        super().__init__()
        self.token, self.dropout = nn.Embedding(vocab_size, d_model, padding_idx=pad_id), nn.Dropout(dropout)

    def forward(self, tokens: Tensor) -> Tensor:
        """Look up, scale, and add sines and cosines: the imaginary and real parts of e^(i angle)."""
        x, d_model = self.token(tokens), self.token.embedding_dim
        places = torch.arange(tokens.shape[1], dtype=torch.float64)[:, None]
        angles = places * 10_000.0 ** -(torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        waves = torch.view_as_real(torch.polar(torch.ones_like(angles), angles)).flip(-1).flatten(1)[:, :d_model]
        return self.dropout(x * math.sqrt(d_model) + waves.to(x.dtype))


class Attention(nn.Module):
    """Multi-head attention, with the names of exercise 07."""

    def __init__(self, d_model: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        for name in ("query", "key", "value", "output"):
            self.add_module(f"w_{name}", nn.Linear(d_model, d_model))

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None, name: str) -> Tensor:
        """Attend from x to memory; a row without keys gives zeros."""
        query, key, value = (
            projection(y).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for projection, y in ((self.w_query, x), (self.w_key, memory), (self.w_value, memory))
        )
        scores = query @ key.mT / math.sqrt(query.shape[-1])
        mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
        require_mask(mask, tuple(scores.shape), name)
        weights = torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), -1) * mask
        return self.w_output((weights @ value).transpose(1, 2).flatten(-2))


class Block(nn.Module):
    """A block that reads, or one that writes, with the names of exercise 09."""

    def __init__(self, d_model: int, num_heads: int, d_ff: int, dropout: float, norm_first: bool, writes: bool):
        super().__init__()
        self.norm_first, self.writes, self.dropout = norm_first, writes, nn.Dropout(dropout)
        self.self_attention = Attention(d_model, num_heads)
        if writes:
            self.cross_attention = Attention(d_model, num_heads)
        layers = {"linear_1": nn.Linear(d_model, d_ff), "linear_2": nn.Linear(d_ff, d_model)}
        self.feed_forward = nn.ModuleDict(layers)
        for number in range(2 + writes):
            self.add_module(f"norm_{number + 1}", nn.LayerNorm(d_model))

    def forward(self, x: Tensor, mask: Tensor | None, memory: Tensor | None = None, memory_mask=None) -> Tensor:
        """Run the sublayers, each with its norm."""
        steps = [lambda y: self.self_attention(y, y, mask, "self_mask" if self.writes else "mask")]
        if self.writes:
            steps.append(lambda y: self.cross_attention(y, memory, memory_mask, "memory_mask"))
        layers = self.feed_forward
        steps.append(lambda y: layers["linear_2"](self.dropout(F.relu(layers["linear_1"](y)))))
        for number, sublayer in enumerate(steps, start=1):
            norm = self.get_submodule(f"norm_{number}")
            x = x + self.dropout(sublayer(norm(x))) if self.norm_first else norm(x + self.dropout(sublayer(x)))
        return x


class Model(nn.Module):
    """A Transformer with the choices in ``wrong``; without any, it is right."""

    wrong: dict[str, Any] = {}

    def __init__(
        self, source_vocab_size, target_vocab_size, d_model=512, num_heads=8, num_encoder_layers=6,
        num_decoder_layers=6, d_ff=2048, dropout=0.1, norm_first=False, max_length=512, tie_weights=False, pad_id=PAD,
    ):  # fmt: skip
        super().__init__()
        self.pad_id = PAD if self.chose("padding", "fixed") else pad_id
        if self.chose("layers", "exchanged"):
            num_encoder_layers, num_decoder_layers = num_decoder_layers, num_encoder_layers
        num_heads = 1 if self.chose("layers", "one head") else num_heads
        d_ff = 4 * d_model if self.chose("layers", "d_ff") else d_ff
        for side, size in (("source", source_vocab_size), ("target", target_vocab_size)):
            p = 0.0 if self.chose("dropout", f"{side} embedding", "both embeddings", "nowhere") else dropout
            pad = PAD if self.chose("padding", "embeddings", f"{side} embedding") else pad_id
            self.add_module(f"{side}_embedding", Embedding(size, d_model, p, pad))
        for stack, number in (("encoder", num_encoder_layers), ("decoder", num_decoder_layers)):
            p = 0.0 if self.chose("dropout", stack, "both stacks", "nowhere") else dropout
            first = norm_first and not self.chose("norm_first", stack, "both")
            first = first or self.chose("norm_first", f"{stack} always", "always")
            writes = (stack == "decoder") != self.chose(stack, "other blocks")
            blocks = [Block(d_model, num_heads, d_ff, p, first, writes) for _ in range(number)]
            blocks = blocks[:1] * number if self.chose(stack, "one object") else blocks
            setattr(self, f"{stack}_blocks", blocks if self.chose(stack, "plain list") else nn.ModuleList(blocks))
            last = self.chose("last norms", "always") or (norm_first and not self.chose("last norms", "never"))
            self.add_module(f"{stack}_norm", nn.LayerNorm(d_model) if last else nn.Identity())
        self.output_layer = nn.Linear(d_model, target_vocab_size, bias=not self.chose("output", "no bias"))
        self._tie(tie_weights or self.chose("tie", "always"), source_vocab_size == target_vocab_size)

    def chose(self, dimension: str, *choices: str) -> bool:
        """Say whether one of these choices was made."""
        return self.wrong.get(dimension) in choices

    def _tie(self, wanted: bool, equal: bool) -> None:
        if not wanted or self.chose("tie", "never"):
            return
        table = self.target_embedding.token
        if self.chose("tie", "copied"):
            self.output_layer.weight.data = table.weight.data.clone()
        else:
            self.output_layer.weight = table.weight
        if (equal and not self.chose("tie", "not the source")) or self.chose("tie", "source too"):
            self.source_embedding.token.weight = table.weight

    def _embed(self, side: str, tokens: Tensor) -> Tensor:
        embedding = self.get_submodule(f"{side}_embedding")
        x, table, scale = embedding(tokens), embedding.token(tokens), embedding.token.embedding_dim**0.5
        if self.chose("positions", side, "both"):
            x = table
        elif self.chose("positions", f"{side} scaled", "both scaled"):
            x = table * scale
        elif self.chose("positions", "not scaled"):
            x = x - table * scale + table
        return F.dropout(x, 0.5) if self.chose("dropout", "always") else x

    def _order(self, stack: str) -> list[nn.Module]:
        blocks = list(getattr(self, f"{stack}_blocks"))
        blocks = blocks[::-1] if self.chose(stack, "backwards") else blocks
        return blocks[:1] if self.chose(stack, "first only") else blocks

    def _last(self, stack: str, x: Tensor) -> Tensor:
        return x if self.chose("last norms", f"{stack} not called", "not called") else getattr(self, f"{stack}_norm")(x)

    def encode(self, source: Tensor) -> Tensor:
        """Read."""
        mask = {
            "no mask": None, "inverted": ~visible(source, self.pad_id),
            "causal": visible(source, self.pad_id) & causal(source),
        }.get(self.wrong.get("reading"), visible(source, self.pad_id))  # fmt: skip
        x = start = self._embed("source", source)
        self.said = []
        for block in self._order("encoder"):
            x = block(start if self.chose("encoder", "not chained") else x, mask)
            self.said.append(x)
        return self._last("encoder", x)

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Write."""
        future = self.wrong.get("future", "")
        real, look = causal(target) & visible(target, self.pad_id), visible(source, self.pad_id)
        mask = {
            "none": None, "padding": visible(target, self.pad_id), "inverted": ~causal(target),
            "transposed": causal(target).mT, "one ahead": causal(target, 1), "strict": causal(target, -1),
        }.get(future.removesuffix(" and padding"), real)  # fmt: skip
        mask = mask & visible(target, self.pad_id) if future.endswith(" and padding") else mask
        narrow = torch.ones(target.shape[1], source.shape[1], dtype=torch.bool).tril()
        memory_mask = {
            "no mask": None, "inverted": ~look, "causal": look & narrow, "target": visible(target, self.pad_id),
            "causal mask": causal(target), "self mask": real, "exchanged": real,
            "target where it fits": visible(target if target.shape == source.shape else source, self.pad_id),
        }.get(self.wrong.get("looking"), look)  # fmt: skip
        mask = look if self.chose("looking", "exchanged") else mask
        memory = self.encode(source) if self.chose("memory", "read again") else memory
        x = start = self._embed("target", target)
        for number, block in enumerate(self._order("decoder")):
            read = self.said[min(number, len(self.said) - 1)] if self.chose("memory", "of each layer") else memory
            x = block(start if self.chose("decoder", "not chained") else x, mask, read, memory_mask)
        logits = self.output_layer(self._last("decoder", x))
        logits = logits[:, -1] if self.chose("output", "last position") else logits
        names = {"softmax": torch.softmax, "log_softmax": torch.log_softmax}
        return names[self.wrong["output"]](logits, -1) if self.chose("output", *names) else logits

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Read, then write."""
        if self.chose("memory", "exchanged"):
            return self.decode(source, self.encode(target), target)
        memory = self._embed("source", source) if self.chose("memory", "embedding") else self.encode(source)
        memory = memory.detach() if self.chose("memory", "detached") else memory
        if self.chose("memory", "kept"):
            kept = getattr(self, "kept", None)
            self.kept = memory = memory.detach() if kept is None or kept.shape != memory.shape else kept
        return self.decode(target, memory, source)


class Right(Model):
    """The same parameters, run by torch's own layers."""

    def encode(self, source: Tensor) -> Tensor:
        """Read."""
        x = self.source_embedding(source)
        for block in self.encoder_blocks:
            x = by_torch(block, x, src_key_padding_mask=source == self.pad_id)
        return self.encoder_norm(x)

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Write."""
        later = nn.Transformer.generate_square_subsequent_mask(target.shape[1]).isinf()
        x = self.target_embedding(target)
        for block in self.decoder_blocks:
            x = by_torch(block, x, memory, tgt_mask=later, memory_key_padding_mask=source == self.pad_id)
        return self.output_layer(self.decoder_norm(x))


def by_torch(block: Block, *inputs: Tensor, **masks: Tensor) -> Tensor:
    """Run ``nn.TransformerEncoderLayer`` or ``nn.TransformerDecoderLayer`` with the weights of a block."""
    names, attentions = block.feed_forward, [("self_attn", block.self_attention)]
    kind = nn.TransformerDecoderLayer if block.writes else nn.TransformerEncoderLayer
    d_ff, d_model = names["linear_1"].weight.shape
    layer = kind(d_model, block.self_attention.num_heads, d_ff, block.dropout.p, batch_first=True,
                 norm_first=block.norm_first, device="meta").train(block.training)  # fmt: skip
    layer.self_attn.dropout = 0.0  # torch drops attention weights too, the paper does not
    if block.writes:
        attentions.append(("multihead_attn", block.cross_attention))
        layer.multihead_attn.dropout = 0.0
    weights = {}
    for kind in ("weight", "bias"):
        for name, attention in attentions:
            parts = [getattr(each, kind) for each in (attention.w_query, attention.w_key, attention.w_value)]
            weights[f"{name}.in_proj_{kind}"] = torch.cat(parts)
            weights[f"{name}.out_proj.{kind}"] = getattr(attention.w_output, kind)
        for number in (1, 2, 3)[: 2 + block.writes]:
            weights[f"norm{number}.{kind}"] = getattr(block.get_submodule(f"norm_{number}"), kind)
        for number in (1, 2):
            weights[f"linear{number}.{kind}"] = getattr(names[f"linear_{number}"], kind)
    return functional_call(layer, weights, inputs, masks)


def visible(tokens: Tensor, pad_id: int) -> Tensor:
    """Say which keys are no padding: ``(batch, 1, 1, length)``."""
    return (tokens != pad_id)[:, None, None]


def causal(tokens: Tensor, diagonal: int = 0) -> Tensor:
    """Let each position see those up to itself, or up to another diagonal."""
    return torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool).tril(diagonal)
