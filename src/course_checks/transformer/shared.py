"""What the tasks of exercise 10 share: a Transformer of torch's own layers as the oracle."""

import math

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn import functional as F

from course_checks.transformer_blocks.decoder_block import Right as TorchDecoderBlock
from course_checks.transformer_blocks.encoder_block import Right as TorchEncoderBlock
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


class Right(nn.Module):
    """A Transformer of torch's own layers, under the names of the task."""

    def __init__(
        self, source_vocab_size, target_vocab_size, d_model=512, num_heads=8, num_encoder_layers=6,
        num_decoder_layers=6, d_ff=2048, dropout=0.1, norm_first=False, max_length=512, tie_weights=False, pad_id=PAD,
    ):  # fmt: skip
        super().__init__()
        self.pad_id, block = pad_id, (d_model, num_heads, d_ff, dropout, "relu", norm_first)
        self.source_embedding, self.target_embedding = (
            Embedding(size, d_model, dropout, pad_id) for size in (source_vocab_size, target_vocab_size)
        )
        self.encoder_blocks = nn.ModuleList(TorchEncoderBlock(*block) for _ in range(num_encoder_layers))
        self.decoder_blocks = nn.ModuleList(TorchDecoderBlock(*block) for _ in range(num_decoder_layers))
        self.encoder_norm, self.decoder_norm = (nn.LayerNorm(d_model) if norm_first else nn.Identity() for _ in "ed")
        self.output_layer, table = nn.Linear(d_model, target_vocab_size), self.target_embedding.token
        for tied in [self.output_layer, self.source_embedding.token] if tie_weights else []:
            tied.weight = table.weight if tied.weight.shape == table.weight.shape else tied.weight

    def encode(self, source: Tensor) -> Tensor:
        """Read."""
        x = self.source_embedding(source)
        for block in self.encoder_blocks:
            x = block(x, (source != self.pad_id)[:, None, None])
        return self.encoder_norm(x)

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Write."""
        x = self.target_embedding(target)
        for block in self.decoder_blocks:
            x = block(x, memory, causal(target), (source != self.pad_id)[:, None, None])
        return self.output_layer(self.decoder_norm(x))

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Read, then write."""
        return self.decode(target, self.encode(source), source)


def causal(tokens: Tensor, diagonal: int = 0) -> Tensor:
    """Let each position see those up to itself, or up to another diagonal."""
    return torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool).tril(diagonal)


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
