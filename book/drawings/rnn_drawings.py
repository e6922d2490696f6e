"""Drawings of chapters 01 and 02: the translator as a box, teacher forcing, the recurrent encoder-decoder, a beam."""

from drawings.drawing import Drawing

ENGLISH = ("the", "black", "cat", "sees", "the", "old", "queen")
FRENCH = ("le", "chat", "noir", "voit", "la", "vieille", "reine")
LINKS = ((0, 0), (1, 2), (2, 1), (3, 3), (4, 4), (5, 5), (6, 6))  # (French, English)


def crossing_words() -> Drawing:
    """Draw an English sentence above its French translation, with a line for each gold link."""
    drawing = Drawing(
        640,
        170,
        "Seven English words above seven French ones, each linked to the word that it comes from. The lines of "
        "black cat and chat noir cross; the others run straight down.",
    )
    for i, (above, below) in enumerate(zip(ENGLISH, FRENCH, strict=True)):
        drawing.box(4 + 91 * i, 8, 84, 36, above, role="source", size=15)
        drawing.box(4 + 91 * i, 124, 84, 36, below, role="target", size=15)
    for i, j in LINKS:
        drawing.line(46 + 91 * j, 46, 46 + 91 * i, 122, role="strong" if i != j else "plain")
    return drawing


def translator_box() -> Drawing:
    """Draw the translator as a box: it reads the source and the words so far, and gives shares for the next word."""
    drawing = Drawing(
        640,
        250,
        "A box, the encoder-decoder, reads the black cat and the words written so far, le chat. It gives each word a "
        "probability of being next: noir has most. The word that is chosen joins the words so far, and the box is "
        "asked again.",
    )
    drawing.text(85, 22, "source x", role="source", bold=True).box(
        6, 36, 158, 42, "the black cat", role="source", size=15
    )
    drawing.text(85, 124, "target so far", role="target", bold=True)
    drawing.box(6, 138, 158, 42, "le  chat", role="target", size=15)
    drawing.box(236, 40, 130, 140, "encoder-\ndecoder", role="state", size=16, bold=True)
    drawing.arrow(166, 57, 234, 80, role="source").arrow(166, 159, 234, 138, role="target")
    drawing.text(530, 22, "probability of the next word", bold=True)
    for i, (word, share) in enumerate((("noir", 0.86), ("voit", 0.08), ("et", 0.04), ("EOS", 0.02))):
        y = 48 + 37 * i
        drawing.text(472, y, word, size=15, anchor="end")
        drawing.box(480, y - 11, max(150 * share, 3), 22, role="target").text(
            490 + 150 * share, y, f"{share:.2f}", size=13, anchor="start"
        ) if share < 0.5 else drawing.box(480, y - 11, 150 * share, 22, f"{share:.2f}", role="target")
    drawing.arrow(368, 110, 438, 110, role="state")
    drawing.line(611, 48, 626, 48, role="target", dashed=True).line(626, 48, 626, 226, role="target", dashed=True)
    drawing.line(626, 226, 85, 226, role="target", dashed=True)
    drawing.arrow(85, 226, 85, 184, role="target", dashed=True)
    drawing.text(252, 210, "noir is appended, and the box is asked again", size=13)
    return drawing


def embedding_table() -> Drawing:
    """Draw how a word becomes a vector: its id picks a row of a table."""
    drawing = Drawing(
        640,
        206,
        "The word cat has id 5. The table of embeddings has one row of numbers for each word; row 5 is picked, and is "
        "the vector that the network reads.",
    )
    drawing.text(60, 20, "word", bold=True).box(12, 85, 96, 38, "cat", role="source", size=15)
    drawing.arrow(110, 104, 150, 104, role="source").text(176, 20, "id", bold=True)
    drawing.box(154, 85, 44, 38, "5", role="plain", size=15).arrow(200, 104, 262, 104)
    drawing.text(357, 20, "embedding table", bold=True)
    rows = (
        (0.1, 0.6, 0.3, 0.8),
        (0.7, 0.2, 0.5, 0.1),
        (0.4, 0.9, 0.1, 0.6),
        (0.2, 0.3, 0.8, 0.4),
        (0.9, 0.5, 0.2, 0.7),
    )
    drawing.grid(300, 40, rows, cell=29, role="state", rows=("3", "4", "5", "6", "7"))
    drawing.box(296, 94, 124, 37, role="strong").arrow(424, 112, 490, 112, role="strong", width=2.4)
    drawing.text(560, 20, "its vector", bold=True).grid(500, 98, (rows[2],), cell=29, role="state")
    drawing.text(357, 196, "one row per word, learned", size=13)
    return drawing


def _cells(drawing: Drawing, x: float, y: float, words: tuple[str, ...], width: float = 69) -> None:
    for i, word in enumerate(words):
        role = "masked" if word == "PAD" else "plain" if word in ("BOS", "EOS") else "target"
        drawing.box(x + width * i, y, width - 5, 36, word, role=role, dashed=word == "PAD")


def padded_batch() -> Drawing:
    """Draw a batch of two sentences: what the decoder reads, what it should answer, and where the loss counts."""
    drawing = Drawing(
        640,
        176,
        "Two rows of a batch. The decoder reads BOS le chat noir, and BOS la reine EOS. Its labels are le chat noir "
        "EOS, and la reine EOS PAD. Under the last position of the second row the loss does not count.",
    )
    drawing.text(145, 18, "the decoder reads", bold=True).text(485, 18, "labels", bold=True)
    for y, reads, labels in ((38, ("BOS", "le", "chat", "noir"), ("le", "chat", "noir", "EOS")),
                             (94, ("BOS", "la", "reine", "EOS"), ("la", "reine", "EOS", "PAD"))):  # fmt: skip
        _cells(drawing, 8, y, reads)
        _cells(drawing, 348, y, labels)
        drawing.arrow(290, y + 18, 340, y + 18)
    drawing.text(588, 148, "no loss here", size=13, role="masked")
    drawing.text(247, 148, "read, but without effect", size=13)
    return drawing


def teacher_forcing() -> Drawing:
    """Step through teacher forcing: the sentence, what is read, what is the label, position by position."""
    words, pitch, left = ("BOS", "le", "chat", "noir", "EOS"), 104, 118
    drawing = Drawing(
        640,
        292,
        "The French sentence BOS le chat noir EOS. The decoder reads all but its last word; the labels are all but its "
        "first. Above each word that is read stands the word that follows it.",
    )

    def row(y, those, role):
        for i, word in enumerate(those):
            special = word in ("BOS", "EOS")
            drawing.box(left + pitch * i, y, 88, 38, word, role="plain" if special else role, size=15)

    drawing.step(
        "The right translation, from BOS to EOS. The labels are all but its first word, one place to the left. The "
        "decoder reads all but its last word, in the old place."
    )
    drawing.text(104, 31, "sentence", anchor="end", bold=True)
    row(12, words, "target")
    drawing.text(104, 109, "labels", anchor="end", bold=True)
    row(90, words[1:], "target")
    for i in range(4):
        drawing.arrow(left + pitch * (i + 1) + 44, 52, left + pitch * i + 44, 88, role="masked", dashed=True)
    drawing.text(104, 263, "reads", anchor="end", bold=True)
    row(244, words[:-1], "target")
    captions = (
        "Position 1: after BOS and the whole source, the right answer is le.",
        "Position 2: the decoder has read BOS and le, whatever it answered before. The right answer is chat.",
        "Position 3: BOS, le and chat lead to noir.",
        "Position 4: after noir the sentence ends, so the label is EOS. No prediction had to wait for another.",
    )
    drawing.code("for t in range(4):\n    p = softmax(model(x, reads[:t + 1]))\n    probs[t] = p[labels[t]]")
    for i, caption in enumerate(captions):
        drawing.step(caption, line=3)
        x = left + pitch * i
        drawing.arrow(x + 44, 242, x + 44, 208, role="target").box(x + 4, 168, 80, 38, "model", role="state")
        drawing.arrow(x + 44, 166, x + 44, 131, role="target")
        if i:
            drawing.arrow(x - 18, 187, x + 3, 187, role="state")
    return drawing


def smoothed_label() -> Drawing:
    """Draw a label as bars: all on the right word, and smoothed with epsilon 0.4 over five words."""
    drawing = Drawing(
        640,
        216,
        "Two sets of five bars. Left, the label: chat has 1, the others 0. Right, the smoothed label with epsilon 0.4: "
        "chat has 0.68, each other word 0.08.",
    )
    words = ("le", "la", "chat", "noir", "EOS")
    for left, title, shares in ((20, "hard label", (0, 0, 1, 0, 0)),
                                (350, "smoothed, \u03b5 = 0.4", (0.08, 0.08, 0.68, 0.08, 0.08))):  # fmt: skip
        drawing.text(left + 135, 16, title, bold=True, size=15)
        for i, (word, share) in enumerate(zip(words, shares, strict=True)):
            x = left + 54 * i
            if share:
                drawing.box(x + 5, 184 - 132 * share, 44, 132 * share, role="target")
            drawing.text(x + 27, 172 - 132 * share, f"{share:.2f}" if share % 1 else str(share), size=13)
            drawing.text(x + 27, 200, word)
        drawing.line(left, 184, left + 272, 184)
    return drawing


def unrolled() -> Drawing:
    """Draw the recurrent encoder-decoder word by word, with the one vector between its halves."""
    drawing = Drawing(
        640,
        262,
        "Left, the encoder: it reads the, black, cat and EOS, one state after the other. Its last state is the only "
        "arrow to the decoder on the right, which reads BOS le chat noir and writes le chat noir EOS. Each written "
        "word is the next one to be read.",
    )
    pitch, width = 72, 58
    for i, word in enumerate(("the", "black", "cat", "EOS")):
        x = 4 + pitch * i
        drawing.box(x, 196, width, 36, word, role="source").arrow(x + 29, 194, x + 29, 148, role="source")
        drawing.box(x, 104, width, 42, f"h_{i + 1}", role="state", size=16)
        if i:
            drawing.arrow(x - 14, 125, x - 1, 125, role="state")
    for i, (read, write) in enumerate((("BOS", "le"), ("le", "chat"), ("chat", "noir"), ("noir", "EOS"))):
        x = 362 + pitch * i
        drawing.box(x, 196, width, 36, read, role="target").arrow(x + 29, 194, x + 29, 148, role="target")
        drawing.box(x, 104, width, 42, f"g_{i + 1}", role="state", size=16)
        drawing.arrow(x + 29, 102, x + 29, 58, role="target").box(x, 20, width, 36, write, role="target")
        if i:
            drawing.arrow(x - 14, 125, x - 1, 125, role="state")
            drawing.arrow(x - 14, 54, x + 6, 194, role="target", dashed=True, width=1.2)
    drawing.arrow(280, 125, 359, 125, role="strong", width=4)
    drawing.text(319, 84, "one vector", bold=True, size=15)
    drawing.text(140, 250, "encoder", bold=True).text(500, 250, "decoder", bold=True)
    return drawing


# For each word two entries of a state: their update gates z and candidates n, invented but for those of "sees",
# which are the step that chapter 02 works out.
GATED = (
    ("the", (0.98, 0.0), (0.05, -0.6)),
    ("queen", (0.05, 0.95), (0.05, -0.5)),
    ("sees", (0.982, -0.635), (0.047, 0.724)),
    ("the", (0.98, -0.2), (0.05, -0.6)),
    ("cat", (0.97, -0.8), (0.04, 0.3)),
)


def gates_over_time() -> Drawing:
    """Draw two entries of a gated state over five words: one is written once and kept, one is overwritten each time."""
    drawing = Drawing(
        640,
        270,
        "Two entries of a state, unrolled over the words the, queen, sees, the, cat. The upper entry, for the subject, "
        "is written at queen, where the arrow from the word is thick, and then thick arrows carry it along with little "
        "change. The lower entry, for the last word, is written anew at every word; the arrows along it are thin.",
    )
    for lane, (y, name) in enumerate(((46, "subject"), (224, "last word"))):
        drawing.text(4, y, name, size=13, anchor="start", bold=True)
        state = 0.0
        for i, (word, *gates) in enumerate(GATED):
            x, (z, n) = 112 + 106 * i, gates[lane]
            state = (1 - z) * n + z * state
            drawing.arrow(x - (34 if i == 0 else 46), y, x - 2, y, role="state", width=1 + 5 * z)
            drawing.text(x - 24, y - 16, f"{z:.2f}", size=13)
            tip = (116, 67) if lane == 0 else (154, 203)
            drawing.arrow(x + 29, tip[0], x + 29, tip[1], role="source", width=1 + 5 * (1 - z))
            drawing.box(x, y - 19, 58, 38, f"{state:.2f}".replace("-", "\u2212"), role="state", size=15)
            if lane == 0:
                drawing.box(x, 118, 58, 34, word, role="source", size=15)
        drawing.arrow(x + 60, y, x + 94, y, role="state", width=1 + 5 * z)
    drawing.text(4, 135, "words", size=13, anchor="start", role="source", bold=True)
    return drawing


def ways_to_use_the_vector() -> Drawing:
    """Draw three decoders: the source's vector as first state, the same vector at every step, a fresh one each step."""
    drawing = Drawing(
        640,
        196,
        "Three decoders of three states each. Left, the vector c enters the first state only. Middle, the same c "
        "enters every state. Right, each state gets a vector of its own, c_1, c_2, c_3.",
    )
    for left, title in ((4, "as first state"), (222, "the same at every step"), (440, "a fresh one each step")):
        drawing.text(left + 98, 16, title, bold=True)
        for i in range(3):
            x = left + 8 + 64 * i
            drawing.box(x, 52, 48, 38, f"g_{i + 1}", role="state", size=15)
            if i:
                drawing.arrow(x - 15, 71, x - 1, 71, role="state")
    drawing.box(12, 138, 48, 38, "c", role="source", size=15).arrow(36, 136, 36, 93, role="source")
    drawing.box(294, 138, 48, 38, "c", role="source", size=15)
    for x in (254, 318, 382):
        drawing.arrow(318, 136, x, 93, role="source")
    for i in range(3):
        x = 448 + 64 * i
        drawing.box(x, 138, 48, 38, f"c_{i + 1}", role="source", size=15).arrow(x + 24, 136, x + 24, 93, role="source")
    return drawing


def beam_tree() -> Drawing:
    """Step through a beam of two on the language of two words."""
    drawing = Drawing(
        640,
        318,
        "A tree from the start. First A with 0.4 and B with 0.6, both kept. Then A EOS with 0.36 and B A with 0.30 are "
        "kept; A B, B B and B EOS are cut. At last B A ends with 0.30, so A EOS wins.",
    )

    def node(x, y, label, kept, parent=None, share=""):
        role = "target" if kept else "masked"
        if parent:
            drawing.arrow(parent[0], parent[1], x - 2, y, role=role, dashed=not kept)
            away = -12 if y <= parent[1] else 12
            drawing.text((parent[0] + x) / 2, (parent[1] + y) / 2 + away, share, size=13)
        drawing.box(x, y - 19, 104, 38, label, role=role, dashed=not kept)

    drawing.step(
        "The empty prefix is extended by every word. Two extensions are possible, and a beam of two keeps both."
    )
    drawing.box(4, 140, 62, 38, "BOS", role="plain")
    node(138, 90, "A  0.40", True, (66, 152), "0.4")
    node(138, 220, "B  0.60", True, (66, 166), "0.6")
    children = ((36, "A B  0.04", (242, 84), "0.1"), (96, "A EOS  0.36", (242, 92), "0.9"),
                (172, "B A  0.30", (242, 212), "0.5"), (230, "B B  0.24", (242, 222), "0.4"),
                (288, "B EOS  0.06", (242, 230), "0.1"))  # fmt: skip
    captions = (
        "A is extended. The numbers in the boxes are products along the way: 0.4 \u00b7 0.9 = 0.36.",
        "B is extended too, for example to B A with 0.6 \u00b7 0.5 = 0.30.",
    )
    for caption, those in zip(captions, (children[:2], children[2:]), strict=True):
        drawing.step(caption)
        for y, label, parent, share in those:
            node(330, y, label, label[:3] in ("A E", "B A"), parent, share)
    drawing.step(
        "The best two of all five stay, wherever they come from. One has ended; B A is the only one to extend."
    )
    drawing.text(444, 96, "ended", size=13, role="target", anchor="start", bold=True)
    for y in (36, 230, 288):
        drawing.text(444, y, "cut", size=13, role="masked", anchor="start")
    drawing.step("B A can only end, with 0.30. Greedy decoding would have written it. The beam has found A, with 0.36.")
    node(514, 172, "B A EOS  0.30", True, (434, 172), "1")
    return drawing
