"""Drawings of chapter 17: what goes to memory, attention in blocks, two orders of a product, windows in layers."""

from drawings.drawing import Drawing


def two_ways() -> Drawing:
    """Draw what goes to memory and back in plain attention, and in blocks."""
    drawing = Drawing(
        640,
        368,
        "Two panels. Each has the compute units with their SRAM on the left and the large memory, HBM, on the right. "
        "Above, plain attention: Q, K and V come from HBM, then the whole map of scores goes to HBM, comes back, goes "
        "out as weights, and comes back once more, before the output is written. Below, in blocks: only Q, K, V come "
        "and only the output goes; one tile of scores stays in SRAM.",
    )
    for top, tall, title in ((30, 168, "plain"), (236, 124, "in blocks")):
        drawing.text(10, top - 14, title, anchor="start", bold=True)
        drawing.box(10, top, 150, tall, "", role="plain", dashed=True)
        drawing.text(85, top + 18, "compute, SRAM", size=13)
        drawing.box(500, top, 130, tall, "", role="plain")
        drawing.text(565, top + 18, "HBM", size=13)
    ways = ("Q, K, V", "scores out", "scores back", "weights out", "weights back", "output")
    for i, words in enumerate(ways):
        y, large = 54 + 27 * i, 0 < i < 5
        start, end = (164, 496) if i in (1, 3, 5) else (496, 164)
        role = "weights" if large else "key" if i == 0 else "value"
        drawing.arrow(start, y, end, y, role=role, width=4 if large else 1.8)
        drawing.text(330, y - 11, words, size=13)
    drawing.tensor(529, 76, 72, 72, "N × N", role="weights")
    drawing.arrow(496, 272, 164, 272, role="key")
    drawing.text(330, 261, "Q, K, V, block by block", size=13)
    drawing.arrow(164, 336, 496, 336, role="value")
    drawing.text(330, 325, "output", size=13)
    drawing.tensor(74, 266, 22, 66, "", role="weights")
    drawing.text(85, 346, "one tile", size=13)
    return drawing


def through_the_keys() -> Drawing:
    """Draw three blocks of keys that pass by the queries, with what is kept of them, step by step."""
    drawing = Drawing(
        470,
        228,
        "On the left the queries, four rows. To their right the map of scores, cut into three blocks of columns, one "
        "for each block of keys. On the far right what is kept for each query: the largest score, the sum Z, and "
        "the output, d_v wide. In each step one block of columns is filled, what is kept is updated, and the block is "
        "forgotten.",
    )
    top, tall = 66, 120
    drawing.tensor(12, top, 40, tall, "Q", rows="", columns="d_k", role="query")
    drawing.tensor(336, top, 24, tall, "ŝ", role="strong").tensor(366, top, 24, tall, "Z", role="strong")
    drawing.tensor(402, top, 56, tall, "output", columns="d_v", role="value", size=13)
    drawing.text(396, top + tall + 20, "kept", size=13, bold=True)
    for i in range(3):
        drawing.box(66 + 86 * i, top, 80, tall, "", role="masked", dashed=True)
        drawing.text(106 + 86 * i, 26, f"block {i + 1}", role="key", size=13)
    captions = (
        "The scores of all queries with the first block of keys. Each row's largest, its sum and its output are those "
        "of a softmax over this block alone. Then the block of scores is forgotten.",
        "The second block. Where it has a larger score, the old sum and the old output are made smaller by the same "
        "factor; then the new terms are added.",
        "The third block, in the same way. Now the output is the attention to all keys, and no more than one block of "
        "scores was ever there.",
    )
    for i, caption in enumerate(captions):
        drawing.step(caption, line=i + 1)
        drawing.only()
        drawing.tensor(66 + 86 * i, top, 80, tall, "scores", role="weights", size=13)
        drawing.box(66 + 86 * i, 38, 80, 18, "", role="key")
        drawing.arrow(106 + 86 * i, top + tall + 4, 374, top + tall + 30, role="weights", bend=-16)
    return drawing.code("state = take(state, block_1)\nstate = take(state, block_2)\nstate = take(state, block_3)")


def kept_for_backward() -> Drawing:
    """Draw what each way keeps between the forward and the backward pass."""
    drawing = Drawing(
        600,
        214,
        "Left, plain attention keeps Q, K, V and the whole N by N map of weights for the backward pass. Right, in "
        "blocks it keeps Q, K, V, the output and one number for each query, lse; a dashed block of weights is made "
        "anew from Q, K and lse when it is needed.",
    )
    drawing.text(20, 14, "plain keeps", anchor="start", bold=True)
    drawing.text(330, 14, "blocks keep", anchor="start", bold=True)
    for left in (34, 344):
        for i, (name, role) in enumerate((("Q", "query"), ("K", "key"), ("V", "value"))):
            columns = "d_v" if name == "V" else "d_k"
            drawing.tensor(left + 34 * i, 54, 26, 130, name, rows="N" if i == 0 else "", columns=columns, role=role)
    drawing.tensor(150, 54, 130, 130, "A", columns="N", role="weights")
    drawing.tensor(446, 54, 26, 130, "O", columns="d_v", role="value").tensor(482, 54, 10, 130, "", role="strong")
    drawing.text(487, 200, "lse", size=13).text(487, 44, "1", size=13)
    drawing.box(534, 54, 34, 130, "", role="weights", dashed=True)
    drawing.text(551, 44, "block", size=13).text(551, 200, "recomputed", size=13)
    return drawing


def tiling(num_blocks: int = 4) -> Drawing:
    """Draw the map cut into tiles, what is loaded into SRAM for one of them, and the two kinds of memory.

    Args:
        num_blocks: blocks of queries, and as many of keys.

    Returns:
        The drawing.
    """
    drawing = Drawing(
        470,
        452,
        f"Left, Q cut into {num_blocks} blocks of rows; above, K and V cut into {num_blocks} blocks; between them the "
        f"map of scores as {num_blocks} times {num_blocks} dashed tiles. The second row is being computed: its "
        "third tile is filled, and an arrow leads along the row. Below, two boxes: SRAM, small and fast, holds one "
        "block of Q, one of K and V, and one tile; HBM, large and slow, holds Q, K, V and the output. Arrows between "
        "them: each block of Q once, all blocks of K and V once for each block of Q, and the output once.",
    )
    left, top, cell = 96, 62, 46
    for i in range(num_blocks):
        drawing.box(left + cell * i, top - 44, cell - 6, 13, "", role="key")
        drawing.box(left + cell * i, top - 25, cell - 6, 13, "", role="value")
        drawing.box(left - 52, top + cell * i, 18, cell - 6, "", role="query")
        drawing.box(left + num_blocks * cell + 14, top + cell * i, 18, cell - 6, "", role="value")
        for j in range(num_blocks):
            now = (i, j) == (1, 2)
            drawing.box(left + cell * j, top + cell * i, cell - 6, cell - 6, "", role="weights", dashed=not now)
    drawing.text(left - 14, top - 37, "K", size=14).text(left - 14, top - 18, "V", size=14)
    drawing.text(left - 43, top - 18, "Q", size=14).text(left + num_blocks * cell + 23, top - 18, "O", size=14)
    drawing.arrow(left + 4, top + cell * 1.43, left + cell * 1.95, top + cell * 1.43, role="weights")
    drawing.text(340, top + 24, "inner loop:", size=13, anchor="start", bold=True)
    drawing.text(340, top + 43, "blocks of K and V", size=13, anchor="start")
    drawing.text(340, top + 92, "outer loop:", size=13, anchor="start", bold=True)
    drawing.text(340, top + 111, "blocks of Q", size=13, anchor="start")
    low = 278
    drawing.box(10, low, 140, 164, "", role="plain", dashed=True).box(326, low, 134, 164, "", role="plain")
    drawing.text(80, low + 18, "SRAM", bold=True).text(393, low + 18, "HBM", bold=True)
    drawing.text(80, low + 37, "20 MB, 19 TB/s", size=13).text(393, low + 37, "40 GB, 1.5 TB/s", size=13)
    drawing.box(28, low + 72, 14, 40, "", role="query").box(52, low + 72, 40, 11, "", role="key")
    drawing.box(52, low + 101, 40, 11, "", role="value").box(100, low + 72, 40, 40, "", role="weights")
    drawing.text(80, low + 140, "one tile", size=13)
    for i, (name, role) in enumerate((("Q", "query"), ("K", "key"), ("V", "value"), ("O", "value"))):
        drawing.tensor(342 + 28 * i, low + 58, 20, 90, name, role=role)
    for y, words, role, width in ((64, "Q, once", "query", 1.8), (102, f"K, V, {num_blocks} times", "key", 4)):
        drawing.arrow(320, low + y, 156, low + y, role=role, width=width)
        drawing.text(238, low + y - 12, words, size=13)
    return drawing.arrow(156, low + 140, 320, low + 140, role="value").text(238, low + 128, "O, once", size=13)


def shared_keys() -> Drawing:
    """Draw four query heads and the keys and values that they use, in four kinds of attention."""
    drawing = Drawing(
        470,
        436,
        "Four panels, each with four query heads above and what is cached below. Multi-head attention: four keys and "
        "four values, one of each for a head. Grouped-query attention: two of each, for two heads each. Multi-query "
        "attention: one key and one value for all four heads. Multi-head latent attention: one narrow latent, from "
        "which dashed lines lead to a key and a value for each head, none of which is cached.",
    )
    panels = (
        ("MHA", 4, "K, V for each head"),
        ("GQA", 2, "K, V for each group"),
        ("MQA", 1, "K, V for all heads"),
        ("MLA", 4, "one latent for all"),
    )
    for panel, (name, count, words) in enumerate(panels):
        left, top = 12 + 244 * (panel % 2), 16 + 220 * (panel // 2)
        drawing.text(left, top, name, anchor="start", bold=True).text(left + 44, top, words, anchor="start", size=13)
        middles = [left + 35 + 46 * ((2 * i + 1) * 4 / count - 1) / 2 for i in range(count)]
        for head in range(4):
            drawing.line(left + 35 + 46 * head, top + 49, middles[head * count // 4], top + 78, role="query")
            drawing.tensor(left + 22 + 46 * head, top + 22, 26, 26, "Q", role="query", size=13)
        for middle in middles:
            for x, letter, role in ((middle - 18, "K", "key"), (middle + 1, "V", "value")):
                drawing.box(x, top + 83, 17, 42, letter, role=role, dashed=name == "MLA", size=13)
            if name == "MLA":
                drawing.line(middle, top + 128, left + 104, top + 156, role="state", dashed=True)
            else:
                drawing.box(middle - 22, top + 79, 44, 50, "", role="strong")
        if name == "MLA":
            drawing.box(left + 86, top + 154, 36, 42, "", role="strong")
            drawing.tensor(left + 91, top + 159, 26, 32, "c^{KV}", role="state", size=12)
    return drawing


def two_orders() -> Drawing:
    """Draw the product of queries, keys and values in its two orders."""
    drawing = Drawing(
        640,
        272,
        "Two rows of rectangles. Above: Q, tall, times K transposed, wide, is a large N by N square, which times V "
        "gives the output. Below: K transposed times V is a small d_k by d_v square; Q times this square gives the "
        "same shape of output without any N by N square.",
    )
    drawing.text(10, 16, "first queries and keys", anchor="start", bold=True)
    drawing.tensor(22, 44, 24, 84, "Q", rows="N", role="query").text(58, 86, "·")
    drawing.tensor(72, 70, 84, 24, "K^T", columns="N", role="key").text(172, 86, "=")
    drawing.tensor(194, 44, 84, 84, "N × N", role="weights")
    drawing.text(296, 86, "·").tensor(312, 44, 24, 84, "V", role="value").text(354, 86, "=")
    drawing.tensor(374, 44, 24, 84, "O", role="value")
    drawing.text(430, 86, "N^2 numbers on the way", size=14, anchor="start")
    drawing.text(10, 160, "first keys and values", anchor="start", bold=True)
    drawing.tensor(22, 208, 84, 24, "K^T", columns="N", role="key").text(120, 220, "·")
    drawing.tensor(134, 178, 24, 84, "V", role="value").text(174, 220, "=")
    drawing.tensor(194, 208, 24, 24, "", role="weights").text(206, 248, "d_k × d_v", size=13)
    drawing.tensor(270, 178, 24, 84, "Q", role="query").text(306, 220, "·")
    drawing.tensor(320, 208, 24, 24, "", role="weights").text(358, 220, "=")
    drawing.tensor(374, 178, 24, 84, "O", role="value")
    drawing.text(430, 220, "as many for any N", size=14, anchor="start")
    return drawing


def window_layers(num_layers: int = 3, window: int = 3, length: int = 11) -> Drawing:
    """Draw how far back the last position sees through layers of sliding windows.

    Args:
        num_layers: of attention.
        window: positions that a layer sees, the own one counted.
        length: positions that are drawn.

    Returns:
        The drawing.
    """
    reach = num_layers * (window - 1)
    drawing = Drawing(
        640,
        70 + 62 * num_layers,
        f"{length} positions in a row, and {num_layers} layers above them. In each layer a position has lines to "
        f"itself and the {window - 1} positions before it in the layer below. From the last position of the top layer "
        f"the lines fan out to {reach + 1} positions of the bottom row: {reach} steps back.",
    )
    step, left, bottom = 520 / (length - 1), 90, 30 + 62 * num_layers
    for layer in range(1, num_layers + 1):
        for place in range(length - 1 - (num_layers - layer) * (window - 1), length):
            for back in range(window):
                if place - back >= 0:
                    y = bottom - 62 * layer
                    drawing.line(left + step * place, y + 9, left + step * (place - back), y + 53, role="query")
    for layer in range(num_layers + 1):
        y = bottom - 62 * layer
        drawing.text(56, y, "words" if layer == 0 else f"layer {layer}", size=13, anchor="end")
        for place in range(length):
            inside = place >= length - 1 - (num_layers - layer) * (window - 1)
            drawing.box(left + step * place - 9, y - 9, 18, 18, "", role="state" if inside else "masked",
                        dashed=not inside)  # fmt: skip
    return drawing
