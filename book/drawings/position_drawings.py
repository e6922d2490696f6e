"""Drawings of chapter 08: what attention knows of order, and where positions can be put."""

import math

from drawings.drawing import Drawing


def shuffled_words() -> Drawing:
    """Draw two orders of three words, and the same answers coming out in the new order."""
    drawing = Drawing(
        640,
        190,
        "Left: the words dog, bites, man enter attention, and the answers a, b, c come out. Right: man, bites, dog "
        "enter, and the answers c, b, a come out: each word keeps its answer.",
    )
    answer = {"dog": "a", "bites": "b", "man": "c"}
    for left, words in ((20, ("dog", "bites", "man")), (350, ("man", "bites", "dog"))):
        for i, word in enumerate(words):
            x = left + 95 * i
            drawing.box(x, 10, 80, 32, word, role="source")
            drawing.arrow(x + 40, 44, x + 40, 72, role="source")
            drawing.arrow(x + 40, 114, x + 40, 142, role="state")
            drawing.tensor(x + 12, 144, 56, 32, answer[word], role="state")
        drawing.box(left, 74, 270, 38, "attention, no positions", role="plain")
    return drawing


def _circle(drawing: Drawing, x: float, y: float, radius: float) -> None:
    corners = [(x + radius * math.sin(k * math.pi / 3), y - radius * math.cos(k * math.pi / 3)) for k in range(7)]
    bow = radius * (1 / math.cos(math.pi / 6) - math.cos(math.pi / 6)) / 2  # a bend that touches the circle's tangents
    for (x1, y1), (x2, y2) in zip(corners, corners[1:], strict=False):
        drawing.line(x1, y1, x2, y2, role="plain", bend=bow, width=1)


def clocks() -> Drawing:
    """Draw the hands of three column pairs at six positions."""
    drawing = Drawing(
        440,
        330,
        "Three rows of six clocks, for the positions 0 to 5. In the first row the hand rotates by one radian at each "
        "position, in the second by a tenth of a radian, in the third it hardly moves.",
    )
    radius = 30
    first, apart = 74, 66
    for t in range(6):
        drawing.text(first + apart * t, 14, f"{t}", size=15, bold=True)
    drawing.text(6, 14, "t =", size=15, anchor="start")
    for row, (speed, name) in enumerate(((1.0, "1 radian"), (0.1, "0.1 radian"), (0.01, "0.01 radian"))):
        y = 88 + 104 * row
        drawing.text(
            first - radius, y - 44, f"columns {2 * row}, {2 * row + 1}: {name} a step", size=14, anchor="start"
        )
        for t in range(6):
            x = first + apart * t
            _circle(drawing, x, y, radius)
            if t and speed > 0.01:
                before = speed * (t - 1)
                drawing.line(x, y, x + 23 * math.sin(before), y - 23 * math.cos(before), role="masked", dashed=True)
            angle = speed * t
            drawing.arrow(
                x, y, x + (radius - 2) * math.sin(angle), y - (radius - 2) * math.cos(angle), role="query", width=2.4
            )
    return drawing


def split_columns() -> Drawing:
    """Draw one row of the input whose fast columns tell the position and whose slow columns tell the word."""
    drawing = Drawing(
        450,
        176,
        "A row of 32 columns. Its first 20, fast, hold the position alone and feed queries and keys. Its last 12, "
        "slow, hold the word and feed the values.",
    )
    drawing.text(140, 14, "20 fast columns", size=15).text(366, 14, "12 slow columns", size=15)
    drawing.box(4, 30, 272, 44, "the position alone", role="plain", size=16)
    drawing.box(280, 30, 166, 44, "the word", role="value", size=16)
    drawing.arrow(66, 76, 66, 122, role="query")
    drawing.text(74, 99, "rotated back by 2", size=14, anchor="start")
    drawing.arrow(212, 76, 212, 122, role="key")
    drawing.arrow(363, 76, 363, 122, role="value")
    drawing.box(14, 124, 104, 40, "query", role="query", size=16)
    drawing.box(160, 124, 104, 40, "key", role="key", size=16)
    drawing.box(311, 124, 104, 40, "value", role="value", size=16)
    return drawing


def turned_pair() -> Drawing:
    """Draw one column pair of a query and a key, rotated by two pairs of positions with the same offset."""
    drawing = Drawing(
        440,
        236,
        "Two dials. At positions 2 and 0 the key points to the right and the query 2 radians further, against the "
        "clock. At positions 5 and 3 both have been rotated on by 3 radians, and the angle between them is the same.",
    )
    radius, y = 76, 134
    for x, query, key in ((98, 2, 0), (340, 5, 3)):
        drawing.text(x, 16, f"positions {query} and {key}", size=16, bold=True)
        _circle(drawing, x, y, radius)
        steps = [key + (query - key) * i / 6 for i in range(7)]
        arc = [(x + 34 * math.cos(a), y - 34 * math.sin(a)) for a in steps]
        for (x1, y1), (x2, y2) in zip(arc, arc[1:], strict=False):
            drawing.line(x1, y1, x2, y2, role="weights", width=2)
        middle = (query + key) / 2
        drawing.text(x + 58 * math.cos(middle), y - 50 * math.sin(middle), "2 radians", size=13)
        for angle, role, name in ((query, "query", "q"), (key, "key", "k")):
            across, up = math.cos(angle), math.sin(angle)
            drawing.arrow(x, y, x + (radius - 2) * across, y - (radius - 2) * up, role=role, width=2.6)
            drawing.text(x + (radius + 16) * across, y - (radius + 16) * up, name, size=17, role=role, bold=True)
    return drawing


def offset_matrices() -> Drawing:
    """Draw what three kinds of relative positions give the scores for each query and key."""
    drawing = Drawing(
        640,
        222,
        "Three four by four tables of queries down and keys across, their upper right halves masked. Left: the offset "
        "from 0 to 3, the same along each diagonal. Middle: offsets clipped at 2. Right: minus slope times offset.",
    )
    cell, size = 40, 4
    panels = (
        (30, "offset i − j", lambda k: f"{k}", lambda k: (k + 1) / (size + 1)),
        (244, "clipped at 2", lambda k: f"{min(k, 2)}", lambda k: (min(k, 2) + 1) / (size + 1)),
        (458, "ALiBi: times λ", lambda k: f"−{k}" if k else "0", lambda k: k / (size + 1)),
    )
    for left, title, words, depth in panels:
        drawing.text(left + cell * size / 2, 14, title, size=15, bold=True)
        values = [[0.7 * depth(i - j) if j <= i else None for j in range(size)] for i in range(size)]
        drawing.grid(left, 52, values, cell=cell, role="weights", columns=[f"k_{j}" for j in range(size)],
                     rows=[f"q_{i}" for i in range(size)])  # fmt: skip
        for i in range(size):
            for j in range(i + 1):
                drawing.text(left + (j + 0.5) * cell, 52 + (i + 0.5) * cell, words(i - j), size=14)
    return drawing
