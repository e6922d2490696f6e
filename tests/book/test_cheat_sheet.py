"""The cheat sheet: all units, one sheet of paper, and no name that the course does not have."""

import re

from notebooks import ROOT
from pypdf import PdfReader

from transformer_course.common.units import UNITS

TEXT = (ROOT / "book" / "cheat_sheet.md").read_text("utf-8")
BOXES = TEXT.split(":::{div} unit")[1:]


def test_every_unit_has_a_box_with_a_formula_or_shape_and_a_trap():
    for unit, box in zip(UNITS, BOXES[2:], strict=True):
        assert f"{{doc}}`{unit.number} {unit.title} <{unit.name}>`" in box
        assert "$" in box
        assert box.count("**Trap**") == 1


def test_a_size_in_a_shape_is_one_of_the_notation():
    notation = (ROOT / "book" / "notation.md").read_text("utf-8")
    shapes = re.findall(r"`\(([a-z_, .*]+)\)`", TEXT)
    assert len(shapes) > 8
    for size in {each for shape in shapes for each in re.findall(r"[a-z_]+", shape)}:
        assert re.search(rf"\b{size}\b", notation), size


def test_it_prints_on_one_sheet_in_letters_that_can_be_read(book, browser, tmp_path):
    page = browser.new_page()
    page.goto((book / "book" / "cheat_sheet.html").as_uri())
    page.emulate_media(media="print")
    size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.cheat-sheet li')).fontSize)")
    page.pdf(path=tmp_path / "sheet.pdf", prefer_css_page_size=True)
    page.close()
    (sheet,) = PdfReader(tmp_path / "sheet.pdf").pages
    assert round(float(sheet.mediabox.width) / 72 * 25.4) == 210, "A4, upright"
    text = sheet.extract_text()
    assert all(unit.title.split()[-1] in text for unit in UNITS)
    assert size >= 9, "px; 6.75 pt"
