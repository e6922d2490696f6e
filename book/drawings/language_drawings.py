"""Drawings of chapter 13: text as its own label, a GPT beside an encoder, the tail of a distribution, two heads."""

from collections.abc import Sequence

from drawings.drawing import Drawing


def its_own_label() -> Drawing:
    """Draw a piece of text above the same piece one character later."""
    drawing = Drawing(
        460,
        176,
        "Two rows of nine cells. The upper row, inputs, spells F i r s t, blank, C i t. The lower row, labels, spells "
        "i r s t, blank, C i t i: the same text one character later. An arrow leads down from each input to the label "
        "below it. One column is marked: having seen 'First', the model is to say: blank.",
    )
    inputs, labels = "First␣Cit", "irst␣Citi"
    cell, left, top = 42, 78, 30
    for i, (seen, wanted) in enumerate(zip(inputs, labels, strict=True)):
        x = left + i * cell
        marked = i == 4
        drawing.box(x, top, cell - 8, 40, seen, role="source" if i <= 4 else "plain", bold=marked)
        drawing.box(x, top + 84, cell - 8, 40, wanted, role="target" if marked else "plain", bold=marked)
        drawing.arrow(x + (cell - 8) / 2, top + 44, x + (cell - 8) / 2, top + 80, role="target" if marked else "plain")
    drawing.text(left - 10, top + 20, "inputs", anchor="end")
    drawing.text(left - 10, top + 104, "labels", anchor="end")
    drawing.text(left + 4.4 * cell, 166, "seen: “First”, wanted: a blank", size=13)
    return drawing


def encoder_and_gpt() -> Drawing:
    """Draw the encoder of chapter 10 and a GPT side by side: the same block, another mask."""
    drawing = Drawing(
        640,
        372,
        "Two stacks side by side. Left, the encoder of chapter 10: tokens plus positions, then blocks of "
        "self-attention and feed-forward; beside the attention stands a mask with all cells open. Right, a GPT: the "
        "same stack, but the mask is a triangle, and on top comes the transposed table of tokens, which gives logits "
        "of the next token.",
    )
    for left, title, gpt in ((30, "encoder", False), (350, "GPT", True)):
        drawing.text(left + 95, 22, title, bold=True)
        drawing.box(left, 318, 190, 34, "token + position", role="source")
        drawing.arrow(left + 95, 316, left + 95, 276, role="state")
        drawing.box(left - 10, 130, 210, 144, "", role="plain", dashed=True)
        drawing.box(left, 226, 190, 38, "self-attention", role="query")
        drawing.arrow(left + 95, 224, left + 95, 188, role="state")
        drawing.box(left, 148, 190, 38, "feed-forward", role="plain")
        drawing.text(left + 216, 146, "× L", anchor="start")
        values = [[0.55 if j <= i or not gpt else None for j in range(4)] for i in range(4)]
        drawing.grid(left + 214, 208, values, cell=17, role="key")
        drawing.arrow(left + 95, 128, left + 95, 100, role="state")
        drawing.box(left, 66, 190, 32, "norm", role="plain")
        drawing.arrow(left + 95, 64, left + 95, 40, role="state" if not gpt else "target")
    drawing.text(460, 50, "times the token table", size=13, anchor="start")
    return drawing


def tail(probabilities: Sequence[float], names: Sequence[str], top_k: int, top_p: float) -> Drawing:
    """Draw the most probable tokens as bars, with the two ways to cut the tail off.

    Args:
        probabilities: of the tokens that are shown, the largest first.
        names: a character for each.
        top_k: how many stay.
        top_p: what those that stay have together, at least.

    Returns:
        The drawing.
    """
    lowest = f"{probabilities[-1]:.1%}" if probabilities[-1] >= 0.001 else "less than 0.1%"
    total, by_p = 0.0, 0
    while total < top_p and by_p < len(probabilities):
        total += probabilities[by_p]
        by_p += 1
    drawing = Drawing(
        460,
        246,
        f"{len(names)} bars, falling from left to right: the probabilities of the most probable next characters, from "
        f"{probabilities[0]:.0%} down to {lowest}. One "
        f"dashed line stands behind bar {top_k}, where top-k cuts; another behind bar {by_p}, where the bars before it "
        f"have {top_p:.0%} together.",
    )
    width, floor, height = 408 / len(names), 190, 128
    drawing.text(36, floor + 36, "%", size=12, anchor="end")
    for i, (probability, name) in enumerate(zip(probabilities, names, strict=True)):
        tall = max(2.0, height * probability / probabilities[0])
        percent = f"{100 * probability:.0f}" if probability >= 0.005 else "<1"
        drawing.box(44 + i * width, floor - tall, width - 6, tall, "", role="weights")
        drawing.text(44 + i * width + (width - 6) / 2, floor + 18, name, code=True)
        drawing.text(44 + i * width + (width - 6) / 2, floor + 36, percent, size=12)
    for count, words, top, role in (
        (top_k, f"top-k, k = {top_k}", 18, "query"),
        (by_p, f"top-p, p = {top_p}", 42, "value"),
    ):
        x = 41 + count * width
        drawing.line(x, top + 12, x, floor, role=role, dashed=True)
        # Where the two lines are near each other, the words of the left one stand left of it.
        left = x > 350 or (x > 120 and count < max(top_k, by_p))
        drawing.text(x + 8 if left else x - 8, top, words, role=role, anchor="end" if left else "start", size=14)
    return drawing


def two_heads() -> Drawing:
    """Draw how two heads together find what followed the last time, step by step."""
    drawing = Drawing(
        640,
        226,
        "The tokens K, R, B, M, K stand in a row; the last K is where the model must predict. Step one: in layer 0 a "
        "head at each position attends to the position before it, so that R carries 'after K'. Step two: in layer 1 a "
        "head at the last K attends to the position that carries 'after K', and finds R. Step three: it copies R to "
        "the output.",
    )
    tokens, y = ("K", "R", "B", "M", "K"), 166
    places = [60 + i * 120 for i in range(5)]
    for x, token in zip(places, tokens, strict=True):
        drawing.box(x - 24, y, 48, 36, token, role="source", bold=True)
    drawing.text(places[4], 214, "what comes next?", size=13)
    drawing.step("Layer 0: a head at each position attends to the position before it.")
    for i in range(1, 5):
        drawing.arrow(places[i] - 10, y - 6, places[i - 1] + 14, y - 6, role="key", bend=-13)
    for i, before in enumerate(tokens[:-1], start=1):
        drawing.box(places[i] - 42, 92, 84, 30, f"after {before}", role="key", size=13)
    drawing.step(
        "Layer 1: the last K asks who stands after a K; the key at R, made from what layer 0 wrote there, answers."
    )
    drawing.arrow(places[4] - 36, 88, places[1] + 10, 88, role="query", bend=-30, label="who is after K?")
    drawing.step("It copies what stands there: R.")
    drawing.arrow(places[4], 90, places[4], 58, role="target")
    drawing.box(places[4] - 24, 20, 48, 36, "R", role="target", bold=True)
    return drawing
