"""The drawings of chapters 03 and 04: they can be drawn, are small, and say in words what they show."""

import pytest

from drawings import attention_drawings

DRAWINGS = ("between_rnns", "bidirectional", "attention_by_hand", "two_moments", "pipeline", "self_and_cross")


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings(name):
    drawing = getattr(attention_drawings, name)()
    shown = drawing._repr_html_()
    assert len(shown.encode()) < 20_000
    assert len(drawing.alt.split()) > 10
    assert shown.count("<text") <= 60
