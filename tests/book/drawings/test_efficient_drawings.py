"""The drawings of chapter 17: they can be drawn, are small, and say in words what they show."""

import pytest

from drawings import efficient_drawings


@pytest.mark.parametrize(
    "name",
    ["to_scale", "two_ways", "kept_for_backward", "tiling", "shared_keys", "two_orders", "window_layers"],
)
def test_drawings(name):
    drawing = getattr(efficient_drawings, name)()
    shown = drawing._repr_html_()
    assert len(shown.encode()) < 20_000
    assert len(drawing.alt.split()) > 10
    assert shown.count("<text") <= 60


@pytest.mark.parametrize(("num_layers", "window"), [(1, 2), (2, 4), (3, 3)])
def test_windows_in_layers_reach_as_far_as_they_add_up(num_layers, window):
    drawing = efficient_drawings.window_layers(num_layers, window, length=12)
    assert f"{num_layers * (window - 1)} steps back" in drawing.alt
    # Positions of the bottom row that are not dashed are those that the last one can know of.
    dashed = drawing._repr_html_().count("stroke-dasharray")
    assert dashed == 11 - num_layers * (window - 1)
