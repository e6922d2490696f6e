"""The drawings and the live figure of chapter 15."""

import json
import re

import pytest
import torch

from drawings import picture_drawings
from drawings.live_pictures import picture_mover
from transformer_course.data.pictures import load_digits, moved

DIGIT = load_digits()[1].images[0, 0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: picture_drawings.whole_model(DIGIT),
        picture_drawings.two_cuts,
        picture_drawings.rows_and_columns,
        picture_drawings.one_layer,
        lambda: picture_drawings.one_pixel([moved(DIGIT, down) for down in (0, 1, 2)], (2, 2)),
    ],
)
def test_drawings_are_small_and_say_what_they_show(make):
    drawing = make()
    assert len(drawing.svg()) < 40_000
    assert len(drawing.alt.split()) > 20
    for x in re.findall(r'<rect[^>]* x="([-\d.]+)"', drawing.svg()):
        assert 0 <= float(x) <= drawing.width


def probabilities(pictures: int = 2, shifts: int = 3, classes: int = 3) -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    return torch.randn(pictures, shifts, shifts, classes, generator=generator).softmax(-1)


def test_the_table_of_a_picture_says_what_the_models_say():
    said = probabilities()
    figure = picture_mover(torch.rand(2, 4, 4), {"x": (said, torch.rand(2, 3, 3, 2, 2))}, ["b", "c"], ["a", "b", "c"])
    best = said[0, 2, 1]  # one pixel down
    assert f"one pixel down\t{'abc'[int(best.argmax())]}\t{best.max():.2f}" in repr(figure)
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', figure._repr_html_())[1])
    assert data["models"][0]["probabilities"][1][0][2] == (100 * said[1, 0, 2]).round().int().tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": ["a"]}, "labels: expected 2"),
        ({"said": {}}, "said: expected a dict"),
        ({"said": {"x": (probabilities(shifts=2), torch.rand(2, 2, 2, 2, 2))}}, r"said\['x'\]\[0\]: expected"),
        ({"said": {"x": (probabilities(), torch.rand(2, 5, 5, 2, 2))}}, r"said\['x'\]\[1\]: expected"),
    ],
)
def test_shapes_that_do_not_fit_are_named(change, message):
    right = {
        "images": torch.rand(2, 4, 4),
        "said": {"x": (probabilities(), torch.rand(2, 3, 3, 2, 2))},
        "labels": ["a", "b"],
        "classes": ["a", "b", "c"],
    }
    with pytest.raises(ValueError, match=message):
        picture_mover(**right | change)
