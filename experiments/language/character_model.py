"""A language model with what has been found since GPT-2, for the best loss that three minutes of a CPU allow.

Chapter 13 builds the plain one (``transformer_course.language_model``). What is different here is the matter of
chapters 17 and 18: rotary positions, RMS norms, normalised queries and keys, two groups of keys, SwiGLU, no biases. One
thing is of this file alone: a position may also look up the last two and the last three tokens together.

Dimension names: ``batch`` texts; ``length`` tokens that are seen at once; ``heads``; ``d_k`` the width of a head.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.validation import require_positive


class CharacterBlock(nn.Module):
    """Attend to what came before, then work on every position by itself; both begin by saying nothing.

    Source: Su et al. (2021) for the rotation, Zhang & Sennrich (2019) for the norm, Ainslie et al. (2023) for the
    groups, Henry et al. (2020) for the norms of queries and keys, Shazeer (2020) for SwiGLU.

    Args:
        d_model: width of the model.
        num_heads: a divisor of d_model.
        num_groups: of keys and values, a divisor of num_heads.
        d_ff: width inside the feed-forward network.
    """

    def __init__(self, d_model: int, num_heads: int, num_groups: int, d_ff: int):
        super().__init__()
        self.num_heads, self.num_groups, self.d_k = num_heads, num_groups, d_model // num_heads
        self.w_input = nn.Linear(d_model, (num_heads + 2 * num_groups) * self.d_k, bias=False)
        self.w_output = nn.Linear(d_model, d_model, bias=False)
        self.w_gate_up = nn.Linear(d_model, 2 * d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
        self.norm_1, self.norm_2 = nn.RMSNorm(d_model), nn.RMSNorm(d_model)
        self.norm_query, self.norm_key = nn.RMSNorm(self.d_k), nn.RMSNorm(self.d_k)
        nn.init.zeros_(self.w_output.weight)
        nn.init.zeros_(self.w_down.weight)

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
        """Pass ``(batch, length, d_model)`` through; cosine and sine are ``(length, d_k / 2)``."""
        parts = self.w_input(self.norm_1(x)).unflatten(-1, (-1, self.d_k)).transpose(1, 2)
        query, key, value = parts.split([self.num_heads, self.num_groups, self.num_groups], dim=1)
        query, key = turn(self.norm_query(query), cosine, sine), turn(self.norm_key(key), cosine, sine)
        repeats = self.num_heads // self.num_groups
        key, value = (each.repeat_interleave(repeats, dim=1) for each in (key, value))  # (batch, heads, length, d_k)
        heads = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.w_output(heads.transpose(1, 2).flatten(2))  # (batch, length, d_model)
        gate, up = self.w_gate_up(self.norm_2(x)).chunk(2, dim=-1)
        return x + self.w_down(F.silu(gate) * up)


class CharacterModel(nn.Module):
    """Say at each position which character comes next.

    Source: as in ``CharacterBlock``; Pagnoni et al. (2024), "Byte Latent Transformer", section 3.2.1, for embeddings of
    the last n bytes together.

    Args:
        vocab_size: number of different characters.
        d_model: width of the model.
        num_heads: a divisor of d_model.
        num_groups: of keys and values, a divisor of num_heads.
        num_layers: number of blocks.
        d_ff: width inside the feed-forward networks.
        max_length: characters that are seen at once.
        num_pairs: rows of the table for the last two characters together; 0 means no such table.
        num_triples: rows of the table for the last three; 0 means no such table.

    Raises:
        ValueError: if a size is not a positive integer.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int = 128,
        num_heads: int = 4,
        num_groups: int = 2,
        num_layers: int = 2,
        d_ff: int = 336,
        max_length: int = 64,
        num_pairs: int = 0,
        num_triples: int = 0,
    ):
        super().__init__()
        for name, size in (("vocab_size", vocab_size), ("num_layers", num_layers), ("max_length", max_length)):
            require_positive(name, size)
        self.vocab_size, self.d_model, self.max_length = vocab_size, d_model, max_length
        self.token = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.token.weight, std=0.5)
        self.together = nn.ModuleList()
        for number in (num_pairs, num_triples):
            table = nn.Embedding(number, d_model) if number else None
            if table is not None:
                nn.init.zeros_(table.weight)
            self.together.append(table)
        self.blocks = nn.ModuleList(CharacterBlock(d_model, num_heads, num_groups, d_ff) for _ in range(num_layers))
        self.norm = nn.RMSNorm(d_model)
        self.output = nn.Linear(d_model, vocab_size, bias=False)
        nn.init.zeros_(self.output.weight)
        half = d_model // num_heads // 2
        angles = torch.arange(max_length).unsqueeze(1) * 10_000.0 ** (-torch.arange(half) / half)  # (max_length, half)
        self.register_buffer("cosine", angles.cos(), persistent=False)
        self.register_buffer("sine", angles.sin(), persistent=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """Give the logits ``(batch, length, vocab_size)`` of token ids ``(batch, length)``."""
        length = tokens.shape[1]
        if length > self.max_length:
            raise ValueError(f"tokens: expected at most max_length = {self.max_length}, got {length}")
        x = self.token(tokens)  # (batch, length, d_model)
        number = tokens
        for back, table in enumerate(self.together, start=1):
            before = F.pad(tokens, (back, 0))[:, :length]  # before the text stands token 0
            number = number * self.vocab_size + before
            if table is not None:
                x = x + table(number * 2_654_435_761 % 1_000_003 % table.num_embeddings)
        for block in self.blocks:
            x = block(x, self.cosine[:length], self.sine[:length])
        return self.output(self.norm(x))


def turn(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Rotate pairs of columns, the first half with the second: ``(..., length, d_k)`` to the same shape."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=-1)
