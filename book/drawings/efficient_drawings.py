"""Drawings of chapter 17: what goes to memory, attention in blocks, two orders of a product, windows in layers."""

from drawings.drawing import Drawing


def two_ways() -> Drawing:
    """Draw what goes to memory and back in plain attention, and in blocks."""
    drawing = Drawing(
        640,
        368,
        "Two panels. Each has a processor with a small cache on the left and the large memory on the right. Above, "
        "plain attention: Q, K and V come from memory, then the whole map of scores goes to memory, comes back, goes "
        "out as weights, and comes back once more, before the output is written. Below, in blocks: only Q, K, V come "
        "and only the output goes; one block of scores stays in the cache.",
    )
    for top, tall, title in ((30, 168, "plain"), (236, 124, "in blocks")):
        drawing.text(10, top - 14, title, anchor="start", bold=True)
        drawing.box(10, top, 150, tall, "", role="plain", dashed=True)
        drawing.text(85, top + 18, "processor, cache", size=13)
        drawing.box(500, top, 130, tall, "", role="plain")
        drawing.text(565, top + 18, "memory", size=13)
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
    drawing.text(85, 346, "one block", size=13)
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
    drawing.text(20, 18, "plain keeps", anchor="start", bold=True)
    drawing.text(330, 18, "blocks keep", anchor="start", bold=True)
    for left in (20, 330):
        for i, (name, role) in enumerate((("Q", "query"), ("K", "key"), ("V", "value"))):
            drawing.tensor(left + 34 * i, 54, 26, 130, name, role=role)
    drawing.tensor(136, 54, 130, 130, "A", columns="N", role="weights")
    drawing.tensor(436, 54, 26, 130, "O", role="value").tensor(472, 54, 10, 130, "", role="strong")
    drawing.text(477, 40, "lse", size=13)
    drawing.box(508, 54, 34, 130, "", role="weights", dashed=True)
    drawing.text(525, 200, "made anew", size=13)
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
