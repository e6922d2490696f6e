"""Drawings of chapter 05: what one nudge does to all weights, and where the division enters, there and back."""

from drawings.drawing import Drawing

_WORDS, _WEIGHTS = ("the", "cat", "sleeps"), (1 / 4, 1 / 2, 1 / 4)
_NAMES = ("¼", "½", "¼")


def moving_weight() -> Drawing:
    """Draw one column of the Jacobian: a score rises, its weight gains, the others pay in proportion."""
    drawing = Drawing(
        620,
        245,
        "Three bars, the weights one quarter, one half and one quarter of the words the, cat and sleeps. The score of "
        "'the' rises. Its bar grows by a slab of three sixteenths; two curved arrows bring it two sixteenths from the "
        "bar of 'cat' and one sixteenth from the bar of 'sleeps', which lose dashed slabs of these heights.",
    )
    floor, tall, wide = 212, 300, 90
    lefts = (110, 290, 470)
    gains = (3 / 16, -2 / 16, -1 / 16)
    for left, word, weight, name in zip(lefts, _WORDS, _WEIGHTS, _NAMES, strict=True):
        drawing.box(left, floor - tall * weight, wide, tall * weight, name, role="weights", size=16)
        drawing.text(left + wide / 2, floor + 18, word)
    drawing.box(lefts[0], floor - tall * 7 / 16, wide, tall * 3 / 16, "+3/16", role="query")
    for left, weight, gain, name in zip(lefts[1:], _WEIGHTS[1:], gains[1:], ("−2/16", "−1/16"), strict=True):
        top = floor - tall * weight
        drawing.box(left, top, wide, -tall * gain, "", role="masked", dashed=True)
        drawing.text(left + wide + 8, top - tall * gain / 2, name, anchor="start")
    drawing.arrow(290, 80, 205, 100, role="weights")
    drawing.arrow(515, 135, 180, 79, role="weights", bend=-62)
    drawing.arrow(84, floor, 84, 120, role="query")
    drawing.text(74, 166, "score", anchor="end", size=14).text(74, 184, "rises", anchor="end", size=14)
    return drawing


def there_and_back() -> Drawing:
    """Draw the way from a query to its weights and the way of the gradient back, with the division in both."""
    drawing = Drawing(
        640,
        268,
        "Four boxes from left to right: query q, dot products q times k_j, scores s_j, weights p_j. Arrows above them "
        "lead to the right: times keys, divided by the root of d_k, softmax. Arrows below lead back to the left: "
        "times the Jacobian, divided by the root of d_k, times keys. Between dot products and scores a dashed frame "
        "marks the two places where the division enters.",
    )
    boxes = ((8, "q", "query"), (184, "q_{} · k_j", "key"), (360, "s_j", "strong"), (536, "p_j", "weights"))
    wide, top, high = 96, 104, 60
    drawing.box(283, 26, 74, 216, "", role="plain", dashed=True)
    for x, name, role in boxes:
        drawing.box(x, top, wide, high, name, role=role, size=16)
    for (x, *_), (after, *_), there, back in zip(
        boxes, boxes[1:], ("times k_j", "÷ √d_k", "softmax"), ("times k_j", "÷ √d_k", "times J"), strict=False
    ):
        middle = (x + wide + after) / 2
        drawing.arrow(x + wide / 2 + 12, top - 4, after + wide / 2 - 12, top - 4, bend=22, role="query")
        drawing.text(middle, 56, there, size=14)
        drawing.arrow(after + wide / 2 - 12, top + high + 4, x + wide / 2 + 12, top + high + 4, bend=22, role="target")
        drawing.text(middle, 212, back, size=14)
    drawing.text(16, 14, "forward", role="query", anchor="start", bold=True)
    drawing.text(16, 254, "backward: the gradient", role="target", anchor="start", bold=True)
    return drawing
