"""Drawings of chapter 07: how heads are cut, what they write, and which keys they share."""

from drawings.drawing import Drawing

_HEADS = ("source", "target", "masked")  # a colour for each head, where only heads are told apart


def one_layer() -> Drawing:
    """Draw multi-head attention as a whole, from three inputs to one output."""
    drawing = Drawing(
        640,
        330,
        "Queries, keys and values each pass one large projection and are cut into three heads. Each head attends for "
        "itself. Their findings are put side by side and projected once more.",
    )
    for i, (name, role) in enumerate((("query", "query"), ("key", "key"), ("value", "value"))):
        y = 40 + 96 * i
        drawing.tensor(40, y, 56, 56, "QKV"[i], rows="mnn"[i], columns="d" if i == 0 else "", role=role)
        drawing.arrow(98, y + 28, 122, y + 28, role=role)
        drawing.box(124, y + 6, 62, 44, f"W_{'QKV'[i]}", role=role)
        drawing.arrow(188, y + 28, 212, y + 28, role=role)
        for j, head in enumerate(_HEADS):
            drawing.tensor(214 + 24 * j, y, 22, 56, role=head)
        drawing.text(250, y + 70, name, size=13)
    for j, head in enumerate(_HEADS):
        y = 40 + 96 * j
        drawing.box(338, y + 4, 104, 48, f"head {j}", role=head)
        for i in range(3):
            drawing.line(290, 68 + 96 * i, 336, y + 28, role=head, width=1)
        drawing.arrow(444, y + 28, 482, 136 + 28 * j - 10, role=head)
        drawing.tensor(484 + 20 * j, 122, 20, 84, role=head)
    drawing.text(514, 222, "side by side", size=13)
    drawing.arrow(548, 164, 568, 164, role="plain")
    drawing.box(570, 142, 60, 44, "W_O", role="plain")
    drawing.arrow(600, 188, 600, 238, role="plain")
    drawing.tensor(572, 240, 56, 56, "", role="state")
    drawing.text(600, 312, "output", size=13)
    return drawing


def split_and_merge() -> Drawing:
    """Draw how columns become heads and heads become columns again."""
    drawing = Drawing(
        640,
        250,
        "A table of n words by d columns, in three coloured blocks of columns, is cut into three tables of n words by "
        "d_k columns, one for each head; merging puts them side by side again.",
    )
    width, rows = 52, 4
    for j, head in enumerate(_HEADS):
        drawing.tensor(40 + width * j, 80, width, 30 * rows, role=head)
        drawing.tensor(300 + 18 * j, 44 + 62 * j, width, 50, f"head {j}", rows="n" if j == 0 else "",
                       columns="d_k" if j == 0 else "", role=head, size=13)  # fmt: skip
        drawing.tensor(476 + width * j, 80, width, 30 * rows, role=head)
    for left in (40, 476):
        for i in range(1, rows):
            drawing.line(left, 80 + 30 * i, left + 3 * width, 80 + 30 * i, role="plain", width=0.8)
        drawing.text(left + 1.5 * width, 68, "d", size=14).text(left - 8, 140, "n", size=14, anchor="end")
    drawing.arrow(204, 140, 276, 140, role="plain", label="split")
    drawing.arrow(396, 140, 452, 140, role="plain", label="merge")
    drawing.text(118, 222, "one row: one word", size=13)
    return drawing


def output_blocks() -> Drawing:
    """Draw the output projection as blocks of rows, each of which lets one head write."""
    drawing = Drawing(
        640,
        268,
        "Two heads. Head 0 found who, its block of W_O writes into the first columns of the output. Head 1 found whom, "
        "its block writes into the last columns. The sum of the two keeps both.",
    )
    for i, (found, head) in enumerate((("she", "source"), ("dog", "target"))):
        y = 34 + 82 * i
        drawing.tensor(30, y, 90, 40, found, columns="d_k" if i == 0 else "", role=head)
        drawing.text(136, y + 20, "×", size=18)
        block = [[0.85 if (j < 4) == (i == 0) else 0.04 for j in range(8)] for _ in range(2)]
        drawing.grid(156, y, block, cell=20, role=head)
        drawing.text(332, y + 20, "=", size=18)
        written = [[0.85 if (j < 4) == (i == 0) else 0.04 for j in range(8)]]
        drawing.grid(356, y + 10, written, cell=21, role=head)
        drawing.text(582, y + 20, f"head {i} writes", size=14)
    drawing.text(236, 20, "its rows of W_O", size=14).text(440, 20, "d columns", size=14)
    drawing.text(330, 206, "+", size=18)
    drawing.line(356, 192, 524, 192, role="plain")
    drawing.grid(356, 204, [[0.85] * 4], cell=21, role="source")
    drawing.grid(440, 204, [[0.85] * 4], cell=21, role="target")
    drawing.text(398, 244, "who", size=14).text(482, 244, "whom", size=14)
    drawing.text(582, 214, "their sum", size=14)
    return drawing


def shared_keys() -> Drawing:
    """Draw four query heads with four, two and one set of keys and values."""
    drawing = Drawing(
        640,
        190,
        "Four query heads three times: with four sets of keys and values, with two sets that two heads each share, and "
        "with a single set for all.",
    )
    for left, title, groups in ((20, "multi-head", 4), (236, "grouped", 2), (452, "multi-query", 1)):
        drawing.text(left + 84, 14, title, size=15, bold=True)
        share = 4 // groups
        for j in range(4):
            drawing.box(left + 44 * j, 36, 36, 34, "q", role="query", size=15)
        for g in range(groups):
            x = left + 44 * share * (g + 0.5) - 4 - 18
            for j in range(g * share, (g + 1) * share):
                drawing.line(left + 44 * j + 18, 72, x + 18, 116, role="query")
            drawing.box(x, 118, 18, 34, "k", role="key", size=15)
            drawing.box(x + 20, 118, 18, 34, "v", role="value", size=15)
    drawing.text(104, 174, "4 pairs kept", size=14).text(320, 174, "2", size=14).text(536, 174, "1", size=14)
    return drawing
