"""Small models that the checks of exercise 10 hand to the learner's functions."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from course_checks.cases import Draw
from transformer_course.common.tokens import BOS, EOS, PAD


class SmallModel(nn.Module):
    """A model that learns: it sees the words up to a position, one vector of the source, and its own mode.

    It comes in evaluation mode, with old gradients.
    """

    def __init__(self, seed: str, source_size: int, target_size: int, dtype: torch.dtype):
        super().__init__()
        sizes = {"read": (source_size, 4), "written": (target_size, 4), "out": (4, target_size)}
        for name, shape in sizes.items():
            parameter = nn.Parameter(Draw(seed + name)(*shape, dtype=dtype))
            parameter.grad = Draw(seed + name + "old")(*shape, dtype=dtype)
            self.register_parameter(name, parameter)
        self.eval()

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return logits ``(batch, target_length, target_size)``; sharper ones in training."""
        x = self.written[target].cumsum(1) + self.read[source].mean(1, keepdim=True)
        logits = torch.tanh(x) @ self.out
        return 1.5 * logits if self.training else logits


class SmallTranslator(nn.Module):
    """A translator that writes one known sentence for each source, as long as it reads what it wrote itself.

    It looks ahead where it can, and overlooks a 9. It comes in training mode, in which it mistakes 8 for 9 and 9 for 8.
    A word that it did not write itself makes it stop: it says EOS. Its source is the number of the sentence, and EOS.
    It counts the sentences that were encoded.

    Args:
        sentences: what it writes, each with EOS at its end.
    """

    def __init__(self, sentences: Sequence[Sequence[int]]):
        super().__init__()
        rows = [[*row, *[3] * 20][:20] for row in sentences]  # after EOS it goes on with nonsense
        self.register_buffer("written", torch.tensor([[BOS, *row] for row in rows]))
        self.encoded = 0

    def encode(self, source: Tensor) -> Tensor:
        """Return a memory ``(batch, source_length, 1)``."""
        self.encoded += len(source)
        return 2.0 * source.unsqueeze(-1)

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Return logits ``(batch, target_length, 12)``."""
        length, rows = target.shape[1], self.written[(memory[:, 0, 0] / 2).long() - 4]
        itself = (target == rows[:, :length]).cummin(1).values  # (batch, length)
        following = torch.where(itself, rows[:, 1 : length + 1], EOS)
        if self.training:
            following = torch.where((following == 8) | (following == 9), 17 - following, following)
        logits = 2.0 * nn.functional.one_hot(following, 12) - 0.1 * torch.arange(12)
        ahead = nn.functional.one_hot(target[:, 1:], 12) * (target[:, 1:, None] != 9)
        return logits + 50 * nn.functional.pad(ahead, (0, 0, 0, 1))

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Read and say what comes next."""
        return self.decode(target, self.encode(source), source)


def translations(*pairs: str, padding: int = 0) -> tuple[SmallTranslator, Tensor, Tensor]:
    """Make a translator with sources and targets from pairs of digits: ``"4562 4582"`` writes 4 5 6 EOS for 4 5 8 EOS.

    Args:
        *pairs: what is written, and what would have been right.
        padding: how many PAD are appended to all targets.

    Returns:
        The translator, source ``(batch, 2)`` and target ``(batch, target_length)``.
    """
    written, right = zip(*([list(map(int, half)) for half in pair.split()] for pair in pairs), strict=True)
    longest = max(map(len, right)) + padding
    target = torch.tensor([[BOS, *row, *[PAD] * (longest - len(row))] for row in right])
    source = torch.tensor([[4 + number, EOS] for number in range(len(pairs))])
    return SmallTranslator(written), source, target
