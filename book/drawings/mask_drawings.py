"""Drawings of chapter 06: masks over one sentence, and the place of a mask in attention."""

from drawings.drawing import Drawing

_WORDS = ("the", "cat", "sleeps", "PAD", "PAD")
_CELL = 26


def _cells(size: int, allowed) -> list[list[float | None]]:
    return [[0.55 if allowed(i, j) else None for j in range(size)] for i in range(size)]


def four_masks() -> Drawing:
    """Draw who may attend to whom in one sentence with padding: no mask, padding, causal, both."""
    drawing = Drawing(
        640,
        250,
        "Four grids of five by five cells side by side for the sentence 'the cat sleeps PAD PAD'. None: all cells are "
        "open. Padding: the last two columns are crossed out. Causal: everything above the diagonal is crossed out. "
        "Both: what either of the two crosses out; a triangle of three rows is left, and below it a block of three "
        "columns.",
    )
    masks = {
        "none": lambda i, j: True,
        "padding": lambda i, j: j < 3,
        "causal": lambda i, j: j <= i,
        "both": lambda i, j: j <= i and j < 3,
    }
    for place, (name, allowed) in enumerate(masks.items()):
        x = 66 + place * 146
        drawing.grid(x, 66, _cells(5, allowed), cell=_CELL, role="key", rows=_WORDS if place == 0 else (),
                     columns=_WORDS, turned=True)  # fmt: skip
        drawing.text(x + 2.5 * _CELL, 218, name, bold=True)
    return drawing


def lined_up() -> Drawing:
    """Draw how a padding mask of one row and a causal mask of all rows are repeated and combined."""
    drawing = Drawing(
        640,
        206,
        "Left: a padding mask of one row, three open cells and two crossed out, with an arrow down that repeats it for "
        "all queries. Middle: a causal triangle. Right: the combination, in which a cell is open only if both are.",
    )
    top, size = 46, 24
    drawing.grid(30, top, _cells(5, lambda i, j: j < 3)[:1], cell=size, role="key")
    drawing.arrow(90, top + size + 6, 90, top + 5 * size, role="plain", dashed=True)
    drawing.text(100, top + 3 * size, "repeated", anchor="start", size=13)
    drawing.text(200, top + 2.5 * size, "and", bold=True)
    drawing.grid(250, top, _cells(5, lambda i, j: j <= i), cell=size, role="query")
    drawing.text(420, top + 2.5 * size, "=", size=20)
    drawing.grid(470, top, _cells(5, lambda i, j: j <= i and j < 3), cell=size, role="strong")
    for x, name in ((90, "(B, 1, 1, n)"), (310, "(m, n)"), (530, "(B, 1, m, n)")):
        drawing.text(x, 188, name, code=True, size=13)
    for x, name in ((90, "padding"), (310, "causal"), (530, "both")):
        drawing.text(x, 22, name)
    return drawing


def before_and_after() -> Drawing:
    """Draw one query's way from scores to weights with the mask before softmax, and after it."""
    drawing = Drawing(
        640,
        316,
        "Two rows of boxes. Above, masked before softmax: of four scores the last two are crossed out, softmax forms "
        "its sum from the two visible ones, and the two visible weights follow. Below, masked after softmax: all four "
        "scores enter the sum, and the last two weights are crossed out too late; a dashed arrow leads from the "
        "hidden scores through the sum to the visible weights. That is the leak.",
    )
    cell = 34
    for top, title in ((36, "mask before softmax"), (196, "mask after softmax")):
        drawing.text(20, top - 16, title, anchor="start", bold=True)
    open_row, hidden = [0.35, 0.35, 0.35, 0.35], [0.5, 0.5, None, None]
    drawing.grid(20, 60, [[0.35, 0.35, None, None]], cell=cell, role="key")
    drawing.grid(20, 220, [open_row], cell=cell, role="key")
    drawing.grid(484, 60, [hidden], cell=cell, role="weights")
    drawing.grid(484, 220, [[0.3, 0.3, None, None]], cell=cell, role="weights")
    for top in (60, 220):
        middle = top + cell / 2
        drawing.text(88, top + cell + 16, "scores").text(552, top + cell + 16, "weights")
        drawing.box(250, top - 8, 140, cell + 16, "softmax:\ndivide by the sum", role="plain", size=13)
        drawing.arrow(160, middle, 246, middle)
        drawing.arrow(394, middle, 480, middle)
    drawing.text(203, 62, "−∞", role="masked", size=15)
    drawing.text(437, 222, "times 0", role="masked", size=13)
    drawing.arrow(124, 258, 262, 266, role="target", bend=-26, dashed=True)
    drawing.arrow(380, 266, 514, 258, role="target", bend=-26, dashed=True)
    drawing.text(320, 296, "the leak", role="target", bold=True)
    return drawing


def other_masks() -> Drawing:
    """Draw three masks that Transformers use beside the four: documents, sliding window, prefix."""
    drawing = Drawing(
        640,
        212,
        "Three grids of seven by seven cells. Documents: two triangles on the diagonal, of three and of four rows, "
        "nothing between them. Sliding window: a band of three cells along the diagonal. Prefix: the first three "
        "columns are open to all rows, the rest is a triangle.",
    )
    masks = {
        "documents": lambda i, j: j <= i and (i < 3) == (j < 3),
        "sliding window": lambda i, j: i - 3 < j <= i,
        "prefix": lambda i, j: j <= i or j < 3,
    }
    for place, (name, allowed) in enumerate(masks.items()):
        x = 24 + place * 214
        drawing.grid(x, 16, _cells(7, allowed), cell=23, role="key")
        drawing.text(x + 3.5 * 23, 196, name, bold=True)
    return drawing
