"""Drawings of chapter 17: what goes to memory, attention in blocks, two orders of a product, windows in layers."""

from drawings.drawing import Drawing


def to_scale(length: int = 8192, d_k: int = 32, tile: int = 128) -> Drawing:
    """Draw queries, keys, values, output and map of one head at their true proportions.

    Args:
        length: tokens of the text.
        d_k: width of the head.
        tile: side of the tile that is marked in the map.

    Returns:
        The drawing; a pixel is as many numbers wide as the head is.
    """
    side, left, top = length / d_k, 152, 44
    drawing = Drawing(
        470,
        round(top + side + 14),
        f"True proportions for {length:,} tokens and a head of width {d_k}: queries, keys, values and output are four "
        f"thin vertical lines, and the map of weights is a square {length // d_k} times as wide as any of them. "
        f"A tile of {tile} by {tile} weights is a dot in it.",
    )
    for x, name, role in ((26, "Q", "query"), (62, "K", "key"), (98, "V", "value"), (134 + side + 36, "O", "value")):
        drawing.line(x, top, x, top + side, role=role, width=1.5)
        drawing.text(x, top - 14, name, size=15)
    drawing.tensor(left, top, side, side, "", columns="", role="weights")
    drawing.text(left + side / 2, top - 14, "map of weights, N × N", size=14)
    x, y = left + 0.62 * side, top + 0.4 * side
    drawing.tensor(x, y, tile / d_k, tile / d_k, role="strong")
    return drawing.text(x, y + 20, f"a tile of {tile} × {tile}", size=14)


def two_ways(plain: str = "", blocks: str = "") -> Drawing:
    """Draw what goes to memory and back in plain attention, and in blocks.

    Args:
        plain: how many bytes cross in plain attention, to be written beside it.
        blocks: as many in blocks.

    Returns:
        The drawing.
    """
    drawing = Drawing(
        470,
        386,
        "Two panels. Each has the compute units with their SRAM on the left and the large memory, HBM, on the right. "
        f"Above, plain attention{f', {plain}' if plain else ''}: Q, K and V come from HBM, then the whole map of "
        "scores goes to HBM, comes back, goes out as weights, and comes back once more, before the output is written. "
        f"Below, in blocks{f', {blocks}' if blocks else ''}: only Q, K, V come and only the output goes; one tile of "
        "scores stays in SRAM.",
    )
    for top, tall, title, amount in ((34, 172, "plain", plain), (252, 124, "in blocks", blocks)):
        drawing.text(10, top - 16, title, anchor="start", bold=True)
        drawing.text(460, top - 16, amount and f"{amount} cross", anchor="end", size=14)
        drawing.box(10, top, 118, tall, "", role="plain", dashed=True)
        drawing.text(69, top + 18, "compute, SRAM", size=13)
        drawing.box(346, top, 114, tall, "", role="plain")
        drawing.text(403, top + 18, "HBM", size=13)
    ways = ("Q, K, V", "scores out", "scores back", "weights out", "weights back", "output")
    for i, words in enumerate(ways):
        y, large = 60 + 27 * i, 0 < i < 5
        start, end = (132, 342) if i in (1, 3, 5) else (342, 132)
        role = "weights" if large else "key" if i == 0 else "value"
        drawing.arrow(start, y, end, y, role=role, width=4 if large else 1.8)
        drawing.text(237, y - 11, words, size=13)
    drawing.tensor(367, 84, 72, 72, "N × N", role="weights")
    drawing.arrow(342, 294, 132, 294, role="key")
    drawing.text(237, 282, "Q, K, V, block by block", size=13)
    drawing.arrow(132, 352, 342, 352, role="value")
    drawing.text(237, 340, "output", size=13)
    drawing.tensor(56, 300, 26, 26, "", role="weights")
    return drawing.text(69, 346, "one tile", size=13)


def tiling(num_blocks: int = 3) -> Drawing:
    """Step through the map tile by tile, with what lies in SRAM and what has crossed from and to HBM.

    Args:
        num_blocks: blocks of queries, and as many of keys.

    Returns:
        The drawing.
    """
    drawing = Drawing(
        470,
        384,
        f"Above, the map of scores as {num_blocks} times {num_blocks} dashed tiles, with the blocks of Q at its left, "
        "those of K and V on top and those of the output at its right. Below, two boxes. SRAM, small and fast, holds "
        "one block of Q, one of K and V, one tile, and for each query the largest score, the sum and the output so "
        "far. HBM, large and slow, holds Q, K, V and the output. In each step one tile is filled, and a line counts "
        "the blocks that have crossed.",
    )
    left, top, cell = 136, 56, 46
    right = left + num_blocks * cell + 12
    for i in range(num_blocks):
        drawing.box(left + cell * i, top - 40, cell - 6, 12, "", role="key")
        drawing.box(left + cell * i, top - 22, cell - 6, 12, "", role="value")
        drawing.box(left - 32, top + cell * i, 18, cell - 6, "", role="query")
        drawing.box(right, top + cell * i, 18, cell - 6, "", role="masked", dashed=True)
        for j in range(num_blocks):
            drawing.box(left + cell * j, top + cell * i, cell - 6, cell - 6, "", role="masked", dashed=True)
    drawing.text(left - 12, top - 34, "K", size=14).text(left - 12, top - 16, "V", size=14)
    drawing.text(left - 46, top + 20, "Q", size=14).text(right + 9, top - 16, "O", size=14)
    low = 226
    drawing.box(10, low, 216, 148, "", role="plain", dashed=True).box(330, low, 130, 148, "", role="plain")
    drawing.text(118, low + 18, "SRAM, 20 MB, 19 TB/s", size=13, bold=True)
    drawing.text(395, low + 18, "HBM, 40 GB", size=13, bold=True).text(395, low + 36, "1.5 TB/s", size=13, bold=True)
    for i, (name, role) in enumerate((("Q", "query"), ("K", "key"), ("V", "value"), ("O", "value"))):
        drawing.tensor(346 + 27 * i, low + 52, 20, 82, name, role=role)
    drawing.code(
        "for q in blocks_of_Q:\n"
        "    state = nothing yet\n"
        "    for k, v in blocks_of_K_and_V:\n"
        "        scores = q @ k.T / √d_k\n"
        "        state = online_softmax_step(state, scores, v)\n"
        "    write the output of q"
    )

    def crossed(queries: int, keys: int, outputs: int) -> None:
        for i, words in enumerate((f"{queries} of Q", f"{keys} of K, {keys} of V", f"{outputs} of the output")):
            drawing.text(346, top + 34 + 22 * i, words, size=14, anchor="start")

    def query_arrives() -> None:
        drawing.arrow(326, low + 71, 230, low + 71, role="query").text(278, low + 59, "q", size=14)

    def keys_arrive(block: int) -> None:
        drawing.arrow(326, low + 111, 230, low + 111, role="key", width=3)
        drawing.text(278, low + 98, f"k, v: block {block}", size=13)

    drawing.text(346, top + 8, "blocks moved", size=14, anchor="start", bold=True)
    drawing.step("A block of queries is loaded from HBM into SRAM.", line=1)
    drawing.box(left - 32, top, 18, cell - 6, "", role="query").box(24, low + 54, 18, 42, "q", role="query")
    drawing.only()
    query_arrives()
    crossed(1, 0, 0)
    captions = (
        "The first block of keys and values follows. Its tile of scores is made in SRAM; each query keeps its largest "
        "score, its sum and its output so far.",
        "The next block takes the place of the first, and its tile the place of the old tile. Where a score is larger, "
        "the old sum and output are corrected by one factor.",
        "The last block. The output is now the attention to all keys, and no more than one tile of the map was ever "
        "there.",
    )
    for j in range(num_blocks):
        drawing.step(captions[0 if j == 0 else 2 if j == num_blocks - 1 else 1], line=5)
        if j == 0:
            drawing.box(52, low + 36, 42, 13, "", role="key").box(52, low + 101, 42, 13, "", role="value")
            drawing.text(104, low + 42, "k", size=13).text(104, low + 107, "v", size=13)
            drawing.box(52, low + 54, 42, 42, "scores", role="weights", size=11)
            drawing.box(134, low + 54, 18, 42, "ŝ", role="strong", size=15)
            drawing.box(156, low + 54, 18, 42, "Z", role="strong", size=15)
            drawing.box(178, low + 54, 34, 42, "o", role="value", size=15)
            drawing.arrow(98, low + 75, 130, low + 75, role="weights")
        drawing.only()
        drawing.box(left + cell * j, top, cell - 6, cell - 6, "", role="weights")
        keys_arrive(j + 1)
        crossed(1, j + 1, 0)
    drawing.step("Only now something is written: this block of the output, and one number for each query.", line=6)
    drawing.box(right, top, 18, cell - 6, "", role="value")
    drawing.only()
    drawing.arrow(216, low + 75, 326, low + 75, role="value").text(278, low + 63, "o", size=14)
    crossed(1, num_blocks, 1)
    drawing.step(
        "The next block of queries, for which all keys and values are loaded once more. So larger blocks of queries "
        "mean fewer bytes.",
        line=5,
    )
    drawing.box(left - 32, top + cell, 18, cell - 6, "", role="query")
    drawing.box(left, top + cell, cell - 6, cell - 6, "", role="weights")
    query_arrives()
    keys_arrive(1)
    crossed(2, num_blocks + 1, 1)
    return drawing


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


def shared_keys() -> Drawing:
    """Draw four query heads and the keys and values that they use, in four kinds of attention."""
    drawing = Drawing(
        470,
        380,
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
        left, top = 12 + 244 * (panel % 2), 16 + 164 * (panel // 2)
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
        410,
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
    drawing.text(400, 16, "N^2 numbers on the way", size=14, anchor="end")
    drawing.text(10, 160, "first keys and values", anchor="start", bold=True)
    drawing.tensor(22, 208, 84, 24, "K^T", columns="N", role="key").text(120, 220, "·")
    drawing.tensor(134, 178, 24, 84, "V", role="value").text(174, 220, "=")
    drawing.tensor(194, 208, 24, 24, "", role="weights").text(206, 248, "d_k × d_v", size=13)
    drawing.tensor(270, 178, 24, 84, "Q", role="query").text(306, 220, "·")
    drawing.tensor(320, 208, 24, 24, "", role="weights").text(358, 220, "=")
    drawing.tensor(374, 178, 24, 84, "O", role="value")
    drawing.text(400, 160, "as many for any N", size=14, anchor="end")
    return drawing


def window_layers(num_layers: int = 3, window: int = 3, length: int = 9) -> Drawing:
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
        470,
        70 + 62 * num_layers,
        f"{length} positions in a row, and above them the part of {num_layers} layers on which the last position "
        f"depends. In each layer a position has lines to itself and the {window - 1} positions before it in the layer "
        f"below. From the last position of the top layer the lines fan out to {reach + 1} positions of the bottom row: "
        f"{reach} steps back. What lies further back is dashed.",
    )
    step, left, bottom = 370 / (length - 1), 82, 30 + 62 * num_layers
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
            if inside or layer == 0:
                drawing.box(left + step * place - 9, y - 9, 18, 18, "", role="state" if inside else "masked",
                            dashed=not inside)  # fmt: skip
    return drawing
