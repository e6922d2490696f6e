"""The drawings of chapter 13: they can be drawn, are small, and say in words what they show."""

import pytest

from drawings import language_drawings

DRAWINGS = {
    "its_own_label": (),
    "encoder_and_gpt": (),
    "tail": ([0.4, 0.3, 0.2, 0.1], ["a", "b", "c", "d"], 2, 0.8),
    "two_heads": (),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings(name):
    drawing = getattr(language_drawings, name)(*DRAWINGS[name])
    shown = drawing._repr_html_()
    assert len(shown.encode()) < 20_000
    assert len(drawing.alt.split()) > 10
    assert shown.count("<text") <= 60


def test_the_tail_is_cut_behind_the_right_bars():
    drawing = language_drawings.tail([0.4, 0.3, 0.2, 0.1], "abcd", 1, 0.8)
    assert "behind bar 1," in drawing.alt
    assert "behind bar 3, where the bars before it have 80% together" in drawing.alt
