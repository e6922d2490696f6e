"""Drawings of chapter 11: what is left to draw from, decoding with kept keys and values, what is computed twice."""

from collections.abc import Sequence

from drawings.drawing import Drawing


def growing_cache() -> Drawing:
    """Write three words, and let the table of keys and values grow by one row for each."""
    drawing = Drawing(
        400,
        270,
        "A decoder reads BOS, le, chat, one at a time. Each gives a query, a key and a value. Key and value become a "
        "new row of a table, the query reads all rows of it and is forgotten, and the next word comes out.",
    )
    words, rows = ("BOS", "le", "chat", "dort"), (56, 114, 172)

    def project(y: float) -> None:
        for x, name, role in ((94, "q", "query"), (130, "k", "key"), (166, "v", "value")):
            drawing.tensor(x, y - 14, 34, 28, name, role=role)
        drawing.arrow(66, y, 90, y, role="state")

    def keep(y: float, word: str, number: int) -> None:
        drawing.arrow(204, y, 242, y, role="value")
        drawing.tensor(248, y - 14, 52, 28, f"k_{number}", role="key")
        drawing.tensor(302, y - 14, 52, 28, f"v_{number}", role="value")
        drawing.text(359, y, word, anchor="start", size=15)

    drawing.text(310, 16, "kept: the cache", bold=True)
    drawing.text(147, 16, "computed now", bold=True)
    drawing.code(
        "x = embedding(word, position=t)\n"
        "q, k, v = x @ W_q, x @ W_k, x @ W_v\n"
        "table.append((k, v))\n"
        "y = attend(q, table)\n"
        "word = most_probable(y)"
    )
    drawing.step("The first word to read is BOS.", line=1)
    drawing.box(4, rows[0] - 17, 60, 34, "BOS", role="target")
    drawing.step("Its vector is projected to a query, a key and a value.", line=2)
    project(rows[0])
    drawing.step("Key and value become the first row of the table. They will never change again.", line=3)
    keep(rows[0], "BOS", 1)
    drawing.step("The query reads the table, one row so far. Nobody will need this query again.", line=4)
    drawing.only()
    drawing.arrow(111, rows[0] - 15, 272, rows[0] - 16, role="query", bend=9)
    drawing.step("Out comes the next word, le. It is what the decoder reads next.", line=5)
    drawing.box(4, rows[1] - 17, 60, 34, words[1], role="target")
    drawing.arrow(34, rows[0] + 18, 34, rows[1] - 18, role="target")
    drawing.step("le adds one row, and its query reads two. Nothing is computed for BOS.", line=3)
    project(rows[1])
    keep(rows[1], words[1], 2)
    drawing.step(
        "chat adds the third row and reads three. The work of a step stays the same but for this reading.", line=4
    )
    drawing.box(4, rows[2] - 17, 60, 34, words[2], role="target")
    drawing.arrow(34, rows[1] + 18, 34, rows[2] - 18, role="target")
    project(rows[2])
    keep(rows[2], words[2], 3)
    drawing.step(
        "And so on to EOS. The table costs memory: one key and one value for each word, head and layer.", line=5
    )
    drawing.box(4, 213, 60, 34, words[3], role="target")
    drawing.arrow(34, rows[2] + 18, 34, 212, role="target")
    drawing.text(302, 218, "one row a word,", size=15)
    drawing.text(302, 240, "in every layer and head", size=15)
    return drawing


def computed_positions(length: int = 6) -> Drawing:
    """Compare which positions go through the decoder in each step, without a cache and with one."""
    drawing = Drawing(
        600,
        250,
        f"Two triangles of cells, a row for each step and a column for each position. Without a cache all cells of the "
        f"triangle are computed, {length * (length + 1) // 2}; with a cache the last cell of each row, {length}.",
    )
    names = [f"{step + 1}" for step in range(length)]
    for left, title, kept in ((60, "without a cache", 1.0), (370, "with a cache", 0.12)):
        cells = [[(1.0 if j == i else kept) if j <= i else 0.0 for j in range(length)] for i in range(length)]
        drawing.grid(left, 70, cells, cell=26, role="state", rows=names, columns=names)
        drawing.text(left + 13 * length, 24, title, bold=True)
        drawing.text(left + 13 * length, 44, "position", size=13)
        count = length if kept < 1 else length * (length + 1) // 2
        drawing.text(left + 13 * length, 240, f"{count} computed", size=13)
    drawing.text(24, 148, "step", size=13)
    return drawing


def what_stays(places: dict[str, tuple[Sequence[str], dict[str, Sequence[float]]]]) -> Drawing:
    """Show the probabilities of the next word, as they are and after each way to cut them, at several places.

    Args:
        places: for each place its name, the most probable words there, in order, and for each way its name and the
            probabilities of those words; 0 is drawn as cut.
    """
    cell, above = 40, 118  # above the cells of a place stand its name and the words
    told = (
        f"{place}: "
        + "; ".join(
            f"{way}: " + ", ".join(f"{word} {p:.2f}" for word, p in zip(words, row, strict=True))
            for way, row in ways.items()
        )
        for place, (words, ways) in places.items()
    )
    drawing = Drawing(
        480,
        sum(above + 10 + cell * len(ways) for _, ways in places.values()),
        "A row of probabilities of the next word for each way to draw. " + ". ".join(told),
    )
    top = 0
    for place, (words, ways) in places.items():
        values = [[p if p > 0 else None for p in row] for row in ways.values()]
        drawing.text(14, top + 20, place, anchor="start", size=15, bold=True)
        drawing.grid(
            106,
            top + above,
            values,
            cell=cell,
            rows=list(ways),
            columns=words,
            numbers=True,
            turned=True,
            role="target",
        )
        top += above + 10 + cell * len(ways)
    return drawing
