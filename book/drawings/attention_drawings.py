"""The drawings of chapters 03 and 04: attention between recurrent networks, and attention as a product of matrices."""

from drawings.drawing import Drawing


def between_rnns() -> Drawing:
    """Draw the decoder's state that asks, the encoder's states that answer, and the context mixed from them."""
    drawing = Drawing(
        640,
        290,
        "Left, three encoder states over the words the, old, queen, joined by arrows in both directions. Right, three "
        "decoder states in a row. The second one sends a query to the encoder states; a thin, a thick and a thin arrow "
        "lead from them to a context vector; context and decoder state lead to the word vieille.",
    )
    words, weights = ("the", "old", "queen"), (1.4, 7.0, 2.4)
    drawing.box(22, 150, 306, 76, dashed=True)
    for j, (word, width) in enumerate(zip(words, weights, strict=True)):
        left = 38 + 100 * j
        drawing.box(left, 168, 74, 40, f"h_{j + 1}", role="key")
        drawing.text(left + 37, 262, word, role="source", size=15)
        drawing.arrow(left + 37, 250, left + 37, 211, role="source")
        if j:
            drawing.arrow(left - 26, 180, left - 1, 180, role="state")
            drawing.arrow(left - 1, 196, left - 26, 196, role="state")
        drawing.arrow(left + 37, 165, 160 + 15 * j, 76, role="weights", width=width)
    drawing.box(132, 32, 86, 42, "c_2", role="value")
    drawing.text(78, 52, "context", size=14)
    for i, read in enumerate(("BOS", "la", "vieille")):
        left = 392 + 84 * i
        drawing.box(left, 168, 60, 40, f"g_{i + 1}", role="query" if i == 1 else "state")
        drawing.text(left + 30, 262, read, role="target", size=15)
        drawing.arrow(left + 30, 250, left + 30, 211, role="target")
        if i:
            drawing.arrow(left - 24, 188, left - 1, 188, role="state")
    drawing.arrow(484, 165, 331, 172, role="query", bend=-30, label="query")
    drawing.box(458, 32, 96, 42, "vieille", role="target", size=15)
    drawing.arrow(506, 165, 506, 78, role="state")
    drawing.arrow(221, 53, 455, 53, role="value")
    return drawing


def bidirectional() -> Drawing:
    """Draw two readers of one sentence, and the pair of states that each word gets."""
    drawing = Drawing(
        640,
        284,
        "Three words, the, old, queen. One row of states is joined by arrows from left to right, another by arrows "
        "from right to left. Above each word, its two states stand side by side and make one state h.",
    )
    drawing.text(66, 206, "reads →", size=15).text(66, 146, "← reads", size=15)
    drawing.text(66, 66, "side by side", size=15)
    for j, word in enumerate(("the", "old", "queen")):
        left = 150 + 165 * j
        drawing.text(left + 60, 262, word, role="source", size=16)
        drawing.box(left + 6, 186, 54, 38, "→", role="state", size=17)
        drawing.box(left + 66, 126, 54, 38, "←", role="plain", size=17)
        drawing.arrow(left + 40, 250, left + 34, 227, role="source")
        drawing.arrow(left + 80, 250, left + 92, 167, role="source")
        if j:
            drawing.arrow(left - 104, 205, left + 3, 205, role="state")
            drawing.arrow(left + 63, 145, left - 42, 145, role="plain")
        drawing.text(left + 66, 24, f"h_{j + 1}", size=17)
        drawing.tensor(left + 12, 46, 54, 40, "→", role="state", size=17)
        drawing.tensor(left + 66, 46, 54, 40, "←", role="plain", size=17)
        drawing.arrow(left + 34, 183, left + 38, 89, role="state")
        drawing.arrow(left + 93, 123, left + 93, 89, role="plain")
    return drawing


def attention_by_hand() -> Drawing:
    """Step through the attention of one target word: compare, take exponentials, divide, average."""
    drawing = Drawing(
        640,
        250,
        "Three encoder states, (1, 0), (0, 1) and (10, 10), and a query. Their scores ln 6, ln 3 and ln 1 become the "
        "exponentials 6, 3 and 1, these the weights 0.6, 0.3 and 0.1, and the "
        "weighted average of the states is (1.6, 1.3).",
    )
    rows = (60, 120, 180)
    drawing.box(14, 102, 50, 36, "g", role="query", size=16)
    for y, j, state in zip(rows, (1, 2, 3), ("(1, 0)", "(0, 1)", "(10, 10)"), strict=True):
        drawing.box(118, y - 20, 106, 40, f"h_{j} = {state}", role="key")
    drawing.code(
        "s = [score(g, h_j) for h_j in h]\n"
        "e = [exp(s_j) for s_j in s]\n"
        "a = [e_j / sum(e) for e_j in e]\n"
        "c = a[0]*h[0] + a[1]*h[1] + ..."
    )
    drawing.step("The query is compared with every state. Each comparison gives one number, a score.", line=1)
    drawing.text(272, 22, "scores", size=14)
    for y, score in zip(rows, ("ln 6", "ln 3", "ln 1"), strict=True):
        drawing.arrow(66, 120, 115, y, role="query")
        drawing.text(272, y, score, size=16)
    drawing.step("Exponentials are positive and keep the order. ln 1 = 0 becomes 1, not 0.", line=2)
    drawing.text(352, 22, "e^{s}", size=16)
    for y, number in zip(rows, ("6", "3", "1"), strict=True):
        drawing.arrow(298, y, 334, y)
        drawing.text(352, y, number, size=16)
    drawing.text(352, 230, "sum 10", size=14, bold=True)
    drawing.step("Divided by their sum, 10, they sum to 1: these are the weights.", line=3)
    drawing.text(432, 22, "weights", size=14)
    for y, weight in zip(rows, (0.6, 0.3, 0.1), strict=True):
        drawing.arrow(370, y, 406, y)
        drawing.grid(412, y - 20, [[weight]], cell=40, numbers=True)
    drawing.step("Weighted average: 0.6 (1, 0) + 0.3 (0, 1) + 0.1 (10, 10) = (1.6, 1.3).", line=4)
    drawing.text(575, 82, "context", size=14)
    drawing.box(520, 98, 110, 44, "c = (1.6, 1.3)", role="value")
    for y, width in zip(rows, (5.0, 3.0, 1.4), strict=True):
        drawing.arrow(455, y, 517, 120 + (y - 120) / 5, role="weights", width=width)
    return drawing


def two_moments() -> Drawing:
    """Draw the order of reading and attending in Bahdanau's and in Luong's decoder, side by side."""
    drawing = Drawing(
        640,
        270,
        "Two unrolled steps. Bahdanau: the old state g i-1 is the query to the encoder states; the context goes into "
        "the cell together with the old state and the word before, and out comes g i; both go to the prediction. "
        "Luong: the cell makes g i from the old state and the word before; then g i is the query to the encoder "
        "states, and both go to the prediction.",
    )
    for left, name in ((0, "Bahdanau: attend, then read"), (330, "Luong: read, then attend")):
        drawing.text(left + 150, 20, name, size=15, bold=True)
        drawing.box(left + 112, 48, 92, 38, "all h_j", role="key")
        drawing.text(left + 156, 252, "y_{i-1}", role="target", size=15)
        drawing.arrow(left + 156, 240, left + 156, 209, role="target")
        drawing.box(left + 124, 168, 64, 38, "cell", role="plain")
        drawing.arrow(left + 66, 187, left + 121, 187, role="state")
        drawing.arrow(left + 191, 187, left + 230, 187, role="state")
    drawing.box(8, 168, 56, 38, "g_{i-1}", role="query")
    drawing.box(233, 168, 56, 38, "g_i", role="state")
    drawing.arrow(36, 165, 109, 68, role="query", bend=18)
    drawing.text(30, 100, "query", size=14, role="query")
    drawing.box(132, 110, 48, 34, "c_i", role="value")
    drawing.arrow(156, 88, 156, 107, role="weights")
    drawing.arrow(156, 146, 156, 165, role="value")
    drawing.arrow(261, 165, 261, 113, role="state")
    drawing.arrow(182, 121, 231, 104, role="value")
    drawing.text(261, 98, "word i", role="target", size=14)
    drawing.box(338, 168, 56, 38, "g_{i-1}", role="state")
    drawing.box(563, 168, 56, 38, "g_i", role="query")
    drawing.arrow(612, 165, 537, 64, role="query", bend=-26)
    drawing.text(612, 76, "query", size=14, role="query")
    drawing.box(462, 110, 48, 34, "c_i", role="value")
    drawing.arrow(486, 88, 486, 107, role="weights")
    drawing.text(560, 127, "word i", role="target", size=14)
    drawing.arrow(577, 165, 568, 140, role="state")
    drawing.arrow(512, 127, 534, 127, role="value")
    return drawing


def pipeline() -> Drawing:
    """Draw attention as two products of matrices, with the side that vanishes in each."""
    drawing = Drawing(
        640,
        420,
        "First row: Q with m rows and d k columns, times K transposed with d k rows and n columns, gives the scores, "
        "m by n; d k, drawn thick, has vanished. Second row: softmax makes of the scores the weights A, m by n; "
        "times V with n rows and d v columns they give the output, m by d v; the side n has vanished.",
    )
    drawing.tensor(40, 40, 62, 92, "Q", rows="m", columns="d_k", role="query", size=18)
    drawing.text(124, 86, "·", size=26, bold=True)
    drawing.tensor(174, 55, 130, 62, "K^T", rows="d_k", columns="n", role="key", size=18)
    drawing.text(344, 86, "÷ √", size=18).text(371, 87, "d_k", size=17)
    drawing.arrow(398, 86, 436, 86)
    drawing.tensor(466, 40, 130, 92, "scores", rows="m", columns="n", role="plain")
    drawing.line(39, 40, 103, 40, role="strong", width=5).line(174, 54, 174, 118, role="strong", width=5)
    drawing.text(178, 148, "d_k meets d_k: summed over", size=14, bold=True)
    drawing.arrow(510, 136, 110, 226, bend=-16, width=2.4)
    drawing.text(390, 204, "softmax of each row", size=14)
    drawing.tensor(40, 254, 130, 92, "A", rows="m", columns="n", role="weights", size=18)
    drawing.text(192, 300, "·", size=26, bold=True)
    drawing.tensor(238, 262, 76, 130, "V", rows="n", columns="d_v", role="value", size=18)
    drawing.arrow(344, 300, 420, 300)
    drawing.tensor(466, 254, 76, 92, "output", rows="m", columns="d_v", role="value", size=15)
    drawing.line(39, 254, 171, 254, role="strong", width=5).line(238, 261, 238, 393, role="strong", width=5)
    drawing.text(124, 380, "n meets n: summed over", size=14, bold=True)
    return drawing


def self_and_cross() -> Drawing:
    """Draw where queries, keys and values come from in self- and in cross-attention."""
    drawing = Drawing(
        640,
        300,
        "Left, self-attention: one sequence X is multiplied by three matrices and gives Q, K and V. Right, "
        "cross-attention: Q comes from the target sequence, K and V from the source sequence.",
    )
    for left, title in ((0, "self-attention"), (330, "cross-attention")):
        drawing.text(left + 150, 20, title, size=16, bold=True)
        for x, letter, role in ((22, "Q", "query"), (122, "K", "key"), (222, "V", "value")):
            drawing.tensor(left + x, 152, 56, 56, letter, role=role, size=18)
            drawing.arrow(left + x + 28, 211, left + 150 + (x - 122) * 0.3, 252, role=role)
        drawing.box(left + 90, 255, 120, 38, "attention", role="weights", size=15)
    drawing.tensor(92, 52, 116, 44, "one sentence", role="source", size=14)
    for x, letter, role in ((50, "W_Q", "query"), (150, "W_K", "key"), (250, "W_V", "value")):
        drawing.arrow(150 + (x - 150) * 0.4, 98, x, 149, role=role)
        drawing.text({50: 58, 150: 172, 250: 244}[x], 120, letter, size=15)
    drawing.tensor(330 + 6, 52, 104, 44, "decoder", role="target", size=14)
    drawing.tensor(330 + 140, 52, 140, 44, "encoder", role="source", size=14)
    drawing.arrow(380, 98, 380, 149, role="query")
    drawing.text(408, 122, "W_Q", size=15)
    drawing.arrow(500, 98, 480, 149, role="key")
    drawing.text(466, 118, "W_K", size=15)
    drawing.arrow(560, 98, 580, 149, role="value")
    drawing.text(600, 118, "W_V", size=15)
    return drawing
