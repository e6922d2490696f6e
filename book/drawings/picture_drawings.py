"""Drawings of chapter 15: a picture as a sequence, two ways to cut it, where a patch stands, and one pixel."""

from torch import Tensor

from drawings.drawing import Drawing

_ROLES = ("query", "key", "value", "target", "source", "weights")


def _pixels(drawing: Drawing, x: float, y: float, image: Tensor, cell: float, patch: int = 2) -> None:
    """Draw the pixels of a grey picture that have ink, and the lines between patches."""
    height, width = image.shape
    for i, row in enumerate(image.tolist()):
        for j, ink in enumerate(row):
            if ink > 0.05:
                drawing.grid(x + j * cell, y + i * cell, [[round(ink, 2)]], cell=cell, role="strong")
    for i in range(height // patch + 1):
        drawing.line(x, y + i * patch * cell, x + width * cell, y + i * patch * cell, width=0.7)
    for j in range(width // patch + 1):
        drawing.line(x + j * patch * cell, y, x + j * patch * cell, y + height * cell, width=0.7)


def whole_model(image: Tensor) -> Drawing:
    """Draw the way of a digit ``(12, 12)`` to ten logits."""
    drawing = Drawing(
        476,
        446,
        "A handwritten digit on 12 by 12 pixels, cut into six by six patches of 2 by 2. Some of the patches stand in a "
        "row; each goes through the same linear layer and becomes a vector. A class token stands in front of them. "
        "A position is added to each. The encoder blocks of chapter 09 follow, and at their end only the class token "
        "is read: norm, linear layer, ten logits.",
    )
    left, step = 144, 46
    _pixels(drawing, 200, 4, image, 9)
    drawing.text(190, 56, "36 patches", size=14, bold=True, anchor="end")
    drawing.arrow(254, 116, 254, 136)
    places = [(1, 2), (1, 3), (2, 1), (2, 2), None, (5, 5)]
    for k, place in enumerate(places):
        x = left + k * step
        if place is None:
            drawing.text(x + 14, 156, "…", size=18).text(x + 14, 238, "…", size=18)
            continue
        i, j = place
        _pixels(drawing, x, 142, image[2 * i : 2 * i + 2, 2 * j : 2 * j + 2], 14)
        drawing.arrow(x + 14, 174, x + 14, 190)
        drawing.box(x, 224, 28, 28, "", role="state")
        drawing.arrow(x + 14, 213, x + 14, 223)
    drawing.box(left - 8, 191, 6 * step - 4, 22, "the same linear layer for each", role="plain", size=13)
    drawing.box(left - step, 224, 28, 28, "", role="target")
    drawing.text(left - step - 8, 238, "class token", anchor="end", size=13, role="target")
    for k in range(7):
        if k == 5:
            continue
        x = left + (k - 1) * step
        drawing.text(x + 14, 264, "+", size=16)
        drawing.box(x, 276, 28, 28, "", role="key", dashed=True)
    drawing.text(left - step - 8, 290, "positions", anchor="end", size=13, role="key")
    for y, shape in ((156, "36 × 4"), (202, "36 × d"), (238, "37 × d"), (339, "37 × d")):
        drawing.text(474, y, shape, anchor="end", size=13)
    drawing.box(left - step - 6, 322, 7 * step - 6, 34, "encoder blocks of chapter 09", role="state")
    drawing.arrow(left - step + 14, 358, left - step + 14, 386, role="target")
    drawing.box(left - step - 40, 388, 108, 30, "norm, linear", role="target", size=13)
    drawing.arrow(left - step + 70, 403, left + 44, 403, role="target")
    drawing.text(left + 54, 403, "ten logits", anchor="start", size=14, bold=True)
    return drawing


def two_cuts() -> Drawing:
    """Draw 4 x 6 pixels cut into squares, and what `reshape` alone makes of them."""
    drawing = Drawing(
        640,
        216,
        "Two pictures of four rows of six pixels, numbered 0 to 23, each in six colours. Left, cut into patches: each "
        "colour is a square of two by two; the first holds 0, 1, 6, 7. Right, reshape alone: each colour is a strip "
        "of four pixels as they follow one another; the first holds 0 to 3, the second 4, 5 and, from the next row, "
        "6 and 7.",
    )
    cell = 36
    cuts = {
        "squares": lambda i, j: (i // 2) * 3 + j // 2,
        "reshape alone": lambda i, j: (6 * i + j) // 4,
    }
    for side, (name, patch_of) in enumerate(cuts.items()):
        left, top = 40 + side * 330, 44
        for i in range(4):
            for j in range(6):
                role = _ROLES[patch_of(i, j)]
                drawing.grid(left + j * cell, top + i * cell, [[0.45]], cell=cell, role=role)
                drawing.text(left + (j + 0.5) * cell, top + (i + 0.5) * cell, str(6 * i + j), size=13)
        drawing.text(left + 3 * cell, 24, name, bold=True)
        first = "0 1 6 7" if side == 0 else "0 1 2 3"
        drawing.text(left + 3 * cell, 204, f"first row of the sequence: {first}", size=13)
    return drawing


def rows_and_columns() -> Drawing:
    """Draw how the place of a patch gets the sum of two vectors."""
    drawing = Drawing(
        420,
        232,
        "A grid of three by three places. Left of each row stands the vector of the row, above each column the vector "
        "of the column. The place in row 1, column 2 is marked: its vector is the sum of the two.",
    )
    cell, left, top = 52, 130, 60
    for k in range(3):
        drawing.box(left - 74, top + k * cell + 14, 56, 24, f"row {k}", role="query", size=13)
        drawing.box(left + k * cell + 2, top - 42, 48, 24, f"col {k}", role="key", size=13)
        for j in range(3):
            chosen = (k, j) == (1, 2)
            drawing.box(left + j * cell + 3, top + k * cell + 3, cell - 6, cell - 6,
                        "sum" if chosen else "", role="weights" if chosen else "plain", size=13)  # fmt: skip
    drawing.arrow(left - 16, top + 1.5 * cell, left + 2 * cell + 2, top + 1.5 * cell, role="query")
    drawing.arrow(left + 2.5 * cell, top - 17, left + 2.5 * cell, top + cell + 2, role="key")
    drawing.text(left + 3 * cell + 10, top + 1.5 * cell, "place (1, 2)", anchor="start", size=13)
    return drawing


def one_pixel(images: list[Tensor], place: tuple[int, int]) -> Drawing:
    """Draw a digit where it stood, moved by one pixel and by one patch, and what one patch holds each time."""
    drawing = Drawing(
        640,
        300,
        "The same digit three times on a grid of patches: not shifted, one pixel further down, and two pixels, which "
        "is one patch. A patch in the same place of the grid is framed and drawn large below. After one pixel it holds "
        "something that none of the patches of the first picture holds. After two it holds what the patch above it "
        "held in the first picture.",
    )
    cell = 13
    (i, j) = place
    titles = ("not shifted", "one pixel down", "two pixels down")
    for k, (image, title) in enumerate(zip(images, titles, strict=True)):
        left = 32 + k * 210
        drawing.text(left + 6 * cell, 18, title, bold=True)
        _pixels(drawing, left, 34, image, cell)
        drawing.box(left + 2 * j * cell - 2, 34 + 2 * i * cell - 2, 2 * cell + 4, 2 * cell + 4, "", role="target")
        drawing.arrow(left + (2 * j + 1) * cell, 38 + (2 * i + 2) * cell, left + 6 * cell, 222, role="target")
        _pixels(drawing, left + 6 * cell - 30, 226, image[2 * i : 2 * i + 2, 2 * j : 2 * j + 2], 30)
    return drawing


def one_layer() -> Drawing:
    """Draw what one output of a convolution sees, and what one patch attends to: a window, or the whole picture."""
    drawing = Drawing(
        640,
        312,
        "Two grids of six by six. Left, a convolution: a framed cell is computed from the three by three cells around "
        "it, with nine weights, drawn as shades. A second window at another place, framed with dashes, has the same "
        "nine shades. Right, attention: a framed patch is computed from all 36 patches, whose weights, drawn as "
        "shades, are largest for some patches near it and some far from it.",
    )
    cell, top = 34, 40
    kernel = ((0.2, 0.9, 0.4), (0.6, 0.3, 0.8), (0.1, 0.7, 0.5))
    far = {(0, 4): 0.9, (1, 4): 0.7, (4, 1): 0.8, (2, 2): 0.6, (2, 1): 0.35, (5, 5): 0.3, (0, 0): 0.25}
    for left, title in ((40, "convolution"), (392, "self-attention")):
        drawing.text(left + 3 * cell, 18, title, bold=True, size=15)
        for i in range(6):
            for j in range(6):
                shade = 0.0 if left == 40 else far.get((i, j), 0.08)
                drawing.grid(left + j * cell, top + i * cell, [[shade]], cell=cell, role="weights")
    for row, column, dashed in ((0, 0, False), (3, 3, True)):
        x, y = 40 + column * cell, top + row * cell
        drawing.grid(x, y, kernel, cell=cell, role="weights")
        drawing.box(x + cell, y + cell, cell, cell, "", role="target", dashed=dashed)
    drawing.box(392 + 2 * cell, top + 2 * cell, cell, cell, "", role="target")
    for i, j in ((0, 4), (1, 4), (4, 1), (5, 5), (0, 0)):
        (x1, y1), (x2, y2) = (
            (392 + (column + 0.5) * cell, top + (row + 0.5) * cell) for row, column in ((i, j), (2, 2))
        )
        near = 0.35 * cell  # it ends at the corner of the framed patch
        drawing.arrow(
            x1, y1, x2 + (near if j > 2 else -near), y2 + (near if i > 2 else -near), role="target", width=1.2
        )
    for left, first, second in (
        (40, "sees its 3 × 3 neighbours", "the same learned weights everywhere"),
        (392, "sees all patches", "weights computed for each picture"),
    ):
        drawing.text(left + 3 * cell, top + 6 * cell + 26, first)
        drawing.text(left + 3 * cell, top + 6 * cell + 48, second)
    return drawing
