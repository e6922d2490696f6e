"""A trained language model with its characters: `python -m transformer_course train --model language`, `generate`."""

from dataclasses import dataclass
from pathlib import Path

import torch

from transformer_course.data.shakespeare import Characters, load_shakespeare
from transformer_course.generation.cached_generation import generate_cached
from transformer_course.language_model import LanguageModel
from transformer_course.training.checkpoint import load_checkpoint
from transformer_course.training.config import TrainingConfig
from transformer_course.training.language import LanguageTrainer, nats_per_token

SIZES = {"d_model": 128, "num_heads": 4, "num_layers": 2, "d_ff": 512, "max_length": 64}


@dataclass(frozen=True)
class Writer:
    """A model of characters, and the characters.

    Args:
        model: the model.
        characters: its vocabulary.
        sizes: of the model.
    """

    model: LanguageModel
    characters: Characters
    sizes: dict

    def settings(self) -> dict:
        """Return what a checkpoint needs, beside the weights, to build the model again."""
        return {"name": "language", "sizes": self.sizes, "symbols": self.characters.symbols}

    def write(
        self,
        prompt: str,
        num_characters: int,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
        seed: int | None = None,
    ) -> str:
        """Go on with a text.

        Args:
            prompt: its beginning, at least one character.
            num_characters: how many are appended.
            temperature: as in ``sample_token``, like the next two.
            top_k: as in ``sample_token``.
            top_p: as in ``sample_token``.
            seed: the same seed writes the same text; None draws another one each time.

        Returns:
            The prompt and what follows.

        Raises:
            ValueError: if the prompt is empty or has a character that is not in the vocabulary.
        """
        device = next(self.model.parameters()).device
        tokens = self.characters.encode(prompt).unsqueeze(0).to(device)  # (1, length)
        generator = torch.Generator(device)
        generator.seed() if seed is None else generator.manual_seed(seed)
        written = generate_cached(self.model, tokens, num_characters, temperature, top_k, top_p, generator)
        return self.characters.decode(written[0])


def make_writer(dropout: float = 0.0) -> Writer:
    """Make a model of Shakespeare's characters with fresh weights."""
    characters, sizes = load_shakespeare().characters, {**SIZES, "dropout": dropout}
    return Writer(LanguageModel(len(characters), **sizes), characters, sizes)


def load_writer(checkpoint: str | Path, device: torch.device | str = "cpu") -> Writer:
    """Read a trained model.

    Args:
        checkpoint: a file that ``train_writer`` wrote.
        device: where the model is to be.

    Returns:
        The model, in eval mode, with its characters.

    Raises:
        ValueError: if there is no such file, or it holds another kind of model.
    """
    state = load_checkpoint(checkpoint)
    if state.get("name") != "language":
        raise ValueError(f"checkpoint: expected a language model in {checkpoint}, got {state.get('name')!r}")
    model = LanguageModel(len(state["symbols"]), **state["sizes"])
    model.load_state_dict(state["model"])
    return Writer(model.to(device).eval(), Characters(state["symbols"]), state["sizes"])


def train_writer(
    config: TrainingConfig,
    checkpoint: Path,
    device: torch.device | str = "cpu",
    resume: bool = False,
    dropout: float = 0.0,
) -> tuple[Writer, LanguageTrainer, float]:
    """Train a model of Shakespeare's characters, and measure it.

    Args:
        config: of the run.
        checkpoint: where to write it every 500 updates and at the end.
        device: where to train.
        resume: go on from the checkpoint.
        dropout: of the model.

    Returns:
        The model, its trainer, and nats a character on the text that it has not seen.
    """
    data, writer = load_shakespeare(), make_writer(dropout)
    writer.model.to(device)
    trainer = LanguageTrainer(writer.model, data.train, config, SIZES["max_length"])
    if resume:
        trainer.resume(checkpoint)
    trainer.run(checkpoint, extra=writer.settings())
    return writer, trainer, nats_per_token(writer.model, data.validation.to(device), SIZES["max_length"])
