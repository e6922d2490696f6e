"""Drawings of chapter 12: where maps come from, one row of one head, and three ways to change what a head says."""

from collections.abc import Sequence

from drawings.drawing import Drawing


def where_maps_come_from() -> Drawing:
    """Show the three kinds of attention in a Transformer, each with the shape of its map."""
    drawing = Drawing(
        460,
        390,
        "An encoder on the left and a decoder on the right. Self-attention of the encoder has a square map, source by "
        "source; that of the decoder a triangular one, target by target; cross-attention takes queries from the "
        "target, keys and values from the source, and has a rectangular map, target by source.",
    )
    drawing.box(4, 330, 128, 40, "source words", role="source")
    drawing.box(228, 330, 150, 40, "target words so far", role="target")
    drawing.box(4, 220, 128, 64, "self-attention\nof the encoder", role="source")
    drawing.box(238, 220, 130, 64, "self-attention\nof the decoder", role="target")
    drawing.box(238, 96, 130, 64, "cross-attention", role="target")
    drawing.box(4, 108, 128, 40, "memory", role="source")
    drawing.box(238, 14, 130, 40, "the next word", role="strong")
    for x in (68, 303):
        drawing.arrow(x, 330, x, 287)
    drawing.arrow(68, 220, 68, 151, role="source")
    drawing.arrow(303, 220, 303, 163, role="query")
    drawing.text(314, 192, "queries", size=13, anchor="start")
    drawing.arrow(303, 96, 303, 57)
    drawing.arrow(132, 120, 235, 120, role="key", label="keys")
    drawing.arrow(132, 138, 235, 138, role="value")
    drawing.text(184, 152, "values", size=13)
    square = [[0.3, 0.1, 0.4, 0.2], [0.2, 0.4, 0.3, 0.1], [0.6, 0.1, 0.2, 0.1], [0.1, 0.2, 0.2, 0.5]]
    triangle = [[1.0, None, None], [0.7, 0.3, None], [0.2, 0.3, 0.5]]
    drawing.grid(142, 217, square, cell=18)
    drawing.grid(380, 226, triangle, cell=18)
    drawing.grid(380, 101, [[0.1, 0.8, 0.1, 0], [0.9, 0, 0.1, 0], [0, 0.1, 0.2, 0.7]], cell=18)
    drawing.text(178, 307, "S × S", size=13)
    drawing.text(407, 298, "T × T", size=13)
    drawing.text(416, 173, "T × S", size=13)
    return drawing


def one_row(
    asking: str,
    words: Sequence[str],
    scores: Sequence[float],
    weights: Sequence[float],
    norms: Sequence[float],
    shares: Sequence[float],
) -> Drawing:
    """Follow one row of one head from its query to what it adds to the stream.

    Args:
        asking: the position that asks, in words.
        words: the source words.
        scores: of the row.
        weights: their softmax.
        norms: how long each value is in the stream.
        shares: of what the head adds, by projection.
    """
    cell, left = 50, 190
    drawing = Drawing(
        640,
        400,
        f"One row of one head, for {asking}. "
        + "; ".join(
            f"{word}: score {s:.1f}, weight {w:.2f}, value of norm {n:.2f}, {a:.0%} of what is added"
            for word, s, w, n, a in zip(words, scores, weights, norms, shares, strict=True)
        ),
    )
    middle = [left + (j + 0.5) * cell for j in range(len(words))]
    drawing.box(10, 96, 110, 36, "query", role="query")
    drawing.text(65, 146, asking, size=13)
    for x, word in zip(middle, words, strict=True):
        drawing.box(x - 21, 70, 42, 26, "k", role="key")
        drawing.text(x, 44 if middle.index(x) % 2 else 24, word, size=13)
        drawing.line(x, 54 if middle.index(x) % 2 else 34, x, 68, role="masked", width=0.8)
    drawing.step("One position asks: its query meets the key of every source word.")
    for x, score in zip(middle, scores, strict=True):
        drawing.text(x, 118, f"{score:.1f}".replace("-", "−"), size=14)
    drawing.text(left - 10, 118, "score", size=13, anchor="end")
    drawing.arrow(122, 108, left - 48, 86, role="query")
    drawing.step("Softmax turns the scores into weights. This row is what a map shows.")
    drawing.grid(left, 160, [weights], cell=cell, role="weights", numbers=True, rows=["weight"])
    drawing.step("But a weight multiplies a value. Values differ in norm, and what two words add can cancel.")
    longest = max(norms)
    for x, norm in zip(middle, norms, strict=True):
        height = 44 * norm / longest
        drawing.tensor(x - 13, 276 - height, 26, height, role="value")
        drawing.text(x, 288, f"{norm:.1f}", size=13)
    drawing.text(left - 10, 256, "norm of value", size=13, anchor="end")
    drawing.step("A word's contribution is what its own vector makes up of the sum. It is not the weight of the map.")
    drawing.grid(left, 310, [[max(0.0, share) for share in shares]], cell=cell, role="state")
    drawing.text(left - 10, 335, "contribution", size=13, anchor="end")
    for x, share in zip(middle, shares, strict=True):
        drawing.text(x, 335, f"{share:.2f}".replace("0.", ".").replace("-", "−"), size=13)
    drawing.arrow(left + cell * len(words) / 2, 362, left + cell * len(words) / 2, 386, role="state")
    drawing.text(left + cell * len(words) / 2 + 12, 378, "to the stream", size=13, anchor="start")
    return drawing


def three_replacements() -> Drawing:
    """Show three replacements for the output of a head: zero, its mean, its output on another sentence."""
    drawing = Drawing(
        640,
        250,
        "Four heads side by side before the output matrix. In the place of head 2 stands zero, or its mean over all "
        "words, or its output on another sentence.",
    )
    for left, title, says in (
        (15, "zero-ablation", "0"),
        (230, "mean-ablation", "mean"),
        (445, "activation patching", "other"),
    ):
        drawing.text(left + 90, 20, title, bold=True)
        for head in range(4):
            x = left + 45 * head
            if head == 2:
                drawing.box(x, 60, 43, 40, says, role="strong", dashed=True, size=13)
            else:
                drawing.box(x, 60, 43, 40, f"{head}", role="value")
            drawing.arrow(x + 21, 100, left + 60 + 20 * head, 148, role="value")
        drawing.box(left + 50, 150, 80, 34, "W_O", role="plain")
        drawing.arrow(left + 90, 184, left + 90, 212, role="state")
        drawing.text(left + 90, 230, "to the stream", size=13)
    return drawing
