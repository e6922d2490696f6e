"""Drawings of chapters 09 and 10: blocks, the stream that runs through them, and the whole model."""

from drawings.drawing import Drawing


def _add(drawing: Drawing, x: float, y: float) -> None:
    """Draw the sign of an addition on a line."""
    drawing.box(x - 11, y - 11, 22, 22, "+", role="strong", size=16, bold=True)


def stream_through_a_stack() -> Drawing:
    """Draw the residual stream as a line from which three layers read and to which they add."""
    drawing = Drawing(
        640,
        190,
        "A thick line, the residual stream, runs from left to right: from x_0 to x_3. Below it stand three layers. An "
        "arrow leads from the line down into each layer, and one leads back up into a plus sign on the line.",
    )
    y = 52
    for start, end in ((52, 173), (195, 338), (360, 503)):
        drawing.line(start, y, end, y, role="state", width=4)
    drawing.arrow(525, y, 592, y, role="state", width=4)
    drawing.text(28, y, "X_0", size=16)
    drawing.text(614, y, "X_3", size=16)
    for i in range(3):
        left = 92 + 165 * i
        drawing.arrow(left + 10, y + 2, left + 10, 122, role="plain")
        drawing.box(left - 8, 122, 118, 46, f"layer {i + 1}", role="plain")
        drawing.arrow(left + 92, 122, left + 92, y + 13, role="plain")
        _add(drawing, left + 92, y)
        if i == 0:
            drawing.text(left + 2, 98, "reads", size=13, anchor="end")
            drawing.text(left + 98, 98, "adds", size=13, anchor="start")
        if i < 2:
            drawing.text(left + 136, y - 24, f"X_{i + 1}", size=15)
    return drawing


def pre_and_post_norm() -> Drawing:
    """Draw the blocks of both orders side by side, the stream upwards as a line."""
    drawing = Drawing(
        640,
        430,
        "Two blocks, to be read from below. In both a vertical line, the stream, passes two plus signs; attention and "
        "feed-forward network stand beside it and add to it. Post-norm, left: a norm sits on the line itself after "
        "each plus sign. Pre-norm, right: the line is free; a norm stands on the side path, before each sublayer.",
    )
    for left, title, norm_first in ((20, "post-norm", False), (350, "pre-norm", True)):
        x, side = left + 52, left + 190
        drawing.text(left + 120, 18, title, size=17, bold=True)
        stops = (408, 296, 274, 120, 98) if norm_first else (408, 296, 274, 261, 231, 120, 98, 85, 55)
        for start, end in zip(stops[:-1:2], stops[1::2], strict=False):
            drawing.line(x, start, x, end, role="state", width=4)
        drawing.arrow(x, stops[-1], x, 28, role="state", width=4)
        for bottom, name, role in ((390, "attention", "plain"), (214, "feed-forward", "plain")):
            plus = bottom - 105
            drawing.line(x, bottom, side, bottom, role="plain")
            if norm_first:
                drawing.arrow(side, bottom, side, bottom - 18)
                drawing.box(side - 48, bottom - 48, 96, 30, "norm", role="masked")
                drawing.arrow(side, bottom - 48, side, bottom - 64)
                drawing.box(side - 60, bottom - 92, 120, 28, name, role=role)
                drawing.line(side, bottom - 92, side, plus)
            else:
                drawing.arrow(side, bottom, side, bottom - 42)
                drawing.box(side - 60, bottom - 72, 120, 30, name, role=role)
                drawing.line(side, bottom - 72, side, plus)
            drawing.arrow(side, plus, x + 13, plus)
            _add(drawing, x, plus)
            if not norm_first:
                drawing.box(x - 44, plus - 54, 88, 30, "norm", role="masked")
        drawing.text(x - 16, 404, "X", size=16, anchor="end")
    return drawing


def encoder_and_decoder_block() -> Drawing:
    """Draw both blocks in pre-norm, with norms and residual connections, and where the memory goes."""
    drawing = Drawing(
        640,
        500,
        "Two blocks in pre-norm, to be read from below. Left the encoder block: the stream is a vertical line; a norm "
        "and self-attention, then a norm and a feed-forward network branch off from it and are added to it. Above the "
        "last block a last norm gives the memory. Right the decoder block: the same with three sublayers, causal "
        "self-attention, cross-attention and feed-forward network. An arrow from the memory leads into cross-attention "
        "as keys and values.",
    )
    pitch, lowest = 142, 452  # from one sublayer to the next; where the lowest one branches off
    columns = (
        (56, 100, "source", ("self-attention\nall source tokens", "feed-forward network")),
        (604, 370, "target", ("self-attention\ntokens so far", "cross-attention", "feed-forward network")),
    )
    for x, left, role, sublayers in columns:
        start, middle = 484, left + 95
        for i, words in enumerate(sublayers):
            branch = lowest - pitch * i
            plus = branch - 116
            drawing.line(x, start, x, plus + 11, role="state", width=4)
            drawing.line(x, branch, middle, branch)
            drawing.arrow(middle, branch, middle, branch - 12)
            drawing.box(left, branch - 40, 190, 28, "norm", role="masked")
            drawing.arrow(middle, branch - 40, middle, branch - 52)
            drawing.box(left, branch - 98, 190, 46, words, role=role, size=14)
            drawing.line(middle, branch - 98, middle, plus)
            drawing.arrow(middle, plus, x + (13 if middle > x else -13), plus)
            _add(drawing, x, plus)
            start = plus - 11
        top = start - 17 if role == "target" else 145
        drawing.arrow(x, start, x, top, role="state", width=4)
    drawing.text(195, 484, "encoder block", size=15, role="source", bold=True)
    drawing.text(465, 484, "decoder block", size=15, role="target", bold=True)
    drawing.text(40, 490, "X", size=16, anchor="end")
    drawing.text(620, 490, "Y", size=16, anchor="start")
    drawing.box(16, 117, 80, 28, "norm", role="masked")
    drawing.text(104, 131, "after the last block", size=13, anchor="start")
    drawing.arrow(56, 117, 56, 101, role="source", width=3)
    drawing.tensor(16, 66, 80, 32, "memory", role="source", size=14)
    cross = lowest - pitch - 75
    drawing.line(96, 82, 330, 82, role="key")
    drawing.line(330, 82, 330, cross, role="key")
    drawing.arrow(330, cross, 370, cross, role="key")
    drawing.text(353, cross - 15, "K, V", size=15, role="key")
    return drawing


def training_flow() -> Drawing:
    """Draw one update: what goes into encoder and decoder, with shapes, and what the loss compares."""
    drawing = Drawing(
        640,
        330,
        "From below: source ids go into the encoder, which makes the memory. The target without its last token goes "
        "into the decoder, which reads the memory and makes logits. The target without its first token are the labels. "
        "The loss compares logits and labels.",
    )
    drawing.tensor(40, 272, 150, 34, "source", rows="B", columns="S", role="source")
    drawing.tensor(300, 272, 150, 34, "target[:, :-1]", rows="B", columns="T - 1", role="target", size=14)
    drawing.tensor(480, 272, 140, 34, "target[:, 1:]", columns="T - 1", role="target", size=14)
    drawing.box(40, 182, 150, 44, "encoder", role="source", bold=True)
    drawing.box(300, 142, 150, 84, "decoder", role="target", bold=True)
    drawing.arrow(115, 250, 115, 226, role="source")
    drawing.arrow(375, 250, 375, 226, role="target")
    drawing.tensor(40, 104, 150, 34, "memory", rows="S", columns="d", role="source")
    drawing.arrow(115, 182, 115, 138, role="source")
    drawing.line(190, 121, 245, 121, role="key")
    drawing.line(245, 121, 245, 176, role="key")
    drawing.arrow(245, 176, 300, 176, role="key")
    drawing.tensor(300, 72, 150, 34, "logits", rows="T - 1", columns="|V|", role="state")
    drawing.arrow(375, 142, 375, 106, role="state")
    drawing.arrow(375, 50, 375, 36, role="state")
    drawing.box(340, 4, 210, 32, "loss", role="strong", bold=True)
    drawing.text(552, 170, "labels", size=14, role="target", anchor="start")
    drawing.arrow(540, 250, 540, 36, role="target")
    return drawing


SOURCE, READ, LABELS = ["the", "cat", "sleeps", "EOS"], ["BOS", "le", "chat", "dort"], ["le", "chat", "dort", "EOS"]


def forward_on_a_sentence() -> Drawing:
    """Step through one forward pass on a sentence of four tokens, as matrices."""
    drawing = Drawing(
        640,
        300,
        "One forward pass. Four source tokens become a matrix of 4 rows and d columns, and after the encoder blocks "
        "the memory of the same shape. Four target tokens become a matrix of the same width; a 4 by 4 table of weights "
        "with its upper corner hidden mixes them, another 4 by 4 table mixes the memory into them. The output layer "
        "makes 4 rows of |V| logits, one row for each label.",
    )
    cell = 22

    def words(x: float, y: float, tokens: list[str], role: str, anchor: str = "end") -> None:
        for i, token in enumerate(tokens):
            drawing.text(x, y + (i + 0.5) * cell, token, size=13, role=role, anchor=anchor)

    top, bottom = 36, 184
    drawing.step("Source: each token becomes a row of d numbers, its embedding plus its position.")
    words(58, top, SOURCE, "source")
    drawing.tensor(70, top, 72, 4 * cell, "X_0", columns="d", role="source")
    drawing.step("Encoder: in every block each row attends to all rows. The shape stays; the result is the memory.")
    drawing.arrow(146, top + 44, 262, top + 44, role="source")
    drawing.text(204, top + 28, "blocks", size=13)
    drawing.tensor(268, top, 72, 4 * cell, "memory", columns="d", role="source", size=14)
    drawing.step("Target: BOS first and without its last token, it becomes a matrix of the same width.")
    words(58, bottom, READ, "target")
    drawing.tensor(70, bottom, 72, 4 * cell, "", columns="d", role="target")
    drawing.step("Decoder, self-attention: each row mixes itself and the rows before it, never a later one.")
    causal = [[1.0, None, None, None], [0.5, 0.5, None, None], [0.2, 0.3, 0.5, None], [0.1, 0.2, 0.3, 0.4]]
    drawing.arrow(146, bottom + 44, 166, bottom + 44, role="target")
    drawing.grid(170, bottom, causal, cell=cell)
    drawing.step("Decoder, cross-attention: each target row is a query to all rows of the memory.")
    cross = [[0.7, 0.2, 0.1, 0.0], [0.2, 0.7, 0.1, 0.0], [0.0, 0.1, 0.8, 0.1], [0.0, 0.0, 0.2, 0.8]]
    drawing.arrow(262, bottom + 44, 292, bottom + 44, role="target")
    drawing.grid(296, bottom, cross, cell=cell)
    drawing.arrow(340, top + 4 * cell + 2, 340, bottom - 6, role="key", label="")
    drawing.text(352, bottom - 30, "K, V", size=14, role="key", anchor="start")
    drawing.step(
        "Output: one linear layer turns each row into logits over the vocabulary; row i should predict label i."
    )
    drawing.arrow(388, bottom + 44, 422, bottom + 44, role="target")
    drawing.tensor(428, bottom, 130, 4 * cell, "logits", columns="|V|", role="state")
    words(570, bottom, LABELS, "target", "start")
    return drawing
