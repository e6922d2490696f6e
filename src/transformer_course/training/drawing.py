"""Pictures of a run: its loss curve, and which word of the source each word of a translation looked at."""

from collections.abc import Sequence
from pathlib import Path

import torch
from matplotlib import pyplot as plt
from torch import Tensor

from transformer_course.common import plots
from transformer_course.common.tokens import BOS
from transformer_course.interpret.recording import AttentionRecorder
from transformer_course.training.models import Translator
from transformer_course.transformer import Transformer


def draw_losses(losses: Sequence[float], path: str | Path) -> None:
    """Draw the loss of a run, averaged over windows of 50 updates, into a file.

    Args:
        losses: the loss of every update.
        path: the file; its ending says the format.
    """
    windows = torch.tensor(losses).split(50)
    ends = torch.tensor([len(window) for window in windows]).cumsum(0)  # (windows,)
    means = torch.stack([window.mean() for window in windows])  # (windows,)
    axes = plots.curves(ends, {"training loss": means}, xlabel="updates", ylabel="loss (nats per token)")
    _write(axes.figure, path)


def attention_maps(translator: Translator, source_words: Sequence[str], target_words: Sequence[str]) -> Tensor:
    """Return how far each word of a translation looked at each word of the source, for every head.

    Args:
        translator: with attention.
        source_words: n words.
        target_words: m words, its translation.

    Returns:
        The weights ``(layers, heads, m + 1, n + 1)``, the two EOS included; an attention GRU has one layer with one
        head.

    Raises:
        ValueError: if the model has no attention.
    """
    source = translator.source([source_words])  # (1, n + 1)
    ids = [BOS, *translator.target_vocabulary.encode(target_words)]
    target_input = torch.tensor([ids], device=source.device)  # (1, m + 1)
    with torch.no_grad():
        if isinstance(translator.model, Transformer):
            with AttentionRecorder(translator.model) as recorder:
                translator.model(source, target_input)
            return recorder.stack("cross_attention")  # (layers, heads, m + 1, n + 1)
        try:
            return translator.model.attention_weights(source, target_input)[None]  # (1, 1, m + 1, n + 1)
        except NotImplementedError as error:
            raise ValueError(f"attention: {error}") from None


def draw_attention(
    translator: Translator, source_words: Sequence[str], target_words: Sequence[str], path: str | Path
) -> None:
    """Draw the attention of a translation into a file.

    Args:
        translator: with attention.
        source_words: of the source.
        target_words: of the translation.
        path: the file; its ending says the format.
    """
    weights = attention_maps(translator, source_words, target_words).mean(dim=(0, 1))  # (m + 1, n + 1)
    axes = plots.attention_map(weights, [*source_words, "EOS"], [*target_words, "EOS"])
    _write(axes.figure, path)


def _write(figure: plt.Figure, path: str | Path) -> None:
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, bbox_inches="tight")
    plt.close(figure)
