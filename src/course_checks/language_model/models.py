"""What the checks of exercise 13 hand to the learner's code: a language model whose every answer is known."""

import torch
from torch import Tensor, nn


class Recites(nn.Module):
    """Say what comes next from all that it is shown, in its order; and remember how it was asked.

    Args:
        vocab_size: number of tokens.
        max_length: tokens that it can be shown at once.
        seed: of its table.
        sharpness: how far apart its logits are.
    """

    def __init__(self, vocab_size: int = 7, max_length: int = 5, seed: int = 0, sharpness: float = 3.0):
        super().__init__()
        self.max_length, self.vocab_size = max_length, vocab_size
        table = torch.randn(vocab_size, vocab_size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        self.table = nn.Parameter(sharpness * table)
        self.part = nn.Dropout(0.5)
        self.asked: list[tuple[int, bool, bool, bool]] = []

    def forward(self, tokens: Tensor) -> Tensor:
        """Give logits (batch, length, vocab_size) for token ids (batch, length)."""
        length = tokens.shape[1]
        self.asked.append((length, self.training, self.part.training, torch.is_grad_enabled()))
        if length > self.max_length:
            raise ValueError(f"tokens: expected at most max_length = {self.max_length}, got {length}")
        weights = torch.linspace(1.0, 2.0, length, dtype=torch.float64).cumsum(0)
        said = (self.part(self.table[tokens]) * weights[:, None]).cumsum(1)  # (batch, length, vocab_size)
        return said.sin() * 3


class CountsUp(nn.Module):
    """Say that a token is followed by the next number, more or less surely by place: (batch, length, vocab_size)."""

    def __init__(self, vocab_size: int = 6, max_length: int = 50):
        super().__init__()
        self.vocab_size, self.max_length = vocab_size, max_length

    def forward(self, tokens: Tensor) -> Tensor:
        """Be surer the further the window goes."""
        right = nn.functional.one_hot((tokens + 1) % self.vocab_size, self.vocab_size).double()
        return right * torch.arange(1.0, tokens.shape[1] + 1, dtype=torch.float64)[:, None]
