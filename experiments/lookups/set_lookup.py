"""Look a name up in a small dictionary whose entries come in no order: attention beside a recurrent network.

Chapter 04. Dimension names: ``batch`` dictionaries, ``size`` entries of each, ``NUM_NAMES`` names and ``NUM_ANSWERS``
answers that an entry can have.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.scaled_dot_product_attention import scaled_dot_product_attention
from transformer_course.training.updates import make_updates

NUM_NAMES, NUM_ANSWERS = 12, 6


def draw_dictionaries(size: int, batch: int, generator: torch.Generator | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Draw dictionaries with different names, and one question for each.

    Args:
        size: entries of a dictionary, at most ``NUM_NAMES``.
        batch: how many dictionaries.
        generator: makes them repeatable; None = torch's own.

    Returns:
        The entries ``(batch, size, NUM_NAMES + NUM_ANSWERS)``, a name and its answer as ones among zeros; the names
        that are asked for ``(batch, NUM_NAMES)``; and the right answers ``(batch,)``.
    """
    names = torch.rand(batch, NUM_NAMES, generator=generator).argsort(dim=1)[:, :size]  # (batch, size)
    answers = torch.randint(NUM_ANSWERS, (batch, size), generator=generator)
    place = torch.randint(size, (batch, 1), generator=generator)
    entries = torch.cat([F.one_hot(names, NUM_NAMES), F.one_hot(answers, NUM_ANSWERS)], dim=-1)
    asked = F.one_hot(names.gather(1, place).squeeze(1), NUM_NAMES)
    return entries.float(), asked.float(), answers.gather(1, place).squeeze(1)


class AttentionLookup(nn.Module):
    """One look: the question asks, each entry has a key and a value; three learned matrices make all of them.

    Args:
        d: width of queries, keys and values.
    """

    def __init__(self, d: int = 16):
        super().__init__()
        self.w_query = nn.Linear(NUM_NAMES, d)
        self.w_key = nn.Linear(NUM_NAMES + NUM_ANSWERS, d)
        self.w_value = nn.Linear(NUM_NAMES + NUM_ANSWERS, d)
        self.output = nn.Linear(d, NUM_ANSWERS)

    def forward(self, entries: Tensor, asked: Tensor) -> Tensor:
        """Give the logits of the answers ``(batch, NUM_ANSWERS)``."""
        query = self.w_query(asked).unsqueeze(1)  # (batch, 1, d)
        looked_up, _ = scaled_dot_product_attention(query, self.w_key(entries), self.w_value(entries))
        return self.output(looked_up.squeeze(1))


class RecurrentLookup(nn.Module):
    """A GRU that reads entry after entry, each beside the question, and answers with its last state.

    Args:
        d: width of its state.
    """

    def __init__(self, d: int = 24):
        super().__init__()
        self.reader = nn.GRU(2 * NUM_NAMES + NUM_ANSWERS, d, batch_first=True)
        self.output = nn.Linear(d, NUM_ANSWERS)

    def forward(self, entries: Tensor, asked: Tensor) -> Tensor:
        """Give the logits of the answers ``(batch, NUM_ANSWERS)``."""
        beside = asked.unsqueeze(1).expand(-1, entries.shape[1], -1)  # (batch, size, NUM_NAMES)
        _, last = self.reader(torch.cat([entries, beside], dim=-1))
        return self.output(last.squeeze(0))


def train_lookup(model: nn.Module, num_updates: int, learning_rate: float = 0.01) -> nn.Module:
    """Train on 64 new dictionaries of 2 to 6 entries at a time, drawn from torch's own generator.

    Args:
        model: ``model(entries, asked)`` gives logits.
        num_updates: how many.
        learning_rate: of Adam at the first update; it falls in a straight line to a twentieth.

    Returns:
        The model.
    """

    def loss_of_batch() -> Tensor:
        entries, asked, answers = draw_dictionaries(int(torch.randint(2, 7, (1,))), 64)
        return F.cross_entropy(model(entries, asked), answers)

    def rate_at(step: float) -> float:
        return learning_rate * (1 - 0.95 * step / num_updates)

    make_updates(torch.optim.Adam(model.parameters()), loss_of_batch, num_updates, rate_at=rate_at)
    return model


@torch.no_grad()
def measure_lookup(model: nn.Module, size: int, num_dictionaries: int = 1000) -> tuple[float, float]:
    """Measure a model on dictionaries of one size, the same for every model.

    Args:
        model: as for :func:`train_lookup`.
        size: entries of each dictionary.
        num_dictionaries: how many.

    Returns:
        The share of right answers, and the share of answers that change when the entries are read in reverse order.
    """
    entries, asked, answers = draw_dictionaries(size, num_dictionaries, torch.Generator().manual_seed(9))
    there, back = (model(order, asked).argmax(dim=-1) for order in (entries, entries.flip(1)))
    return (there == answers).double().mean().item(), (there != back).double().mean().item()
