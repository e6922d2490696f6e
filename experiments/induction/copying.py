"""Watching heads learn to look at what followed the last time: chapter 13.

Source: Olsson et al. (2022), "In-context Learning and Induction Heads", section "Defining induction heads" for the task
of random tokens that are repeated.

Dimension names: ``batch`` texts; ``period`` tokens of the half that is repeated; ``length = 2 * period``.
"""

import itertools
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.subnormals import without_subnormals
from transformer_course.interpret.recording import AttentionRecorder
from transformer_course.language_model import LanguageModel, induction_score
from transformer_course.masking import causal_mask
from transformer_course.multi_head_attention import MultiHeadAttention, merge_heads, split_heads
from transformer_course.positional_encoding import rotary_encoding
from transformer_course.scaled_dot_product_attention import scaled_dot_product_attention
from transformer_course.training.updates import make_updates

VOCAB_SIZE, LONGEST = 64, 32
D_MODEL, NUM_HEADS = 64, 4


class RotaryAttention(nn.Module):
    """Causal attention of several heads that knows positions by rotation alone: it sees distances, not places."""

    def __init__(self, d_model: int, num_heads: int):
        super().__init__()
        self.layers = MultiHeadAttention(d_model, num_heads)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Give output ``(batch, length, d_model)`` and weights ``(batch, heads, length, length)``."""
        query, key, value = (
            split_heads(project(x), self.layers.num_heads)  # (batch, heads, length, d_k)
            for project in (self.layers.w_query, self.layers.w_key, self.layers.w_value)
        )
        query, key = rotary_encoding(query), rotary_encoding(key)
        heads, weights = scaled_dot_product_attention(query, key, value, causal_mask(x.shape[1]))
        return self.layers.w_output(merge_heads(heads)), weights


class AttentionOnly(nn.Module):
    """A language model of attention layers alone, without feed-forward networks, so that only attention can do it.

    Source: Elhage et al. (2021), "A Mathematical Framework for Transformer Circuits", for the form.

    Args:
        num_layers: of attention.
        vocab_size: number of different tokens.
        d_model: width of the model.
        num_heads: a divisor of d_model.
    """

    def __init__(
        self, num_layers: int, vocab_size: int = VOCAB_SIZE, d_model: int = D_MODEL, num_heads: int = NUM_HEADS
    ):
        super().__init__()
        self.token = nn.Embedding(vocab_size, d_model)
        self.attentions = nn.ModuleList(RotaryAttention(d_model, num_heads) for _ in range(num_layers))
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(num_layers + 1))
        self.output = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """Give logits ``(batch, length, vocab_size)`` of token ids ``(batch, length)``."""
        x = self.token(tokens)  # (batch, length, d_model)
        for norm, attention in zip(self.norms, self.attentions, strict=False):
            x = x + attention(norm(x))[0]
        return self.output(self.norms[-1](x))


def make_model(kind: str, num_layers: int) -> nn.Module:
    """Make a small model: ``"attention only"``, or ``"language model"``, that of chapter 13 with learned positions."""
    if kind == "attention only":
        return AttentionOnly(num_layers)
    sizes = {"d_model": D_MODEL, "num_heads": NUM_HEADS, "d_ff": 2 * D_MODEL, "max_length": 2 * LONGEST}
    return LanguageModel(VOCAB_SIZE, num_layers=num_layers, **sizes)


def repeated_tokens(batch: int, period: int, generator: torch.Generator, vocab_size: int = VOCAB_SIZE) -> Tensor:
    """Draw texts of different tokens in random order, written twice: int64 ``(batch, 2 * period)``.

    Nothing about the first half can be predicted; of the second half everything but its first token can, by looking at
    what followed each token the last time.
    """
    half = torch.rand(batch, vocab_size, generator=generator).argsort(dim=1)[:, :period]
    return torch.cat([half, half], dim=1)


@dataclass
class Measured:
    """What is seen of a model at one time.

    Args:
        update: updates that were made before.
        first: loss of the first half, nats a token; guessing has ``ln 64 = 4.16``.
        repeated: loss of the second half without its first token.
        accuracy: how often the most probable token is the right one, there.
        induction: the induction score of each head, ``[layer][head]``.
        previous: the mean weight of each head on the position before, ``[layer][head]``.
    """

    update: int
    first: float
    repeated: float
    accuracy: float
    induction: list[list[float]] = field(default_factory=list)
    previous: list[list[float]] = field(default_factory=list)


@torch.no_grad()
def read(model: nn.Module, tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Give the logits, and all attention maps: ``(batch, layers, heads, length, length)``."""
    with AttentionRecorder(model, (MultiHeadAttention, RotaryAttention)) as recorder:
        logits = model(tokens)
    return logits, torch.stack([weights for _, weights in recorder.maps], dim=1)


@torch.no_grad()
def measure(model: nn.Module, tokens: Tensor, update: int = 0) -> Measured:
    """Measure a model on repeated texts ``(batch, 2 * period)``."""
    model.eval()
    period = tokens.shape[1] // 2
    logits, maps = read(model, tokens[:, :-1])  # (batch, length - 1, vocab_size)
    losses = F.cross_entropy(logits.mT, tokens[:, 1:], reduction="none")  # (batch, length - 1)
    right = logits.argmax(dim=-1) == tokens[:, 1:]
    texts = list(zip(maps, tokens[:, :-1], strict=True))
    layers, heads = maps.shape[1:3]

    def of_heads(score) -> list[list[float]]:
        return [[sum(score(weights[i, j], text) for weights, text in texts) / len(texts) for j in range(heads)]
                for i in range(layers)]  # fmt: skip

    return Measured(
        update,
        losses[:, : period - 1].mean().item(),
        losses[:, period:].mean().item(),
        right[:, period:].float().mean().item(),
        of_heads(induction_score),
        of_heads(lambda weights, _: weights.diagonal(-1).mean().item()),
    )


def train(
    kind: str,
    num_layers: int,
    seed: int,
    num_updates: int = 1200,
    every: int = 25,
    batch: int = 32,
    learning_rate: float = 2e-3,
    keep: tuple[int, int] | None = None,
) -> tuple[nn.Module, list[Measured], dict[int, Tensor]]:
    """Train a small language model on texts that are written twice, and watch its heads.

    Args:
        kind: as in ``make_model``.
        num_layers: of the model.
        seed: of weights and texts.
        num_updates: of the weights.
        every: updates from one measurement to the next.
        batch: texts of an update; all have the same period, drawn from 8 to 32.
        learning_rate: of Adam; it rises over 50 updates and stays.
        keep: the first and the last update between which the maps of all heads are kept, on one text.

    Returns:
        The model, what was measured, and for each measured update to keep the maps ``(layers, heads, length, length)``.
    """
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = make_model(kind, num_layers)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate, betas=(0.9, 0.98))
    held_out = held_out_texts()
    measured, maps, made = [], {}, itertools.count()

    def loss_of_batch() -> Tensor:
        if (update := next(made)) % every == 0:
            measured.append(measure(model, held_out, update))
            if keep and keep[0] <= update <= keep[1]:
                maps[update] = read(model, shown_text())[1][0]
        model.train()
        period = int(torch.randint(8, LONGEST + 1, (), generator=generator))
        tokens = repeated_tokens(batch, period, generator)
        return F.cross_entropy(model(tokens[:, :-1]).mT, tokens[:, 1:])

    def rate_at(done: float) -> float:
        return learning_rate * min(1.0, (done + 1) / 50)

    with without_subnormals():
        make_updates(optimizer, loss_of_batch, num_updates + 1, rate_at=rate_at)
    return model, measured, maps


def held_out_texts() -> Tensor:
    """Return the texts that models are measured on: 16, with a period of 24."""
    return repeated_tokens(16, 24, torch.Generator().manual_seed(1_000_000))


def shown_text() -> Tensor:
    """Return the text whose maps are shown: one, with a period of 8."""
    return repeated_tokens(1, 8, torch.Generator().manual_seed(1_000_001))
