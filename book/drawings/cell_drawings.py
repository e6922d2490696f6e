"""The gated cells of chapter 02 and of its notes: a GRU at work on one entry of its state, and an LSTM."""

import math

from drawings.drawing import Drawing

# One step of chapter 02: the entry's old state, the sums for its gates r and z, and the two parts of its candidate.
STEP = {"h": 0.9, "for r": 0.0, "for z": 4.0, "from word": -1.0, "from state": 0.5}


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", "\u2212")


def _node(drawing: Drawing, x: float, y: float, sign: str) -> None:
    drawing.box(x - 12, y - 12, 24, 24, sign, role="plain", size=15)


def gru_cell() -> Drawing:
    """Step through a GRU cell that reads one word: its wiring, and the numbers of one entry."""
    sigma = lambda a: 1 / (1 + math.exp(-a))  # noqa: E731
    h, r, z = STEP["h"], sigma(STEP["for r"]), sigma(STEP["for z"])
    n = math.tanh(STEP["from word"] + r * STEP["from state"])
    new = (1 - z) * n + z * h
    drawing = Drawing(
        480,
        330,
        "A GRU cell. The old state h runs along the top to a box called mix, and out of it comes the new state. The "
        "word x comes in at the bottom. Both feed the reset gate r and the update gate z. The reset gate multiplies "
        "the old state on its way to the candidate n, which also reads the word. The update gate and the candidate go "
        f"to the mix. In the example r is {_number(r)}, z {_number(z)}, the candidate {_number(n)}, and the state "
        f"changes from {_number(h)} to {_number(new)}.",
    )
    drawing.box(4, 36, 48, 44, "h", role="state", size=17).box(4, 258, 48, 44, "x", role="source", size=17)
    drawing.text(28, 20, "old", size=13).text(28, 318, "word", size=13)
    drawing.line(74, 58, 74, 280).line(52, 280, 74, 280, role="source")
    drawing.arrow(52, 58, 366, 58, role="state")  # the path of the state
    drawing.box(96, 188, 58, 40, "r", role="weights", size=17).arrow(74, 208, 95, 208)
    drawing.text(125, 242, "reset gate", size=13)
    drawing.box(246, 96, 58, 40, "z", role="weights", size=17).arrow(74, 116, 245, 116)
    drawing.text(275, 82, "update gate", size=13)
    _node(drawing, 188, 208, "\u2299")
    drawing.arrow(154, 208, 175, 208, role="weights").arrow(188, 58, 188, 195, role="state")
    drawing.box(246, 188, 58, 40, "n", role="state", size=17).arrow(200, 208, 245, 208, role="state")
    drawing.text(275, 242, "candidate", size=13)
    drawing.line(74, 280, 275, 280, role="source").arrow(275, 280, 275, 252, role="source")
    drawing.arrow(304, 116, 366, 116, role="weights").arrow(304, 208, 366, 208, role="state")
    drawing.box(368, 36, 46, 196, "mix", role="plain", size=15).box(434, 108, 44, 44, "h'", role="state", size=17)
    drawing.arrow(414, 130, 433, 130, role="state").text(456, 92, "new", size=13)
    drawing.code(
        "r = sigma(x @ W_r + h @ U_r + b_r)\n"
        "z = sigma(x @ W_z + h @ U_z + b_z)\n"
        "n = tanh(x @ W_n + b_n + r * (h @ U_n + b2_n))\n"
        "new = (1 - z) * n + z * h"
    )
    drawing.step(
        f"Both gates read the word and the old state. The reset gate comes out at {_number(r)}: the candidate will see "
        "half of what the old state has to say.",
        line=1,
    )
    drawing.text(28, 94, _number(h), size=14, bold=True)
    drawing.text(125, 174, _number(r), size=14, bold=True)
    drawing.step(f"The update gate is {_number(z)}: nearly all of the old state is to be kept.", line=2)
    drawing.text(275, 150, _number(z), size=14, bold=True)
    drawing.step(
        f"The candidate is what the word would write, {_number(n)}. It reads the word, and the old state through the "
        "reset gate.",
        line=3,
    )
    drawing.text(275, 178, _number(n), size=14, bold=True)
    drawing.step(
        f"The mixture: {_number(1 - z)} parts candidate and {_number(z)} parts old state, so {_number(h)} becomes "
        f"{_number(new)}. The thick path is the one on which the gradient comes back.",
        line=4,
    )
    drawing.arrow(52, 58, 366, 58, role="state", width=6)
    drawing.text(334, 40, f"\u00b7 {_number(z)}", size=14, bold=True)
    drawing.text(334, 224, f"\u00b7 {_number(1 - z)}", size=14, bold=True)
    drawing.text(456, 166, _number(new), size=14, bold=True)
    return drawing


def lstm_cell() -> Drawing:
    """Draw an LSTM cell in the manner of the GRU's: the cell vector on top, three gates, and what is shown."""
    drawing = Drawing(
        480,
        330,
        "An LSTM cell. Its cell vector m runs along the top: it is multiplied by the forget gate f, then the candidate "
        "n, multiplied by the input gate i, is added. The new cell goes out on the right, and down through tanh, "
        "multiplied by the output gate o, as the new state. All gates and the candidate read the word x and the old "
        "state h.",
    )
    drawing.box(4, 26, 48, 44, "m", role="state", size=17).box(4, 162, 48, 44, "h", role="state", size=17)
    drawing.box(4, 258, 48, 44, "x", role="source", size=17)
    drawing.text(28, 12, "cell", size=13).text(28, 148, "old", size=13).text(28, 318, "word", size=13)
    drawing.line(52, 184, 80, 184, role="state").line(52, 280, 80, 280, role="source").line(80, 184, 80, 280)
    drawing.line(80, 232, 410, 232)
    gates = ((100, "f", "forget"), (172, "i", "input"), (244, "n", "candidate"), (372, "o", "output"))
    for x, letter, name in gates:
        role = "state" if letter == "n" else "weights"
        drawing.arrow(x + 26, 232, x + 26, 203).box(x, 162, 52, 40, letter, role=role, size=17)
        drawing.text(x + 26, 250, name, size=13)
    _node(drawing, 126, 48, "\u2299")
    drawing.arrow(52, 48, 113, 48, role="state", width=4).arrow(126, 160, 126, 61, role="weights")
    _node(drawing, 270, 110, "\u2299")
    drawing.arrow(270, 160, 270, 123, role="state")
    drawing.line(198, 160, 198, 110, role="weights").arrow(198, 110, 257, 110, role="weights")
    _node(drawing, 270, 48, "+")
    drawing.arrow(138, 48, 257, 48, role="state", width=4).arrow(270, 97, 270, 61, role="state")
    drawing.arrow(282, 48, 427, 48, role="state", width=4).box(429, 26, 48, 44, "m'", role="state", size=17)
    drawing.box(318, 92, 56, 36, "tanh", role="plain", size=14).arrow(346, 48, 346, 91, role="state")
    _node(drawing, 398, 110, "\u2299")
    drawing.arrow(374, 110, 385, 110, role="state").arrow(398, 160, 398, 123, role="weights")
    drawing.arrow(410, 110, 427, 110, role="state").box(429, 88, 48, 44, "h'", role="state", size=17)
    return drawing
