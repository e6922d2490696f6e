"""The drawing of a forgotten shift, for chapter 01."""

from drawings.drawing import Drawing

_PANELS = (  # title, what is read, what is above
    ("with the shift", ("BOS", "le", "chat"), ("le", "chat", "noir"), "label"),
    ("the shift forgotten", ("le", "chat", "noir"), ("le", "chat", "noir"), "label"),
    ("then, free-running", ("BOS", "le", "le"), ("le", "le", "le"), "output"),
)


def forgotten_shift() -> Drawing:
    """Draw what is read and what is wanted with the shift, without it, and what that model then generates."""
    drawing = Drawing(
        640,
        220,
        "Three panels of three positions. Left, with the shift: the model reads BOS, le, chat, and its labels are le, "
        "chat, noir. Middle, the shift forgotten: it reads le, chat, noir, and the labels are the same words, so each "
        "arrow copies. Right, the same model free-running: after BOS it says le, reads le, says le again, and so on.",
    )
    for left, (title, reads, above, kind) in zip((6, 224, 442), _PANELS, strict=True):
        drawing.text(left + 96, 14, title, bold=True)
        for i, (read, word) in enumerate(zip(reads, above, strict=True)):
            x = left + 66 * i
            copied = read == word
            drawing.box(x, 168, 58, 34, read, role="plain" if read == "BOS" else "target")
            drawing.box(x, 44, 58, 34, word, role="target", dashed=kind == "output")
            role, width = ("strong", 4) if copied else ("plain", 1.8)
            for bottom, top in ((166, 140), (104, 80)):
                drawing.arrow(x + 29, bottom, x + 29, top, role=role, width=width)
            drawing.box(x + 4, 106, 50, 32, "model", role="state", size=13)
            if kind == "output" and i:
                drawing.arrow(x - 12, 80, x + 8, 166, role="target", dashed=True, width=1.2)
    return drawing
