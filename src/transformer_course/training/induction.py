"""Watching heads learn to look at what followed the last time: chapter 13.

Source: Olsson et al. (2022), "In-context Learning and Induction Heads", section "Defining induction heads" for the task
of random tokens that are repeated.

Dimension names: ``batch`` texts; ``period`` tokens of the half that is repeated; ``length = 2 * period``.
"""

from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.common.subnormals import without_subnormals
from transformer_course.language_model import LanguageModel, induction_score
from transformer_course.recording import AttentionRecorder

VOCAB_SIZE, LONGEST = 64, 32
SIZES = {"d_model": 64, "num_heads": 4, "d_ff": 128, "max_length": 2 * LONGEST}


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
def measure(model: LanguageModel, tokens: Tensor, update: int = 0) -> Measured:
    """Measure a model on repeated texts ``(batch, 2 * period)``."""
    model.eval()
    period = tokens.shape[1] // 2
    with AttentionRecorder(model) as recorder:
        logits = model(tokens[:, :-1])  # (batch, length - 1, vocab_size)
    losses = F.cross_entropy(logits.mT, tokens[:, 1:], reduction="none")  # (batch, length - 1)
    right = logits.argmax(dim=-1) == tokens[:, 1:]
    maps = [recorder.stack(sentence=i) for i in range(len(tokens))]  # each (layers, heads, length - 1, length - 1)
    texts = list(zip(maps, tokens[:, :-1], strict=True))
    layers, heads = maps[0].shape[:2]

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
    num_layers: int,
    seed: int,
    num_updates: int = 1500,
    every: int = 25,
    batch: int = 32,
    learning_rate: float = 2e-3,
    keep: tuple[int, int] | None = None,
    sizes: dict | None = None,
) -> tuple[LanguageModel, list[Measured], dict[int, Tensor]]:
    """Train a small language model on texts that are written twice, and watch its heads.

    Args:
        num_layers: blocks of the model.
        seed: of weights and texts.
        num_updates: of the weights.
        every: updates from one measurement to the next.
        batch: texts of an update; all have the same period, drawn from 8 to 32.
        learning_rate: of Adam; it rises over 50 updates and stays.
        keep: the first and the last update between which the maps of all heads are kept, on one text.
        sizes: of the model, where they differ from ``SIZES``.

    Returns:
        The model, what was measured, and for each measured update to keep the maps ``(layers, heads, length, length)``.
    """
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = LanguageModel(VOCAB_SIZE, num_layers=num_layers, **{**SIZES, **(sizes or {})})
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate, betas=(0.9, 0.98))
    held_out = repeated_tokens(16, 24, torch.Generator().manual_seed(1_000_000))
    measured, maps = [], {}
    with without_subnormals():
        for update in range(num_updates + 1):
            if update % every == 0:
                measured.append(measure(model, held_out, update))
                if keep and keep[0] <= update <= keep[1]:
                    maps[update] = maps_of(model, held_out[:1, :32])
            model.train()
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * min(1.0, (update + 1) / 50)
            period = int(torch.randint(8, LONGEST + 1, (), generator=generator))
            tokens = repeated_tokens(batch, period, generator)
            loss = F.cross_entropy(model(tokens[:, :-1]).mT, tokens[:, 1:])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
    return model, measured, maps


@torch.no_grad()
def maps_of(model: LanguageModel, tokens: Tensor) -> Tensor:
    """Return all attention maps of one text ``(1, length)``: ``(layers, heads, length, length)``."""
    with AttentionRecorder(model) as recorder:
        model(tokens)
    return recorder.stack()
