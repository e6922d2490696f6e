"""Drawings of chapters 09 and 10: blocks, the stream that runs through them, and the whole model."""

import math

from drawings.drawing import Drawing


def _add(drawing: Drawing, x: float, y: float) -> None:
    """Draw the sign of an addition on a line."""
    drawing.box(x - 11, y - 11, 22, 22, "+", role="strong", size=16, bold=True)


def stream_through_a_stack() -> Drawing:
    """Draw the residual stream as a line from which three layers read, to which they add, and what it then holds."""
    drawing = Drawing(
        470,
        236,
        "A thick line, the residual stream, runs from left to right: from X_0 to X_3. Below it stand three layers. An "
        "arrow leads from the line down into each layer, and one leads back up into a plus sign on the line. Above the "
        "line stands what it holds: first X_0 alone, then X_0 and f_0, then f_1 too, and at the end X_0 and all three "
        "contributions.",
    )
    y, pitch = 98, 128
    for i in range(4):
        start = 22 if i == 0 else pitch * i + 7
        (drawing.line if i < 3 else drawing.arrow)(
            start, y, 464 if i == 3 else pitch * i + 113, y, role="state", width=4
        )
        x = 26 if i == 0 else pitch * i + 28
        drawing.text(x, y + 24, f"X_{i}", size=15)
        for j in range(i + 1):
            label, role = ("X_0", "source") if j == 0 else (f"f_{j - 1}", "plain")
            drawing.box(x - 18, 68 - 18 * j, 36, 16, label, role=role, size=12)
    for i in range(3):
        left = 52 + pitch * i
        drawing.arrow(left + 12, y + 2, left + 12, 168, role="plain")
        drawing.box(left, 168, 84, 46, f"layer f_{i}", role="plain")
        drawing.arrow(left + 72, 168, left + 72, y + 13, role="plain")
        _add(drawing, left + 72, y)
    return drawing.text(60, 146, "reads", size=13, anchor="end").text(130, 146, "adds", size=13, anchor="start")


def statistics_over_what() -> Drawing:
    """Draw whose numbers enter the mean of one number, for three norms."""
    drawing = Drawing(
        640,
        236,
        "Three panels, each with two sentences as tables: a row for each word, a column for each feature. One number "
        "of the first word of the first sentence is framed, and the numbers that enter its mean are shaded. Layer "
        "norm: its row. Batch norm: its column in both sentences. Over the sentence: its column in the first one.",
    )
    cell, first, second = 20, 54, 134
    sentences = (("he", "saw", "it"), ("it", "ran", "home"))
    for panel, (name, shaded) in enumerate(
        (
            ("layer norm", lambda sentence, word, feature: (sentence, word) == (0, 0)),
            ("batch norm", lambda sentence, word, feature: feature == 1),
            ("over the sentence", lambda sentence, word, feature: sentence == 0 and feature == 1),
        )
    ):
        left = 66 + 210 * panel
        drawing.text(left + 2.5 * cell, 14, name, size=15, bold=True)
        drawing.text(left + 2.5 * cell, 38, "features", size=13)
        for sentence, (top, words) in enumerate(zip((first, second), sentences, strict=True)):
            values = [[0.45 * shaded(sentence, word, feature) for feature in range(5)] for word in range(3)]
            drawing.grid(left, top, values, cell=cell, role="state", rows=words)
        drawing.box(left + cell - 2, first - 2, cell + 4, cell + 4, "", role="strong")
        drawing.text(left + 2.5 * cell, 216, "mean over " + ("features", "batch and words", "words")[panel], size=13)
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
        460,
        500,
        "Two blocks in pre-norm, to be read from below. Left the encoder block: the stream is a vertical line; a norm "
        "and self-attention, then a norm and a feed-forward network branch off from it and are added to it. Above the "
        "last block a last norm gives the memory. Right the decoder block: the same with three sublayers, causal "
        "self-attention, cross-attention and feed-forward network. An arrow from the memory leads into cross-attention "
        "as keys and values.",
    )
    pitch, lowest = 142, 452  # from one sublayer to the next; where the lowest one branches off
    columns = (
        (32, 52, "source", ("self-attention\nall source tokens", "feed-forward network")),
        (428, 248, "target", ("self-attention\ntokens so far", "cross-attention", "feed-forward network")),
    )
    for x, left, role, sublayers in columns:
        start, middle = 484, left + 80
        for i, words in enumerate(sublayers):
            branch = lowest - pitch * i
            plus = branch - 116
            drawing.line(x, start, x, plus + 11, role="state", width=4)
            drawing.line(x, branch, middle, branch)
            drawing.arrow(middle, branch, middle, branch - 12)
            drawing.box(left, branch - 40, 160, 28, "norm", role="masked")
            drawing.arrow(middle, branch - 40, middle, branch - 52)
            drawing.box(left, branch - 98, 160, 46, words, role=role, size=14)
            drawing.line(middle, branch - 98, middle, plus)
            drawing.arrow(middle, plus, x + (13 if middle > x else -13), plus)
            _add(drawing, x, plus)
            start = plus - 11
        top = start - 17 if role == "target" else 145
        drawing.arrow(x, start, x, top, role="state", width=4)
    drawing.text(132, 484, "encoder block", size=15, role="source", bold=True)
    drawing.text(328, 484, "decoder block", size=15, role="target", bold=True)
    drawing.text(18, 490, "X", size=16, anchor="end")
    drawing.text(442, 490, "Y", size=16, anchor="start")
    drawing.box(2, 117, 60, 28, "norm", role="masked")
    drawing.text(70, 131, "after the last block", size=13, anchor="start")
    drawing.arrow(32, 117, 32, 101, role="source", width=3)
    drawing.tensor(2, 66, 66, 32, "memory", role="source", size=14)
    cross = lowest - pitch - 75
    drawing.line(68, 82, 226, 82, role="key")
    drawing.line(226, 82, 226, cross, role="key")
    drawing.arrow(226, cross, 248, cross, role="key")
    drawing.text(233, cross - 60, "K, V", size=15, role="key", anchor="start")
    return drawing


SOURCE, READ, LABELS = ["the", "cat", "sleeps", "EOS"], ["BOS", "le", "chat", "dort"], ["le", "chat", "dort", "EOS"]
CAUSAL = [[1.0, None, None, None], [0.5, 0.5, None, None], [0.2, 0.3, 0.5, None], [0.1, 0.2, 0.3, 0.4]]
CROSS = [[0.7, 0.2, 0.1, 0.0], [0.2, 0.7, 0.1, 0.0], [0.0, 0.1, 0.8, 0.1], [0.0, 0.0, 0.2, 0.8]]
OF_LABELS = [0.7, 0.5, 0.8, 0.9]  # the probabilities that the softmax gives to the labels
UPDATE = """memory = model.encode(source)
decoder_input, labels = target[:, :-1], target[:, 1:]
logits = model.decode(decoder_input, memory, source)
loss = label_smoothing_loss(logits, labels)
loss.backward()"""


def one_update() -> Drawing:
    """Step through one update on a pair of sentences: shapes, the shifted target, three attentions and the loss."""
    cell, top, bottom = 20, 44, 226
    tall = 4 * cell
    drawing = Drawing(
        470,
        384,
        "One update. Above, four source tokens become a matrix of S rows and d columns, and after the encoder blocks "
        "the memory of the same shape. In the middle the target of five tokens stands in a row of cells, with two "
        "lines: the decoder reads all but the last, the labels are all but the first. Below, the four tokens that are "
        "read become a matrix of T rows and d columns; a 4 by 4 table of weights with its upper corner hidden mixes "
        "them, another 4 by 4 table mixes the memory into them, and the output layer makes T rows of logits. Beside "
        "each row stand its label and the probability of the label; the loss is the mean of their negative logarithms.",
    )
    columns = {"X": 62, "causal": 134, "cross": 232, "logits": 330}
    drawing.tensor(62, top, 54, tall, role="masked").tensor(204, top, 54, tall, role="masked")
    for name, x in columns.items():
        drawing.tensor(x, bottom, tall if name in ("causal", "cross") else 54, tall, role="masked")

    def words(x: float, y: float, tokens: list[str], role: str, anchor: str = "end") -> None:
        for i, token in enumerate(tokens):
            drawing.text(x, y + (i + 0.5) * cell, token, size=13, role=role, anchor=anchor)

    for i, meaning in enumerate(("S source tokens", "T target tokens read", "d width, |V| words")):
        drawing.text(470, 20 + 18 * i, meaning, size=13, anchor="end")
    drawing.code(UPDATE)
    drawing.step("Each source token becomes a row of d numbers: its embedding plus its position.", line=1)
    words(54, top, SOURCE, "source")
    drawing.tensor(62, top, 54, tall, "X", columns="S × d", role="source")
    drawing.step(
        "Encoder: in every block each row attends to all rows. The shape stays; the result is the memory.", line=1
    )
    drawing.arrow(120, top + 40, 200, top + 40, role="source").text(160, top + 27, "blocks", size=13)
    drawing.tensor(204, top, 54, tall, "memory", columns="S × d", role="source", size=12)
    drawing.step("The target is used twice, shifted by one: the decoder reads it without its last token, and the "
        "labels are what follows each token, the target without its first.", line=2)  # fmt: skip
    for i, token in enumerate([*READ, "EOS"]):
        drawing.box(62 + 48 * i, 156, 44, 22, token, role="target", size=12)
    drawing.line(62, 184, 250, 184, role="target", width=2.4).text(156, 196, "decoder reads", size=13, role="target")
    drawing.line(110, 150, 298, 150, role="state", width=2.4).text(204, 138, "labels", size=13, role="state")
    drawing.step("The decoder's input, as many rows as tokens are read. All rows are computed at once, though in "
                 "generation each would wait for the one before: teacher forcing.", line=3)  # fmt: skip
    words(54, bottom, READ, "target")
    drawing.tensor(62, bottom, 54, tall, "Y", columns="T × d", role="target")
    drawing.step(
        "Self-attention of the decoder: the causal mask lets each row mix itself and the rows before it.", line=3
    )
    drawing.arrow(118, bottom + 40, 132, bottom + 40, role="target")
    drawing.grid(134, bottom, CAUSAL, cell=cell).text(174, bottom + tall + 14, "causal, T × T", size=13)
    drawing.step("Cross-attention: each row is a query to all rows of the memory.", line=3)
    drawing.arrow(216, bottom + 40, 230, bottom + 40, role="target")
    drawing.grid(232, bottom, CROSS, cell=cell).text(272, bottom + tall + 14, "cross, T × S", size=13)
    drawing.line(262, top + 40, 322, top + 40, role="key").line(322, top + 40, 322, 206, role="key")
    drawing.line(322, 206, 272, 206, role="key").arrow(272, 206, 272, bottom - 3, role="key")
    drawing.text(330, top + 46, "K, V", size=14, role="key", anchor="start")
    drawing.step("One linear layer turns each row into logits, one for each word of the vocabulary V. Softmax makes "
                 "probabilities of them; here are those of the labels.", line=3)  # fmt: skip
    drawing.arrow(314, bottom + 40, 328, bottom + 40, role="target")
    drawing.tensor(330, bottom, 54, tall, "logits", columns="T × |V|", role="state", size=12)
    words(390, bottom, LABELS, "state", "start")
    for i, share in enumerate(OF_LABELS):
        drawing.text(464, bottom + (i + 0.5) * cell, f"{share}", size=13, anchor="end")
    drawing.text(464, bottom - 12, "p", size=13, anchor="end")
    losses = [-math.log(share) for share in OF_LABELS]
    drawing.step("The loss is the mean of −ln p over the labels, and its gradient goes back through everything: one "
                 "backward pass trains all positions.", line=5)  # fmt: skip
    total = " + ".join(f"{loss:.2f}" for loss in losses)
    drawing.text(464, 350, f"loss = ({total}) / 4 = {sum(losses) / 4:.2f}", anchor="end", bold=True)
    return drawing
