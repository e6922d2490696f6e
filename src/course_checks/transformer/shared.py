"""What the tasks of exercise 10 share: a Transformer of torch's own layers as the oracle."""

import math

import torch
from torch import Tensor, nn

from course_checks.transformer_blocks.decoder_block import Right as TorchDecoderBlock
from course_checks.transformer_blocks.encoder_block import Right as TorchEncoderBlock
from transformer_course.common.tokens import PAD

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
