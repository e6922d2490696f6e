"""Drawings of chapter 04: one sequence in three roles, and the route of a batch through the shapes of attention."""

import math

from drawings.drawing import Drawing

# The toy of chapter 04: the cat sleeps; its features are article, noun and verb.
WORDS = ("the", "cat", "sleeps")
W_QUERY = ((0.0,), (0.0,), (math.log(2),))
W_KEY = ((0.0,), (3.0,), (0.0,))
W_VALUE = ((1.0, 0.0), (0.0, 1.0), (0.0, 0.0))
_CELL = 28


def _numbers(drawing: Drawing, x: float, y: float, rows, role: str) -> None:
    """Draw a small matrix with its numbers."""
    for i, row in enumerate(rows):
        for j, number in enumerate(row):
            digits = f"{number:.2f}".lstrip("0") if number % 1 else f"{number:.0f}"
            drawing.tensor(x + _CELL * j, y + _CELL * i, _CELL, _CELL, digits, role=role, size=13)


def three_roles() -> Drawing:
    """Draw how three matrices make queries, keys and values of one sentence, and what the verb fetches."""
    weights = [[1 / 3] * 3, [1 / 3] * 3, [0.1, 0.8, 0.1]]
    output = [[1 / 3, 1 / 3], [1 / 3, 1 / 3], [0.1, 0.8]]
    drawing = Drawing(
        480,
        376,
        "The matrix X has a row for each word of the cat sleeps, with a 1 for article, noun or verb. Three arrows lead "
        "to the matrices W Q, W K and W V, and these make Q, in which only sleeps has a number, K, in which only cat "
        "has one, and V, whose two columns say article and noun. Q and K give the weights: the row of sleeps has 0.80 "
        "at cat, the other rows are even. Weights and V give the output: the row of sleeps is 0.10 and 0.80.",
    )
    side = 3 * _CELL
    _numbers(drawing, 56, 148, [[float(i == j) for j in range(3)] for i in range(3)], "source")
    drawing.text(98, 132, "X", size=17)
    for i, word in enumerate(WORDS):
        drawing.text(50, 148 + _CELL * (i + 0.5), word, size=13, anchor="end")
    lanes = ((36, "Q", "query", W_QUERY), (148, "K", "key", W_KEY), (260, "V", "value", W_VALUE))
    for top, letter, role, matrix in lanes:
        middle, wide = top + side / 2, _CELL * len(matrix[0])
        drawing.arrow(142, 190 + (middle - 190) * 0.2, 174, middle, role=role)
        drawing.text(176 + wide / 2, top - 14, f"W_{letter}", size=15)
        _numbers(drawing, 176, top, matrix, role)
        drawing.arrow(178 + wide, middle, 264, middle, role=role)
        drawing.text(266 + wide / 2, top - 14, letter, size=17)
        _numbers(drawing, 266, top, matrix, role)  # X is the identity
    drawing.text(428, 56, "weights", size=14)
    drawing.grid(386, 70, weights, cell=_CELL, rows=WORDS, numbers=True)
    drawing.arrow(296, 78, 334, 96, role="query").arrow(296, 186, 334, 136, role="key")
    drawing.text(428, 248, "output", size=14)
    _numbers(drawing, 400, 260, output, "value")
    drawing.arrow(428, 157, 428, 236, role="weights").arrow(324, 302, 397, 302, role="value")
    return drawing


def _sheets(drawing: Drawing, x: float, y: float, width: float, height: float, label: str, role: str) -> None:
    """Draw a batch of matrices, one sheet behind the other."""
    for back in (2, 1):
        drawing.tensor(x + 6 * back, y - 6 * back, width, height, role=role)
    drawing.tensor(x, y, width, height, label, role=role, size=17)


def route_of_a_batch() -> Drawing:
    """Draw the shapes of self-attention from a batch of sentences to its output."""
    drawing = Drawing(
        480,
        478,
        "From top to bottom. X, a stack of sheets, batch by n by d. Three arrows, W Q, W K and W V, lead to Q and K, "
        "batch by n by d k, and V, batch by n by d v. Q and K make the scores, and softmax the weights A, batch by n "
        "by n. A and V make the output, batch by n by d v.",
    )
    _sheets(drawing, 198, 22, 84, 64, "X", "source")
    drawing.text(308, 54, "(batch, n, d)", size=13, anchor="start", code=True)
    places = ((58, 42, "Q", "query", "(batch, n, d_k)"), (206, 42, "K", "key", "(batch, n, d_k)"),
              (352, 56, "V", "value", "(batch, n, d_v)"))  # fmt: skip
    for x, wide, letter, role, shape in places:
        middle = x + wide / 2
        drawing.arrow(240 + (middle - 240) * 0.2, 90, middle, 146, role=role)
        drawing.text(middle + (34 if letter != "Q" else -30), 118, f"W_{letter}", size=15)
        _sheets(drawing, x, 162, wide, 64, letter, role)
        drawing.text(middle, 244, shape, size=13, code=True)
    _sheets(drawing, 122, 294, 64, 64, "A", "weights")
    drawing.arrow(82, 254, 132, 282, role="query").arrow(224, 254, 182, 280, role="key")
    drawing.text(206, 306, "softmax of each row", size=13, anchor="start")
    drawing.text(154, 376, "(batch, n, n)", size=13, code=True)
    _sheets(drawing, 262, 396, 56, 64, "AV", "value")
    drawing.arrow(192, 344, 258, 416, role="weights").arrow(378, 254, 312, 380, role="value")
    drawing.text(342, 428, "(batch, n, d_v)", size=13, anchor="start", code=True)
    return drawing
