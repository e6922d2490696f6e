"""A translator whose every number is known, and that remembers how it was asked: for the checks of exercise 11."""

import torch
from torch import Tensor, nn

from transformer_course.checks.reporting import draw
from transformer_course.common.tokens import BOS, EOS, PAD

# The sentences that the checks have translated: padded, of different lengths.
SOURCE = [[4, 5, 6, 7, 2, 0], [9, 3, 2, 0, 0, 0], [5, 8, 3, 6, 4, 2]]


class TinyTranslator(nn.Module):
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
        return self.reading((source * places).to(self.table.dtype)).unsqueeze(-1)

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Return the logits ``(batch, target_length, vocab_size)``."""
        self.calls.append(("decode", self.training, torch.is_grad_enabled()))
        if self.breaks:
            raise ValueError("the model was told to break")
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

    def count(self, kind: str) -> int:
        """Say how often it was asked to encode, or to decode."""
        return sum(call[0] == kind for call in self.calls)


def tiny(seed: int, vocab_size: int = 6, spread: float = 1.0, end: float = 0.0, breaks: bool = False) -> TinyTranslator:
    """Make a translator with random logits, which never writes PAD or BOS; ``end`` is added to the logits of EOS."""
    table = spread * draw(37, vocab_size, seed=seed, dtype=torch.float64)
    table[:, [PAD, BOS]] = -40.0
    table[:, EOS] += end
    return TinyTranslator(table, breaks).eval()


def loud(model: nn.Module, seed: int, size: float = 0.8) -> nn.Module:
    """Give a model large random weights, in float64 and eval mode, so that it believes something."""
    model = model.double().eval()
    with torch.no_grad():
        for number, parameter in enumerate(model.parameters()):
            parameter.add_(size * draw(*parameter.shape, seed=seed + number, dtype=torch.float64))
        model.output_layer.bias[[PAD, BOS]] = -1e4
    return model
