"""Drawings of chapter 16: a picture as a memory, where a word looks, and how words and patches meet."""

from collections.abc import Sequence

from torch import Tensor

from drawings.drawing import Drawing
from drawings.pixels import png_address
from transformer_course.data.scenes import GRID


def captioned(images: Sequence[Tensor], captions: Sequence[Sequence[str]]) -> Drawing:
    """Draw up to three pictures, cut into their patches, with their captions below."""
    drawing = Drawing(
        640,
        292,
        "Pictures of coloured shapes on a dark ground, cut by lines into five by five patches. Below: "
        + "; ".join(" ".join(words) for words in captions),
    )
    for number, (image, words) in enumerate(zip(images, captions, strict=True)):
        left = 10 + 214 * number
        _picture(drawing, image, left, 8, 192)
        for line, start in enumerate(range(0, len(words), 5)):
            drawing.text(left + 96, 218 + 20 * line, " ".join(words[start : start + 5]), size=13)
    return drawing


def two_memories() -> Drawing:
    """Draw translator and captioner side by side: only what the rows of the memory are has changed."""
    drawing = Drawing(
        476,
        262,
        "Above, a translator: five English words pass an encoder and become a memory of five rows, which a decoder "
        "reads while it writes. Below, a captioner: 25 patches pass the same encoder and become a memory of 25 rows, "
        "which the same decoder reads.",
    )
    for top, name, rows in ((30, "words", 5), (150, "patches", 25)):
        if rows == 5:
            for row in range(5):
                drawing.box(2, top + 17 * row, 74, 14, role="source")
        else:
            drawing.grid(2, top + 3, [[0.2] * 5] * 5, cell=15, role="source")
        drawing.text(39, top - 14, name, size=14, bold=True)
        drawing.arrow(82, top + 40, 102, top + 40)
        drawing.box(104, top + 12, 76, 56, "encoder\nblocks", role="plain")
        drawing.arrow(182, top + 40, 206, top + 40)
        drawing.tensor(210, top, 74, 82, role="key")
        for row in range(1, rows):
            drawing.line(210, top + 82 * row / rows, 284, top + 82 * row / rows, role="key", width=0.8)
        drawing.text(247, top - 14, f"memory, {rows} rows", size=14)
        drawing.arrow(288, top + 40, 312, top + 40, role="key")
        drawing.box(314, top + 12, 76, 56, "decoder\nblocks", role="plain")
        drawing.arrow(392, top + 40, 412, top + 40)
        drawing.text(444, top + 40, "French" if rows == 5 else "caption", size=14, role="target", bold=True)
    return drawing


def mass_by_hand(
    image: Tensor,
    cell: int,
    heads: Sequence[Sequence[float]],
    names: Sequence[str] = ("one head", "another head"),
) -> Drawing:
    """Draw a picture, a word's region in it, and the weights of two heads, whose share in the region is their mass."""
    first, second = (weights[cell] for weights in heads)
    drawing = Drawing(
        640,
        276,
        "On the left a picture with a frame around the patch of its first object. Beside it the 25 weights of each of "
        f"two heads as a table, with the same frame: it holds {first:.2f} of the attention of one head, and "
        f"{second:.2f} of that of the other.",
    )
    row, column = divmod(cell, GRID)
    _picture(drawing, image, 10, 58, 150)
    drawing.box(10 + 30 * column - 2, 58 + 30 * row - 2, 34, 34, role="target")
    drawing.text(85, 20, "the region", size=14)
    for left, name, weights in ((195, names[0], heads[0]), (425, names[1], heads[1])):
        drawing.grid(left, 36, _square(weights), cell=40, role="weights", numbers=True)
        drawing.box(left + 40 * column - 2, 36 + 40 * row - 2, 44, 44, role="target")
        drawing.text(left + 100, 20, name, size=14)
        drawing.text(left + 100, 258, f"mass {weights[cell]:.2f}", size=16, bold=True)
    return drawing


def who_may_know() -> Drawing:
    """Draw how patches become rows: all with all, and each by itself."""
    drawing = Drawing(
        640,
        250,
        "On the left five patches, of which the second holds an object. Lines lead from every patch to every row of "
        "the memory, so that any row may know of the object. On the right each patch leads to its own row alone.",
    )
    for left, apart in ((50, False), (370, True)):
        for i in range(5):
            y = 44 + 38 * i
            drawing.box(left, y, 30, 30, "", role="source" if i == 1 else "plain", bold=True)
            for j in range(5):
                if apart and i != j:
                    continue
                role = "source" if i == 1 else "plain"
                drawing.line(left + 34, y + 15, left + 166, 59 + 38 * j, role=role, width=1.8 if i == 1 else 0.6)
            knows = i == 1 or not apart
            drawing.box(left + 170, y + 2, 60, 26, "object?" if knows and i != 1 else "object" if knows else "",
                        role="key" if knows else "plain", size=13)  # fmt: skip
        drawing.text(left + 15, 24, "patches", size=14)
        drawing.text(left + 200, 24, "memory", size=14)
        drawing.text(left + 115, 240, "each by itself" if apart else "encoder blocks", size=14, bold=True)
    return drawing


def meetings() -> Drawing:
    """Draw the three places at which words and a picture can meet, from CLIP to LLaVA and Flamingo."""
    drawing = Drawing(
        640,
        330,
        "Three models, each with words on the left and patches on the right. Late fusion: a text encoder and a vision "
        "encoder make one vector each, and the two are compared. One sequence: patches pass a vision encoder and a "
        "projector, and stand as image tokens in front of the words in a language model with a causal mask. "
        "Cross-attention: patches pass a vision encoder and a resampler; in a frozen language model new layers of "
        "cross-attention, marked, one below each block, attend to them.",
    )
    names = (("late fusion", "CLIP"), ("one sequence", "LLaVA"), ("cross-attention", "Flamingo"))
    for number, (name, model) in enumerate(names):
        left = 12 + 212 * number
        drawing.text(left + 96, 14, name, size=15, bold=True).text(left + 96, 34, model, size=13)
        drawing.text(left + 42, 320, "words", size=13).text(left + 150, 320, "patches", size=13)
        for i in range(4):
            drawing.box(left + 6 + 19 * i, 286, 15, 18, role="query")
            drawing.box(left + 112 + 19 * i, 286, 15, 18, role="key")
        drawing.arrow(left + 150, 282, left + 150, 264, role="key")
        drawing.box(left + 110, 224, 80, 38, "vision\nencoder", role="key", size=13)
        if number == 0:
            drawing.arrow(left + 42, 282, left + 42, 264, role="query")
            drawing.box(left + 2, 224, 80, 38, "text\nencoder", role="query", size=13)
            drawing.arrow(left + 42, 222, left + 72, 150, role="query")
            drawing.arrow(left + 150, 222, left + 120, 150, role="key")
            drawing.box(left + 40, 110, 112, 38, "cosine of\ntwo vectors", role="state", size=13)
            continue
        drawing.box(left + 48, 52, 96, 28, "answer", role="target")
        drawing.arrow(left + 96, 104, left + 96, 82)
        if number == 1:
            drawing.arrow(left + 42, 282, left + 42, 166, role="query")
            drawing.arrow(left + 150, 222, left + 150, 206, role="key")
            drawing.box(left + 110, 178, 80, 26, "projector", role="strong", size=13)
            drawing.arrow(left + 150, 176, left + 150, 160, role="key")
            drawing.box(left + 4, 106, 186, 52, "language model,\ncausal mask", role="state", size=13)
        else:
            drawing.arrow(left + 46, 282, left + 46, 222, role="query")
            for top in (106, 166):
                drawing.box(left + 2, top, 90, 26, "LM block", role="state", size=13)
                drawing.box(left + 2, top + 30, 90, 22, "cross-att.", role="strong", size=13)
            drawing.arrow(left + 150, 222, left + 150, 202, role="key")
            drawing.box(left + 114, 174, 76, 26, "resampler", role="strong", size=13)
            drawing.arrow(left + 122, 172, left + 96, 150, role="key")
            drawing.arrow(left + 112, 192, left + 96, 205, role="key")
    return drawing


def cosine_matrix(
    images: Tensor, captions: Sequence[Sequence[str]], cosines: Sequence[Sequence[float]], cell: int = 44
) -> Drawing:
    """Draw the cosines of pictures and captions, with the picture of each row and the caption of each column.

    Args:
        images: ``(n, 3, height, width)``.
        captions: the words of each.
        cosines: a row for each picture.
        cell: width and height of a cell.
    """
    count = len(images)
    own = [cosines[i][i] for i in range(count)]
    others = [x for i, row in enumerate(cosines) for j, x in enumerate(row) if i != j]
    drawing = Drawing(
        476,
        34 + cell * count,
        f"A table of cosines, a row for each of {count} pictures, which stand on the left, and a column for each of "
        f"their captions, which stand on the right. The diagonal, where they belong together, holds {min(own):.2f} to "
        f"{max(own):.2f} and is darker than the rest, which goes up to {max(others, default=0.0):.2f}.",
    )
    left, top = cell + 6, 30
    columns = [str(i + 1) for i in range(count)]
    drawing.grid(left, top, cosines, cell=cell, columns=columns, numbers=True)
    for i, (image, words) in enumerate(zip(images, captions, strict=True)):
        _picture(drawing, image, 1, top + 2 + cell * i, cell - 4)
        drawing.text(left + cell * count + 12, top + cell * (i + 0.5), str(i + 1), size=13)
        for line, part in enumerate((words[:3], words[3:5], words[5:])):
            y = top + cell * i + 8 + 14 * line
            drawing.text(left + cell * count + 22, y, " ".join(part), size=11, anchor="start")
    return drawing


def looking(image: Tensor, words: Sequence[str], looks: Sequence[Sequence[float]]) -> Drawing:
    """Make a figure to step through: for each word that is written, how the last layer shares out its attention.

    Args:
        image: ``(3, height, width)``.
        words: that were written, at most ten.
        looks: for each word 25 weights.
    """
    drawing = Drawing(
        480,
        306,
        "A picture of shapes, the caption that a model writes, word by word, and beside it the model's weights over "
        "the 25 patches while it writes the word, the largest of them darkest.",
    )
    _picture(drawing, image, 10, 76, 215)
    drawing.text(117, 62, "the picture", size=13).text(362, 62, "the weights", size=13)
    places = _places(words)
    for word, (x, y) in zip(words, places, strict=True):
        drawing.text(x, y, word + "\u200b", size=14, anchor="start")  # a single letter would be taken for a symbol
    for word, look, (x, y) in list(zip(words, looks, places, strict=True))[1:]:  # the first is the article
        best = max(range(len(look)), key=look.__getitem__)
        row, column = divmod(best, GRID)
        drawing.step(f"{word}: most weight, {look[best]:.2f}, lies on the patch in row {row + 1}, column {column + 1}.")
        if (x, y) != places[-1]:  # without a script the last step is shown
            drawing.only()
        drawing.box(x - 4, y - 12, 8.2 * len(word) + 8, 24, role="target")
        drawing.grid(255, 76, _square([weight / look[best] for weight in look]), cell=43, role="weights")
        drawing.box(10 + 43 * column, 76 + 43 * row, 43, 43, role="target")
    return drawing


def _picture(drawing: Drawing, image: Tensor, x: float, y: float, width: float) -> None:
    drawing.picture(x, y, width, png_address(image))
    for i in range(GRID + 1):
        at = width * i / GRID
        drawing.line(x + at, y, x + at, y + width, role="masked", width=0.8)
        drawing.line(x, y + at, x + width, y + at, role="masked", width=0.8)


def _square(weights: Sequence[float]) -> list[list[float]]:
    return [list(weights[start : start + GRID]) for start in range(0, GRID * GRID, GRID)]


def _places(words: Sequence[str]) -> list[tuple[float, float]]:
    places, x, y = [], 10.0, 16.0
    for word in words:
        if x + 8.2 * len(word) > 470:
            x, y = 10.0, y + 24
        places.append((x, y))
        x += 8.2 * len(word) + 14
    return places
