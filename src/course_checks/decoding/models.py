"""The toy models that the checks of exercise 11 hand to the learner's functions."""

import torch
from torch import Tensor, nn

from transformer_course.common.tokens import BOS, EOS, PAD


class Attention(nn.Module):
    """Multi-head attention with the names of the library's ``MultiHeadAttention``."""

    def __init__(self, d_model: int, num_heads: int, bias: bool = True):
        super().__init__()
        self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
        self.w_query, self.w_key, self.w_value, self.w_output = (nn.Linear(d_model, d_model, bias) for _ in range(4))

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Attend, and return output and weights."""
        query, key, value = (
            torch.stack(layer(x).chunk(self.num_heads, -1), 1)
            for layer, x in ((self.w_query, query), (self.w_key, key), (self.w_value, value))
        )
        scores = query @ key.mT / self.d_k**0.5
        weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -torch.inf), -1)
        return self.w_output(torch.cat((weights @ value).unbind(1), -1)), weights


class Embedding(nn.Module):
    """Token and position embedding with the names of the library's ``TransformerEmbedding``."""

    def __init__(self, vocab_size: int, d_model: int, max_length: int = 20):
        super().__init__()
        self.d_model, self.max_length = d_model, max_length
        self.token, self.dropout = nn.Embedding(vocab_size, d_model), nn.Dropout(0.0)
        self.encoding = nn.Parameter(torch.zeros(max_length, d_model))

    def forward(self, tokens: Tensor, start: int = 0) -> Tensor:
        """Embed ``(batch, length)`` tokens, the first of which stands at position ``start``."""
        return self.token(tokens) * self.d_model**0.5 + self.encoding[start : start + tokens.shape[1]]


class Translator(nn.Module):
    """Look up the logits of the next word, with a number that the source and every word so far have changed.

    ``calls`` lists what was asked: (``"encode"`` or ``"decode"``, whether in train mode, whether with gradients).

    Args:
        table: ``(states, vocab_size)``, the logits in each state.
        breaks: whether decode raises an error in the place of an answer.
    """

    def __init__(self, table: Tensor, breaks: bool = False):
        super().__init__()
        self.table = nn.Parameter(table)
        self.reading, self.writing = nn.Dropout(0.5), nn.Dropout(0.5)
        self.calls: list[tuple[str, bool, bool]] = []
        self.breaks = breaks

    def encode(self, source: Tensor) -> Tensor:
        """Return the memory ``(batch, source_length, 1)``."""
        self.calls.append(("encode", self.training, torch.is_grad_enabled()))
        places = torch.arange(1, source.shape[1] + 1)
        return self.reading(((source + 1) * places).to(self.table.dtype)).unsqueeze(-1)

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Return the logits ``(batch, target_length, vocab_size)``."""
        self.calls.append(("decode", self.training, torch.is_grad_enabled()))
        if self.breaks:
            raise RuntimeError("the model was told to break")
        if memory.shape != (*source.shape, 1) or len(target) != len(source):
            shapes = tuple(target.shape), tuple(memory.shape), tuple(source.shape)
            raise ValueError(f"target, memory, source: expected one batch, got the shapes {shapes}")
        state = (memory.squeeze(-1) * (source != PAD)).sum(1).round().long() % len(self.table)  # (batch,)
        logits = [self.table[:0].new_zeros(len(target), 0, self.table.shape[1])]
        for words in target.unbind(1):
            state = (state * 5 + words * 3 + 1) % len(self.table)
            logits.append(self.table[state].unsqueeze(1))
        return self.writing(torch.cat(logits, 1))

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Read and write."""
        return self.decode(target, self.encode(source), source)


def translator(draw, vocab_size: int = 6, end: float = 0.0, spread: float = 1.0, breaks: bool = False) -> Translator:
    """Draw a model that never writes PAD or BOS; ``end`` is added to the logits of EOS."""
    table = draw(37, vocab_size, dtype=torch.float64, scale=spread)
    table[:, [PAD, BOS]] = -40.0
    table[:, EOS] += end
    return Translator(table, breaks).eval()
