"""Drawings and tables of the book."""

import itertools
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from colour_vision import BLINDNESS, contrast, lab, linear
from matplotlib import colors

from drawings.drawing import ROLES, Drawing
from drawings.tables import span, table

DARK = "#15171c"


def pixels(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.svg())


def test_a_drawing_is_an_image_with_words_for_who_cannot_see_it():
    svg = pixels(Drawing(300, 100, 'Two boxes, "a" and\n  b'))
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == 'Two boxes, "a" and b'
    assert svg.get("viewBox") == "0 0 300 100"


def test_shapes_stand_where_they_are_put():
    svg = pixels(Drawing(300, 100, "x").box(10, 20, 30, 40, "a < b").tensor(60, 20, 30, 40, "K", rows="n"))
    box, tensor = svg.findall("rect")
    assert [float(box.get(name)) for name in ("x", "y", "width", "height")] == [10, 20, 30, 40]
    assert (box.get("rx"), tensor.get("rx")) == ("6", "0")
    assert [text.itertext() and "".join(text.itertext()) for text in svg.iter("text")] == ["a < b", "K", "n"]


@pytest.mark.parametrize(("words", "seen"), [("d_k", "dk"), ("h_{t-1}", "ht-1"), ("K^T", "KT"), ("a dog", "a dog")])
def test_symbols_are_written_as_in_a_formula(words, seen):
    text = pixels(Drawing(300, 100, "x").text(0, 0, words)).find("text")
    assert "".join(text.itertext()).replace("\u200b", "") == seen
    assert bool(text.findall("tspan")) == (words != "a dog")


def test_an_arrow_ends_at_its_point():
    svg = pixels(Drawing(300, 100, "x").arrow(10, 50, 110, 50))
    tip = svg.find("polygon").get("points").split()[0]
    assert tip == "110,50"
    assert svg.find("path").get("d").startswith("M10 50L")


def test_a_grid_marks_what_is_masked():
    values = [[0.5, None], [1, 0], [-0.25, 1]]
    svg = pixels(Drawing(300, 100, "x").grid(10, 10, values, numbers=True, columns=["a", "b"]))
    assert len(svg.findall("rect")) == 6
    assert len(svg.findall("path")) == 1
    assert ["".join(text.itertext()) for text in svg.iter("text")] == [".50", "1.00", ".00", "−.25", "1.00", "a", "b"]


def test_steps_begin_where_they_are_called():
    drawing = Drawing(300, 100, "x").box(0, 0, 9, 9).step("first", line=1).box(0, 0, 9, 9).only().box(0, 0, 9, 9)
    drawing.step("second").box(0, 0, 9, 9).code("a\nb")
    groups = [(group.get("data-from"), group.get("data-to")) for group in pixels(drawing).findall("g")]
    assert groups == [("1", None), ("1", "1"), ("2", None)]
    page = drawing._repr_html_()
    assert re.findall("<li>(.*?)</li>", page) == ["first", "second"]
    assert '"lines": [1, null]' in page
    assert "first" in repr(drawing)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Drawing(700, 10, "x"), "width: expected 1 to 640"),
        (lambda: Drawing(70, 10, " "), "alt: expected words"),
        (lambda: Drawing(70, 10, "x").box(0, 0, 9, 9, role="colour"), "role: expected one of query"),
        (lambda: Drawing(70, 10, "x").only(), "only: expected a step"),
        (lambda: table(["a", ""], []), "header: expected a name"),
        (lambda: table(["a", "b"], [["1"]]), r"rows\[0\]: expected 2 cells"),
        (lambda: span([]), "numbers: expected one or more"),
    ],
)
def test_errors(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_the_roles_stay_apart_for_the_colour_blind_and_have_contrast(request):
    css = (request.config.rootpath / "book" / "_static" / "course.css").read_text("utf8")
    light, dark = (dict(re.findall(r"--role-(\w+): (#\w+);", part)) for part in css.split('data-theme="dark"')[:2])
    assert light == ROLES
    assert set(dark) == set(ROLES)
    for roles, page in ((light, "#fdfcfa"), (dark, DARK)):
        assert all(contrast(colors.to_rgb(c), colors.to_rgb(page)) >= 4.5 for c in roles.values())
        for names, least in ((("query", "key", "value", "weights", "masked"), 20), (("source", "target", "state"), 13)):
            for blindness in BLINDNESS.values():
                seen = [lab(np.asarray(blindness) @ linear(colors.to_rgb(roles[name]))) for name in names]
                assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > least


def test_a_table_names_its_columns_and_rows():
    page = table(["model", "loss"], [["<GRU>", 1.5]], caption="Results")._repr_html_()
    assert '<th scope="row">&lt;GRU&gt;</th><td>1.5</td>' in page
    assert "<caption>Results</caption>" in page
    assert repr(table(["a", "b"], [["1", "2"]])) == "a\tb\n1\t2"


def test_a_span_is_its_ends_or_one_of_them():
    assert span([0.2, 0.17, 0.195]) == "0.17 to 0.20"
    assert span((x / 3 for x in (1, 1)), ".1f") == "0.3"
    assert span([0.97, 0.99], ".0%") == "97–99%"
    assert span([0.971, 0.969], ".0%") == "97%"
    assert span([-0.02, 0.03], ".0%") == "-2% to 3%"
    assert span([9_600, 12], ",.0f") == "12 to 9,600"


def test_parts_that_stand_apart_are_pictures_of_their_own_which_a_phone_stacks():
    wide = (
        Drawing(600, 100, "two").box(10, 10, 250, 50, "left").text(270, 30, "middle, which reaches far", anchor="start")
    )
    assert 'class="drawing-parts"' not in wide.arrow(260, 40, 560, 40).svg()
    drawing = Drawing(600, 100, "two").box(10, 10, 240, 50, "left").box(330, 10, 240, 50, "right")
    picture = pixels(drawing)
    assert (picture.tag, picture.get("role"), picture.get("aria-label")) == ("div", "img", "two")
    assert [part.get("viewBox") for part in picture] == ["0 0 290 100", "290 0 310 100"]
    assert ["left" in ElementTree.tostring(part, "unicode") for part in picture] == [True, False]
    assert sum(float(part.get("style").split("--share:")[1].rstrip("%")) for part in picture) == pytest.approx(100)
    with drawing.link("a.html"):
        drawing.box(10, 70, 20, 20)
    assert 'class="drawing-parts"' not in drawing.svg()
