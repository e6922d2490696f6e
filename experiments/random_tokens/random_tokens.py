"""Chapter 06: small decoders that learn to predict random tokens, of which there is nothing to learn but a leak."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.training.updates import make_updates

VOCABULARY, LENGTH = 8, 8
Attention = Callable[[Tensor, Tensor, Tensor], Tensor]


class TinyDecoder(nn.Module):
    """Embeddings, one attention with a residual connection, a small feed-forward network.

    Args:
        attention: from query, key and value, each ``(batch, length, d_model)``, to the output in the same shape.
        d_model: the width.
    """

    def __init__(self, attention: Attention, d_model: int = 32):
        super().__init__()
        self.attention = attention
        self.token = nn.Embedding(VOCABULARY + 1, d_model)  # the last one is BOS
        self.position = nn.Embedding(LENGTH, d_model)
        self.w_query, self.w_key, self.w_value = (nn.Linear(d_model, d_model) for _ in range(3))
        self.norm = nn.LayerNorm(d_model)
        self.output = nn.Sequential(nn.Linear(d_model, 64), nn.ReLU(), nn.Linear(64, VOCABULARY))

    def forward(self, tokens: Tensor, attention: Attention | None = None) -> Tensor:
        """Return logits ``(batch, length, VOCABULARY)`` for tokens ``(batch, length)``, once with another attention."""
        x = self.token(tokens) + self.position.weight[: tokens.shape[1]]  # (batch, length, d_model)
        x = x + (attention or self.attention)(self.w_query(x), self.w_key(x), self.w_value(x))
        return self.output(self.norm(x))


def random_batch(generator: torch.Generator, batch: int = 32) -> tuple[Tensor, Tensor]:
    """Draw labels ``(batch, LENGTH)``, and the tokens that a decoder reads: BOS, then the labels one step later."""
    labels = torch.randint(VOCABULARY, (batch, LENGTH), generator=generator)
    return torch.cat([torch.full((batch, 1), VOCABULARY), labels[:, :-1]], dim=1), labels


def train_on_noise(
    attention: Attention, seed: int, num_steps: int = 400, num_fixed: int | None = None
) -> tuple[list[float], float]:
    """Train a decoder on random tokens.

    Args:
        attention: what it attends with.
        seed: of the start and of the tokens.
        num_steps: updates.
        num_fixed: without it every batch is drawn anew; else batches come from so many sequences, drawn once.

    Returns:
        The loss of each step; and the loss at the end on new sequences of which the future is cut off, as in decoding.
    """
    torch.manual_seed(seed)
    model, generator = TinyDecoder(attention), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    fixed = random_batch(generator, num_fixed) if num_fixed else None

    def loss_of_batch() -> Tensor:
        if fixed:
            chosen = torch.randint(num_fixed, (32,), generator=generator)
            tokens, labels = fixed[0][chosen], fixed[1][chosen]
        else:
            tokens, labels = random_batch(generator)
        return F.cross_entropy(model(tokens).flatten(0, 1), labels.flatten())

    losses = make_updates(optimizer, loss_of_batch, num_steps)
    tokens, labels = random_batch(generator, batch=500)
    with torch.no_grad():
        logits = torch.stack([model(tokens[:, : t + 1])[:, -1] for t in range(LENGTH)], dim=1)
    return losses, F.cross_entropy(logits.flatten(0, 1), labels.flatten()).item()


def train_with_padding(attention_for: Callable[[Tensor], Attention], side: str, num_steps: int = 30) -> Tensor:
    """Train a decoder on random tokens of random lengths, padded on one side.

    Args:
        attention_for: from ``(batch, LENGTH)``, True where a token is real, to the attention for this batch.
        side: ``"left"`` or ``"right"``.
        num_steps: updates.

    Returns:
        All parameters at the end, as one vector.

    Raises:
        ValueError: if there is no such side.
    """
    if side not in ("left", "right"):
        raise ValueError(f"side: expected 'left' or 'right', got {side!r}")
    torch.manual_seed(0)
    model, generator = TinyDecoder(lambda *_: None), torch.Generator().manual_seed(0)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    place = torch.arange(LENGTH)

    def loss_of_batch() -> Tensor:
        tokens, labels = random_batch(generator)
        lengths = torch.randint(2, LENGTH + 1, (len(tokens), 1), generator=generator)
        real = place < lengths if side == "right" else place >= LENGTH - lengths  # (batch, LENGTH)
        tokens, labels = tokens.masked_fill(~real, 0), labels.masked_fill(~real, -100)
        logits = model(tokens, attention_for(real))
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)

    make_updates(optimizer, loss_of_batch, num_steps)
    return torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
