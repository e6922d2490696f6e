"""Drawings of chapter 18: the block of 2017 and of today, rotary positions, a gate, and weights by their names."""

import math
from collections.abc import Sequence

from drawings.drawing import Drawing

PLACES = {
    "source embedding": (4, 46),
    "encoder": (148, 46),
    "decoder": (148, 136),
    "logits": (292, 136),
    "target embedding": (4, 136),
}
CHANGED = {
    "source embedding": tuple(PLACES),
    "encoder": ("encoder", "decoder", "logits"),
    "target embedding": ("target embedding", "decoder", "logits"),
    "logits": ("logits",),
}


def two_blocks() -> Drawing:
    """Draw the block of 2017 and the block of today side by side: what moved, what went, what came."""
    drawing = Drawing(
        640,
        486,
        "Two blocks, to be read from below. Left, 2017: positions are added to the words before the first block; on "
        "the vertical line, the residual stream, sit two plus signs, and after each a LayerNorm on the line itself; "
        "attention with as many keys as queries and a feed-forward network with one ReLU stand beside it; network and "
        "norms have biases. Right: nothing is added for positions; an RMSNorm stands on each side path, the line is "
        "free; attention rotates queries and keys (RoPE) and groups its keys and values (GQA); the network is SwiGLU, "
        "and nothing has a bias.",
    )
    for left, title, today in ((8, "2017", False), (336, "today", True)):
        x, side = left + 44, left + 190
        drawing.text(left + 140, 18, title, size=17, bold=True)
        stops = (462, 275, 253, 88, 66) if today else (440, 275, 253, 241, 211, 88, 66, 54, 24)
        for start, end in zip(stops[:-1:2], stops[1::2], strict=False):
            drawing.line(x, start, x, end, role="state", width=4)
        drawing.arrow(x, stops[-1], x, 4, role="state", width=4)
        for bottom, plus in ((420, 264), (206, 77)):
            drawing.line(x, bottom, side, bottom, role="plain")
            drawing.line(side, bottom, side, bottom - 14)
            drawing.arrow(side, plus, x + 13, plus)
            drawing.box(x - 11, plus - 11, 22, 22, "+", role="strong", size=16, bold=True)
        if today:
            drawing.box(side - 56, 376, 112, 28, "RMSNorm (1)", role="value", bold=True)
            drawing.arrow(side, 376, side, 354)
            drawing.box(side - 94, 292, 188, 62, "attention, GQA (4)\nRoPE (2) on Q and K", role="query")
            drawing.line(side, 292, side, 264)
            drawing.box(side - 56, 164, 112, 28, "RMSNorm (1)", role="value", bold=True)
            drawing.arrow(side, 164, side, 150)
            drawing.box(side - 94, 96, 188, 54, "feed-forward\nSwiGLU (3)", role="query")
            drawing.line(side, 96, side, 77)
            drawing.text(side, 232, "no biases (6)", size=13, role="query")
        else:
            drawing.arrow(side, 406, side, 354)
            drawing.box(side - 94, 292, 188, 62, "attention\nK, V for each head", role="plain")
            drawing.line(side, 292, side, 264)
            drawing.arrow(side, 192, side, 150)
            drawing.box(side - 94, 96, 188, 54, "feed-forward\nReLU", role="plain")
            drawing.line(side, 96, side, 77)
            drawing.text(side, 226, "biases in network", size=13, role="masked")
            drawing.text(side, 244, "and norms", size=13, role="masked")
            for top in (211, 24):
                drawing.box(x - 42, top, 100, 30, "LayerNorm", role="masked")
            drawing.box(x - 11, 440, 22, 22, "+", role="strong", size=16, bold=True)
            drawing.arrow(side - 70, 451, x + 13, 451, role="masked")
            drawing.box(side - 68, 436, 124, 30, "positions", role="masked")
        drawing.text(x, 477, "words", size=13, role="source")
    return drawing


def norm_places() -> Drawing:
    """Draw one sublayer beside the residual stream four times: its norms stand on the stream or on the branch."""
    drawing = Drawing(
        640,
        246,
        "Four residual streams, vertical lines to be read from below; from each a branch leads through a sublayer to a "
        "plus sign on the stream. Left, post-norm: the norm stands on the stream, above the plus sign. Before: it "
        "stands on the branch, below the sublayer. On the outputs: on the branch, above the sublayer. Before and on "
        "the outputs: on the branch on both sides of it.",
    )
    places = (("post-norm, 2017", ""), ("before", "b"), ("on the outputs", "a"), ("before and on\nthe outputs", "ba"))
    for i, (title, norms) in enumerate(places):
        x, side = 22 + 160 * i, 98 + 160 * i
        for row, line in enumerate(title.split("\n")):
            drawing.text(x + 54, 16 + 17 * row, line, size=14, bold=True)
        drawing.line(x, 236, x, 99, role="state", width=4)
        drawing.box(x - 11, 77, 22, 22, "+", role="strong", size=16, bold=True)
        drawing.line(x, 226, side, 226)
        drawing.box(side - 42, 130, 84, 30, "sublayer", role="query")
        drawing.arrow(side, 184 if "b" in norms else 226, side, 160)
        drawing.line(side, 97 if "a" in norms else 130, side, 88)
        drawing.arrow(side, 88, x + 13, 88)
        if "b" in norms:
            drawing.line(side, 226, side, 208)
            drawing.box(side - 27, 184, 54, 24, "norm", role="value", bold=True)
        if "a" in norms:
            drawing.line(side, 130, side, 121)
            drawing.box(side - 27, 97, 54, 24, "norm", role="value", bold=True)
        if not norms:
            drawing.line(x, 77, x, 68, role="state", width=4)
            drawing.box(x - 18, 44, 54, 24, "norm", role="value", bold=True)
        drawing.arrow(x, 77 if norms else 44, x, 40 if norms else 26, role="state", width=4)
    return drawing


def turned_pairs() -> Drawing:
    """Draw a query and a key at two pairs of places: both turn, and the angle between them stays."""
    drawing = Drawing(
        640,
        268,
        "Three circles, each with two arrows from the middle, a query and a key. First circle, not rotated: the key "
        "stands 20 degrees behind the query. Second, query at position 3 and key at position 1: both are rotated, the "
        "query further, so that the angle between them is wider. Third, query at position 8 and key at position 6: "
        "both are rotated on, and the angle between them is that of the second circle.",
    )
    step, behind, radius, y = 0.5, 0.35, 84, 132
    for x, query, key, title in (
        (106, 0, 0, "not rotated"),
        (320, 3, 1, "positions 3 and 1"),
        (534, 8, 6, "positions 8 and 6"),
    ):
        corners = [
            (x + radius * math.cos(k * math.pi / 24), y - radius * math.sin(k * math.pi / 24)) for k in range(49)
        ]
        for (x1, y1), (x2, y2) in zip(corners, corners[1:], strict=False):
            drawing.line(x1, y1, x2, y2, role="plain", width=1)
        for start, place, role, name in ((behind, query, "query", "q"), (0.0, key, "key", "k")):
            angle = start + step * place
            drawing.arrow(
                x, y, x + (radius - 4) * math.cos(angle), y - (radius - 4) * math.sin(angle), role=role, width=3
            )
            drawing.text(
                x + (radius + 14) * math.cos(angle), y - (radius + 14) * math.sin(angle), name, size=16, role=role,
                bold=True,
            )  # fmt: skip
        drawing.text(x, 252, title)
    return drawing


def widths() -> Drawing:
    """Draw the network of 2017 and the gated one with their matrices, as wide as they are."""
    drawing = Drawing(
        640,
        300,
        "Left, the network of 2017: one matrix from d to 4 d, a bend, and one matrix back from 4 d to d. Right, the "
        "gated network: two matrices from d to 8/3 d next to each other; the output of the left one is bent by SiLU "
        "and multiplied with the output of the right one; a third matrix leads back to d.",
    )
    for x, title in ((150, "2017"), (470, "SwiGLU")):
        drawing.text(x, 16, title, size=16, bold=True)
        drawing.text(x, 288, "x", size=16)
    drawing.tensor(50, 206, 200, 50, "W_1", rows="d", role="plain")
    drawing.arrow(150, 278, 150, 258, role="state")
    drawing.arrow(150, 204, 150, 180, role="state")
    drawing.box(110, 150, 80, 28, "ReLU", role="masked")
    drawing.arrow(150, 148, 150, 120, role="state")
    drawing.tensor(50, 68, 200, 50, "W_2", rows="d", columns="4 d", role="plain")
    for left, name, role in ((334, "G", "query"), (480, "U", "key")):
        drawing.tensor(left, 206, 133, 50, name, rows="d" if name == "G" else "", role=role)
    drawing.arrow(466, 278, 402, 258, role="state")
    drawing.arrow(474, 278, 544, 258, role="state")
    drawing.arrow(400, 204, 400, 180, role="query")
    drawing.box(364, 150, 72, 28, "SiLU", role="query")
    drawing.line(436, 164, 461, 164, role="query")
    drawing.box(459, 152, 24, 24, "×", role="strong", size=17, bold=True)
    drawing.line(546, 204, 546, 164, role="key")
    drawing.arrow(546, 164, 484, 164, role="key")
    drawing.arrow(471, 150, 471, 120, role="state")
    drawing.tensor(404, 68, 133, 50, "D", rows="d", columns="8/3 d", role="plain")
    return drawing


def experts() -> Drawing:
    """Draw a mixture of experts: a router scores four feed-forward networks, and the token goes through two of them."""
    drawing = Drawing(
        476,
        400,
        "From below: a token x; the router, a linear layer and a softmax; its four probabilities as bars, 0.64, 0.09, "
        "0.24 and 0.03, the first and the third in colour, marked as the top 2; four experts in a row, of which the "
        "first and the third get x, and the second and the fourth are grey, framed with dashes, and not computed. The "
        "outputs of the two, times 0.73 and 0.27, are added up.",
    )
    drawing.text(238, 390, "x", size=16)
    drawing.arrow(238, 380, 238, 366, role="state")
    drawing.box(88, 332, 300, 32, "router: linear layer, softmax", role="weights", bold=True)
    drawing.text(12, 214, "top 2", size=13, role="weights", anchor="start", bold=True)
    drawing.box(226, 14, 24, 24, "+", role="strong", size=17, bold=True)
    for i, (share, kept) in enumerate(((0.64, "0.73"), (0.09, ""), (0.24, "0.27"), (0.03, ""))):
        x = 64 + 116 * i
        drawing.box(x - 18, 310 - 110 * share, 36, 110 * share, "", role="weights" if kept else "masked")
        drawing.text(x, 322, f"{share:.2f}", size=13, role="weights" if kept else None, bold=bool(kept))
        drawing.box(
            x - 52, 104, 104, 60, f"expert {i + 1}\nSwiGLU", role="strong" if kept else "masked", dashed=not kept
        )
        if kept:
            drawing.arrow(x, 302 - 110 * share, x, 168, role="state")
            drawing.text(x + 16, 186, "x", size=16)
            drawing.arrow(x, 102, 238 + (-14 if i < 2 else 14), 36, role="state")
            drawing.text(x + (10 if i < 2 else 46), 64, f"× {kept}", role="weights", bold=True)
    return drawing


def names_to_names() -> Drawing:
    """Draw how the tensors of a block of GPT-2 become those of the course's block."""
    drawing = Drawing(
        476,
        396,
        "Left four matrices of a published GPT-2 block with their shapes, right those of the course. c_attn, d by 3 d, "
        "is cut into three squares, which are transposed and become w_query, w_key and w_value. c_proj of attention, "
        "d by d, is transposed and becomes w_output; all four are marked as square. c_fc, d by 4 d, and c_proj of "
        "the network, 4 d by d, are transposed and become linear_1 and linear_2.",
    )
    d, right = 24, 288
    drawing.text(98, 16, "published: in × out", size=15, bold=True)
    drawing.text(378, 16, "ours: out × in", size=15, bold=True)
    for i, (role, name) in enumerate((("query", "w_query"), ("key", "w_key"), ("value", "w_value"))):
        drawing.tensor(2 + d * i, 59, d, d, role=role)
        drawing.tensor(right, 36 + 36 * i, d, d, role=role)
        drawing.text(right + d + 10, 48 + 36 * i, name, anchor="start", code=True)
        drawing.arrow(82, 71, right - 6, 48 + 36 * i, role=role)
    drawing.text(2, 100, "attn.c_attn", anchor="start", code=True)
    for middle, width, height, theirs, ours, role in (
        (160, d, d, "attn.c_proj", "w_output", "strong"),
        (240, 4 * d, d, "mlp.c_fc", "linear_1", "plain"),
        (338, d, 4 * d, "mlp.c_proj", "linear_2", "plain"),
    ):
        drawing.tensor(right, middle - width / 2, height, width, role=role)
        drawing.text(right + 10 + height, middle, ours, anchor="start", code=True)
        drawing.tensor(2, middle - height / 2, width, height, role=role)
        drawing.text(12 + width, middle, theirs, anchor="start", code=True)
        drawing.arrow(204, middle, right - 6, middle, role=role)
    for x, y in ((190, 40), (243, 146)):
        drawing.text(x, y, "square!", size=14, role="strong", bold=True)
    drawing.text(243, 384, "every matrix transposed", size=13)
    return drawing


def traps(rows: Sequence[tuple[str, str, str]]) -> Drawing:
    """Draw, one step a trap, which parts of a translator change, and by how much the logits do.

    Args:
        rows: for each trap its name, the first part that changes, a key of ``CHANGED``, and the gap as text.

    Returns:
        The drawing.
    """
    drawing = Drawing(
        412,
        188,
        "A translator as five boxes: above, source embedding and encoder; below, target embedding, decoder and "
        "logits; the encoder leads down to the decoder. In each step one mistake is planted, the boxes whose numbers "
        "change are marked, and the gap of the logits is written above the last. "
        + " ".join(f"{name}: from {first} on, {gap}." for name, first, gap in rows),
    )
    for name, (x, y) in PLACES.items():
        drawing.box(x, y, 114, 44, name.replace(" ", "\n"), role="plain")
    for x, y in ((122, 68), (122, 158), (266, 158)):
        drawing.arrow(x, y, x + 22, y)
    drawing.arrow(205, 94, 205, 132)
    for name, first, gap in rows:
        drawing.step(f"{name}: the first to change is the {first}. The largest gap of a logit is {gap}.")
        drawing.only()
        for part in CHANGED[first]:
            drawing.box(*PLACES[part], 114, 44, "", role="target")
        drawing.text(4, 20, name, bold=True, anchor="start", size=16)
        drawing.text(349, 120, f"gap {gap}", role="target", bold=True)
    return drawing
