"""The live figure of chapter 15: a picture to move pixel by pixel, and what models say of it at each place."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from drawings.live_figure import LiveFigure, rounded


def picture_mover(
    images: Tensor,
    said: Mapping[str, tuple[Tensor, Tensor]],
    labels: Sequence[str],
    classes: Sequence[str],
) -> LiveFigure:
    """Show pictures that can be moved by whole pixels, with class probabilities and the class token's attention.

    Everything is computed before, for each of the places, so that a page without a server can show it.

    Args:
        images: ``(pictures, height, width)``, from 0 to 1, in an empty border as wide as the largest shift.
        said: for each model by name its probabilities ``(pictures, shifts, shifts, classes)`` and its attention
            ``(pictures, shifts, shifts, patch_rows, patch_columns)``; the first of the two shifts is downwards, and
            the middle one is none.
        labels: what each picture shows.
        classes: a name for each class.

    Returns:
        The figure; numbers are rounded to two digits.

    Raises:
        ValueError: if the shapes do not fit, or the number of shifts is even.
    """
    images = rounded("images", images, 3)
    if not isinstance(said, Mapping) or not said:
        raise ValueError(f"said: expected a dict from model to what it says, got {said!r:.60}")
    if len(labels) != len(images):
        raise ValueError(f"labels: expected {len(images)}, one for each picture, got {len(labels)}")
    models, rows = [], []
    for name, (probabilities, attention) in said.items():
        probabilities = rounded(f"said[{name!r}][0]", probabilities, 4)
        attention = rounded(f"said[{name!r}][1]", attention, 5)
        count, shifts, across, number = probabilities.shape
        if (count, across, number) != (len(images), shifts, len(classes)) or shifts % 2 == 0:
            raise ValueError(
                f"said[{name!r}][0]: expected ({len(images)}, shifts, shifts, {len(classes)}) with an odd number of "
                f"shifts, got {tuple(probabilities.shape)}"
            )
        if attention.shape[:3] != probabilities.shape[:3]:
            raise ValueError(f"said[{name!r}][1]: expected {tuple(probabilities.shape[:3])} and the patches, "
                             f"got {tuple(attention.shape)}")  # fmt: skip
        models.append({"name": name, "probabilities": _short(probabilities), "attention": _short(attention)})
        middle = shifts // 2
        for way, down in (("still", 0), ("one pixel down", 1), ("one pixel up", -1)):
            best = probabilities[0, middle + down, middle]
            rows.append((name, way, classes[int(best.argmax())], f"{best.max():.2f}"))
    return LiveFigure(
        "picture-mover",
        "Move the digit",
        {"images": _short(images), "labels": list(labels), "classes": list(classes), "models": models},
        ("trained on", "picture", "most probable digit", "its probability"),
        rows,
        f"The picture is a {labels[0]}. Attention of the class token is shown in the live figure.",
    )


def _short(numbers: Tensor) -> list:
    """Round to two digits, as whole hundredths, which are short in a page."""
    return (100 * numbers).round().to(torch.int64).tolist()
