"""A trained model with all that it takes to use it: its name, its sizes and its two vocabularies."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from tqdm import tqdm

from transformer_course.common.tokens import EOS
from transformer_course.decoding import translate
from transformer_course.sequence_transduction import pad_sequences
from transformer_course.training.checkpoint import load_checkpoint
from transformer_course.training.coders import Coder, coder_from_dict, coder_to_dict
from transformer_course.training.ladder.models import MODELS


@dataclass(frozen=True)
class Translator:
    """A model that takes words and gives words.

    Args:
        name: which model of the ladder it is, a key of `MODELS`.
        model: the model.
        source_vocabulary: of the language that it reads.
        target_vocabulary: of the language that it writes.
        dropout: of the model, while it trains.
    """

    name: str
    model: nn.Module
    source_vocabulary: Coder
    target_vocabulary: Coder
    dropout: float = 0.0

    def settings(self) -> dict:
        """Return what a checkpoint needs, beside the weights, to build the model again."""
        return {
            "name": self.name,
            "dropout": self.dropout,
            "source_coder": coder_to_dict(self.source_vocabulary),
            "target_coder": coder_to_dict(self.target_vocabulary),
        }

    def translate(self, sentences: Sequence[Sequence[str]], beam_width: int = 1, alpha: float = 0.6) -> list[list[str]]:
        """Translate sentences.

        Args:
            sentences: lists of words.
            beam_width: 1 is greedy.
            alpha: exponent of the length penalty of the beam.

        Returns:
            The words of each translation.
        """
        source = self.source(sentences)  # (batch, source_length)
        tokens = translate(self.model, source, longest_translation(source), beam_width, alpha)  # (batch, length)
        return [self.target_vocabulary.decode(row) for row in tokens.tolist()]

    def translate_all(
        self, sentences: Sequence[Sequence[str]], beam_width: int = 1, alpha: float = 0.6, batch_size: int = 100
    ) -> list[list[str]]:
        """Translate many sentences, similar lengths together, with a progress bar.

        Args:
            sentences: of words.
            beam_width: 1 is greedy.
            alpha: exponent of the length penalty of the beam.
            batch_size: sentences at once.

        Returns:
            The words of each translation, in the order of the sentences.
        """
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        translations: list[list[str]] = [[] for _ in sentences]
        with tqdm(total=len(order), desc="translating", unit="sentences", disable=None, leave=False) as bar:
            for start in range(0, len(order), batch_size):
                chosen = order[start : start + batch_size]
                for i, words in zip(
                    chosen, self.translate([sentences[i] for i in chosen], beam_width, alpha), strict=True
                ):
                    translations[i] = words
                bar.update(len(chosen))
        return translations

    def source(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Turn sentences into ids ``(batch, source_length)`` on the model's device; each ends with EOS."""
        ids = pad_sequences([[*self.source_vocabulary.encode(sentence), EOS] for sentence in sentences])
        return ids.to(next(self.model.parameters()).device)


def longest_translation(source: Tensor) -> int:
    """Return a length that no right translation of a source ``(batch, source_length)`` reaches."""
    return 2 * source.shape[1] + 10


def build_translator(name: str, source_vocabulary: Coder, target_vocabulary: Coder, dropout: float = 0.0) -> Translator:
    """Build a model of the ladder with fresh weights.

    Args:
        name: a key of `MODELS`.
        source_vocabulary: of the training split.
        target_vocabulary: likewise.
        dropout: probability, for the Transformer; the recurrent models have none.

    Returns:
        The translator.

    Raises:
        ValueError: if there is no such model, or it has no dropout.
    """
    if name not in MODELS:
        raise ValueError(f"model: expected one of {', '.join(MODELS)}, got {name!r}")
    if dropout and name != "transformer":
        raise ValueError(f"dropout: expected 0 for {name}, which has none, got {dropout}")
    options = {"dropout": dropout} if dropout else {}
    model = MODELS[name](len(source_vocabulary), len(target_vocabulary), **options)
    return Translator(name, model, source_vocabulary, target_vocabulary, dropout)


def load_translator(path: str | Path, device: torch.device | None = None) -> Translator:
    """Read a trained model from a checkpoint.

    Args:
        path: a file that training wrote.
        device: where the model is to compute; None is the CPU.

    Returns:
        The translator, in evaluation mode.

    Raises:
        ValueError: if the file is missing or no checkpoint of a translator.
    """
    state = load_checkpoint(path)
    if "source_coder" not in state:
        raise ValueError(f"checkpoint: {path} holds no vocabularies, so it is not that of a translator")
    translator = build_translator(
        state["name"], coder_from_dict(state["source_coder"]), coder_from_dict(state["target_coder"]), state["dropout"]
    )
    translator.model.load_state_dict(state["model"])
    translator.model.to(device or torch.device("cpu")).eval()
    return translator
