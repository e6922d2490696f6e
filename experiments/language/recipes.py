"""The runs of chapter 13 on tiny Shakespeare: three recipes, all with the same clock, and what is measured of each."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from experiments.language.character_model import CharacterModel
from experiments.language.muon import muon_and_adam
from transformer_course.data.shakespeare import Shakespeare, shakespeare_text
from transformer_course.generation.kneser_ney import KneserNey
from transformer_course.language_model import LanguageModel, generate
from transformer_course.training.config import TrainingConfig
from transformer_course.training.language import LanguageTrainer, losses_of

LENGTH = 64
PIECES = (8, 12, 20)
SHARES = tuple(i / 20 for i in range(21))


@dataclass(frozen=True)
class Recipe:
    """A model and how it is trained.

    Args:
        model: the class.
        sizes: of the model, where they differ from its defaults.
        training: for ``TrainingConfig``.
        muon: whether the matrices in the blocks are changed by Muon.
    """

    model: type[nn.Module]
    sizes: dict[str, Any]
    training: dict[str, Any]
    muon: bool = False

    def settings(self) -> dict[str, Any]:
        """Return all of it as plain numbers and words."""
        return {"model": self.model.__name__, "sizes": self.sizes, "training": self.training, "muon": self.muon}


_LINEAR = {"schedule": "linear", "warmup_steps": 50, "final_fraction": 0.0}
RECIPES = {
    # config/train_shakespeare_char.py of nanoGPT with what its README changes for a CPU; our blocks have biases.
    "nanoGPT's configuration": Recipe(
        LanguageModel,
        {"d_model": 128, "num_heads": 4, "num_layers": 4, "d_ff": 512},
        {
            "learning_rate": 1e-3,
            "schedule": "cosine",
            "warmup_steps": 100,
            "final_fraction": 0.1,
            "weight_decay": 0.1,
            "micro_batch_tokens": 12 * LENGTH,
        },
    ),  # fmt: skip
    "the chapter's model": Recipe(
        LanguageModel,
        {"d_model": 128, "num_heads": 4, "num_layers": 2, "d_ff": 512},
        {"learning_rate": 4e-3, "weight_decay": 0.1, "micro_batch_tokens": 8 * LENGTH, **_LINEAR},
    ),
    "a small model": Recipe(
        LanguageModel,
        {"d_model": 48, "num_heads": 4, "num_layers": 1, "d_ff": 192},
        {"learning_rate": 6e-3, "weight_decay": 0.1, "micro_batch_tokens": 8 * LENGTH, **_LINEAR},
    ),
    "modern block, Muon": Recipe(
        CharacterModel,
        {},
        {
            "learning_rate": 4e-3,
            "weight_decay": 0.1,
            "max_grad_norm": 1e6,
            "micro_batch_tokens": 16 * LENGTH,
            **_LINEAR,
        },
        muon=True,
    ),  # fmt: skip
    "modern block, Muon, n-gram embeddings": Recipe(
        CharacterModel,
        {"num_pairs": 65 * 65, "num_triples": 20_000},
        {
            "learning_rate": 4e-3,
            "weight_decay": 0.1,
            "max_grad_norm": 1e6,
            "micro_batch_tokens": 16 * LENGTH,
            **_LINEAR,
        },
        muon=True,
    ),  # fmt: skip
}


def train(name: str, seed: int, data: Shakespeare, **budget: Any) -> tuple[nn.Module, LanguageTrainer]:
    """Train by a recipe.

    Args:
        name: of the recipe.
        seed: of weights and pieces.
        data: the text.
        **budget: ``cpu_seconds`` or ``num_steps``, and what of the recipe's training is to be another.

    Returns:
        The model, and the trainer with its losses.
    """
    recipe = RECIPES[name]
    torch.manual_seed(seed)
    model = recipe.model(len(data.characters), max_length=LENGTH, **recipe.sizes)
    config = TrainingConfig(**{**recipe.training, **budget}, seed=seed)
    optimizers = muon_and_adam(model, config.learning_rate, weight_decay=config.weight_decay) if recipe.muon else None
    trainer = LanguageTrainer(model, data.train, config, LENGTH, optimizers)
    trainer.run()
    return model.eval(), trainer


def loss_by_reach(model: LanguageModel, tokens: Tensor, length: int, reaches: Sequence[int]) -> dict[int, float]:
    """Measure what a model loses when its attention reaches less far back.

    In a model of one block, attention that sees the last few positions alone is a model that sees the last few tokens
    alone. All else stays as in training: the tokens stand where they stood.

    Args:
        model: a language model.
        tokens: int64 ``(num_tokens,)``, a text that it has not been trained on.
        length: tokens of a window; only the second half of each counts.
        reaches: how many positions may be seen, the current one included; at most half of a window.

    Returns:
        For each reach the mean loss in nats a token, over the same tokens for all of them.
    """
    place = torch.arange(length)
    distance = place.unsqueeze(1) - place  # (length, length)

    class Reaching(nn.Module):
        def forward(self, inputs: Tensor) -> Tensor:
            x = model.embed(inputs)
            for block in model.blocks:
                x = block(x, (distance >= 0) & (distance < self.reach))
            return model.logits(x)

    reaching, found = Reaching(), {}
    model.eval()
    for reach in reaches:
        reaching.reach = reach
        found[reach] = losses_of(reaching, tokens, length, length // 2)[1].double().mean().item()
    return found


def mixture(first: Tensor, second: Tensor, share: float) -> float:
    """Nats a token of ``share`` times the first model and the rest of the second, from their losses a token."""
    if share in (0, 1):
        return (first if share == 1 else second).double().mean().item()
    pair = torch.stack([math.log(share) - first.double(), math.log(1 - share) - second.double()])
    return -pair.logsumexp(dim=0).mean().item()


@dataclass
class MeasuredModel:
    """What chapter 13 says about a model, in nats a character of the validation text.

    Args:
        nats: over all positions of windows of 64, the first characters of each included.
        with_context: over those with at least 32 characters before them.
        ngrams: of Kneser-Ney 7-grams, over the same characters.
        mixed: of mixtures of the two, for the shares of ``SHARES``, over the second half of the text.
        share: the best share of the model, chosen on the first half.
        copied: share of pieces of 8, 12 and 20 written characters that stand in the training text.
        text: the beginning of what it wrote.
    """

    nats: float
    with_context: float
    ngrams: float
    mixed: list[float] = field(default_factory=list)
    share: float = 0.0
    copied: list[float] = field(default_factory=list)
    text: str = ""


def measure(model: nn.Module, data: Shakespeare, ngrams: KneserNey) -> MeasuredModel:
    """Measure a trained model beside n-grams."""
    nats = losses_of(model, data.validation, LENGTH)[1].double().mean().item()
    places, losses = losses_of(model, data.validation, LENGTH, least_context=LENGTH // 2)
    counted = -ngrams.probabilities_of(data.validation)[places].log()
    half = len(losses) // 2
    share = min(SHARES, key=lambda share: mixture(losses[:half], counted[:half], share))
    prompt = data.characters.encode("\n").expand(12, 1)
    written = generate(model, prompt, 400, generator=torch.Generator().manual_seed(0))
    texts = [data.characters.decode(row) for row in written]
    return MeasuredModel(
        nats,
        losses.double().mean().item(),
        counted.mean().item(),
        [mixture(losses[half:], counted[half:], each) for each in SHARES],
        share,
        copied_in(texts),
        texts[0],
    )


def copied_in(texts: list[str]) -> list[float]:
    """Say which share of pieces of 8, 12 and 20 characters stands in the training text."""
    source = shakespeare_text()[: int(0.9 * len(shakespeare_text()))]
    return [sum(copied_share(text, source, length) for text in texts) / len(texts) for length in PIECES]


def copied_share(text: str, source: str, length: int) -> float:
    """Say which share of the pieces of a text occurs word for word in another one.

    Args:
        text: what was written.
        source: what it may have been copied from.
        length: characters of a piece; every place of the text begins one.

    Returns:
        The share, 0 to 1; 0 if the text is shorter than a piece.

    >>> copied_share("the cat", "the dog and a cat", length=4)
    0.5
    """
    pieces = [text[start : start + length] for start in range(len(text) - length + 1)]
    return sum(piece in source for piece in pieces) / len(pieces) if pieces else 0.0


def fit_power_law(x: list[float], y: list[float], floors: int = 400) -> tuple[float, float, float]:
    """Fit ``y = floor + factor * x ** -exponent``.

    For each of many floors below the lowest y the rest is a line in logarithms; the best of these lines is taken.

    Source: the form is that of Hoffmann et al. (2022), "Training Compute-Optimal Large Language Models", equation 2,
    with one of its two terms.

    Args:
        x: positive numbers, at least three different ones.
        y: what was measured.
        floors: how many floors from 0 to the lowest y are tried.

    Returns:
        The floor, the factor and the exponent.

    >>> floor, factor, exponent = fit_power_law([1, 2, 4, 8], [3.0, 2.0, 1.5, 1.25])
    >>> f"{floor:.2f} {factor:.2f} {exponent:.2f}"
    '1.00 2.00 1.00'
    """
    if len(set(x)) < 3:
        raise ValueError(f"x: expected at least three different numbers, got {len(set(x))}")
    steps, values = torch.tensor(x, dtype=torch.float64).log(), torch.tensor(y, dtype=torch.float64)
    centred = steps - steps.mean()
    best = (math.inf, 0.0, 0.0, 0.0)
    for i in range(floors):
        floor = float(values.min()) * i / floors
        logs = (values - floor).log()
        slope = (centred * logs).sum() / centred.square().sum()
        start = logs.mean() - slope * steps.mean()
        error = (floor + (start + slope * steps).exp() - values).square().sum().item()
        best = min(best, (error, floor, start.exp().item(), -slope.item()))
    return best[1:]
