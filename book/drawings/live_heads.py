"""A live figure of heads that change while a model learns: chapter 13."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from drawings.live_figure import LiveFigure, rounded


def heads_over_updates(
    updates: Sequence[int], maps: Mapping[str, Tensor], tokens: Sequence[str], facts: Mapping[str, Sequence[float]]
) -> LiveFigure:
    """Show the attention maps of some heads at one update of the training after the other.

    Args:
        updates: when the maps were taken, rising.
        maps: for the name of each head ``(num_updates, length, length)``, rows are queries.
        tokens: the text that was read, a word for each position.
        facts: for the name of each number one value for each update.

    Returns:
        The figure; it opens at the last update. Weights are rounded to two decimals.

    Raises:
        ValueError: if the updates, maps, tokens and facts do not fit, or a weight is outside 0 to 1.
    """
    size = len(tokens)
    kept = {}
    for name, each in maps.items():
        weights = rounded(name, each, 3)
        if weights.shape != (len(updates), size, size):
            raise ValueError(f"{name}: expected shape {(len(updates), size, size)}, got {tuple(weights.shape)}")
        if weights.min() < 0 or weights.max() > 1.0001:
            raise ValueError(f"{name}: expected numbers from 0 to 1, got {weights.min():.4g} to {weights.max():.4g}")
        kept[name] = [[[round(x, 2) for x in row] for row in at] for at in weights.tolist()]
    if not kept or list(updates) != sorted(set(updates)):
        raise ValueError("updates, maps: expected rising updates and at least one head")
    numbers = {name: rounded(name, torch.as_tensor(list(values)), 1).tolist() for name, values in facts.items()}
    if any(len(values) != len(updates) for values in numbers.values()):
        raise ValueError(f"facts: expected {len(updates)} numbers each")
    return LiveFigure(
        "heads-over-updates",
        "Two heads while the model learns",
        {"updates": list(updates), "maps": kept, "tokens": [str(token) for token in tokens], "facts": numbers},
        ("update", *numbers),
        [(f"{update}", *(f"{values[i]:.2f}" for values in numbers.values())) for i, update in enumerate(updates)],
        "With JavaScript, a slider goes through the updates and shows the maps of " + " and ".join(kept) + ".",
    )
