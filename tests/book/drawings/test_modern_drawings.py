import pytest

from drawings import modern_drawings


@pytest.mark.parametrize("name", ["two_blocks", "norm_places", "turned_pairs", "widths", "experts", "names_to_names"])
def test_a_drawing_fits_the_page(name):
    drawing = getattr(modern_drawings, name)()
    assert drawing.width <= 640
    assert len(drawing.alt) > 60


def test_each_trap_is_a_step():
    picture = modern_drawings.traps([("ReLU", "encoder", "0.2"), ("no bias", "logits", "0.1")])
    assert "data-to" in picture.svg()
    assert "no bias: from logits on, 0.1" in picture.alt
