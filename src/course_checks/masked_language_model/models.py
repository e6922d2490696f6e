"""Small models that the checks of exercise 14 hand to the learner's code."""

import torch
from torch import Tensor, nn

from course_checks.cases import Draw
from course_checks.words import Finding
from transformer_course.common.tokens import PAD

MODE = "which mode has the model when it comes, and when it goes?"
CALLED = ("the encoder is called itself, which gives logits, in the place of its method `encode`",
          "print the shape of what you pool: (batch, length, d_model)")  # fmt: skip


class SmallEncoder(nn.Module):
    """An encoder with ``encode``; calling it, which would give logits, is refused.

    In training mode it says something else. It writes large numbers where padding stands. Without ``pad_id`` it has no
    such attribute.
    """

    def __init__(self, vocab_size: int, d_model: int, pad_id: int | None = None, dtype: torch.dtype = torch.float64):
        super().__init__()
        self.token = nn.Parameter(Draw("token")(vocab_size, d_model, dtype=dtype))
        self._pad = PAD if pad_id is None else pad_id
        if pad_id is not None:
            self.pad_id = pad_id

    def encode(self, tokens: Tensor) -> Tensor:
        """Return a vector for each word, which depends on the words before it."""
        x = torch.tanh(self.token[tokens].cumsum(1)) * (2.0 if self.training else 1.0)
        return x.masked_fill((tokens == self._pad)[..., None], 99.0)

    def forward(self, tokens: Tensor) -> Tensor:
        """Say that this was not meant."""
        raise Finding("the encoder was called, which gives logits of words", "", *CALLED)


class SmallReader(nn.Module):
    """A masked language model: what it says of a place depends on all words but those that are padding.

    It comes in training mode, in which it says something else, and it counts its calls.
    """

    def __init__(self, vocab_size: int, pad_id: int | None = None, seed: str = "reader"):
        super().__init__()
        self.table = nn.Parameter(Draw(seed)(vocab_size, 5, dtype=torch.float64))
        self.out = nn.Parameter(Draw(seed + "out")(5, vocab_size, dtype=torch.float64))
        self._pad, self.calls = PAD if pad_id is None else pad_id, 0
        if pad_id is not None:
            self.pad_id = pad_id

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits ``(batch, length, vocab_size)``."""
        self.calls += 1
        real = (tokens != self._pad)[..., None]
        places = torch.arange(1, tokens.shape[1] + 1, dtype=torch.float64)[:, None]
        x = self.table[tokens] * real * (1 + 0.3 * places)
        mixed = torch.tanh(x.sum(1, keepdim=True) - 0.5 * x)
        return (2.0 if self.training else 1.0) * mixed @ self.out


def same_mode(model: nn.Module, training: bool) -> None:
    """Refuse a model that came in one mode and is left in the other."""
    if model.training != training:
        modes = {True: "training", False: "evaluation"}
        raise Finding(f"the model came in {modes[training]} mode and is left in {modes[model.training]} mode",
                      "the mode that it had", "`model.eval()` without a way back", MODE)  # fmt: skip


class TableReader(nn.Module):
    """The masked language model of a language of two words, from the probability of each pair: exact, not learned.

    Tokens are 0 and 1, and 2 hides one of them.
    """

    def __init__(self, joint: Tensor):
        super().__init__()
        self.joint, self.pad_id = joint, -1

    def forward(self, tokens: Tensor) -> Tensor:
        """Return for each place the logarithms of the probabilities of 0 and 1, given the other place."""
        seen = torch.cat([self.joint, self.joint.sum(0, keepdim=True)])  # a row for each first word, and "hidden"
        seen = torch.cat([seen, seen.sum(1, keepdim=True)], 1)
        first, second = seen[:2, tokens[:, 1]].T, seen[tokens[:, 0], :2]  # (batch, 2) each
        both = torch.stack([first, second], 1)
        logits = (both / both.sum(-1, keepdim=True)).log()
        return nn.functional.pad(logits, (0, 1), value=-torch.inf)
