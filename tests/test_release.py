"""`tools/release.py`: archives that are opened, and one place of the version."""

import shutil
import zipfile

import pytest
import release
from notebooks import ROOT
from pypdf import PdfWriter

from transformer_course.common.units import UNITS

BANK = "".join('<question type="category"/><question type="multichoice"/>' for _ in UNITS)


@pytest.fixture
def build(tmp_path):
    """A folder as `_build`, with a few words in the place of each page."""
    pages = tmp_path / "html" / "book"
    for folder in (pages, tmp_path / "slides", tmp_path / "questions"):
        folder.mkdir(parents=True)
    for place in ("html/index.html", "html/search.html", "slides/index.html"):
        (tmp_path / place).write_text("<p>here</p>", "utf8")
    (pages / "index.html").write_text(
        '<a href="../downloads/attention.pdf#x">PDF</a><a href="https://a.b/c">c</a>', "utf8"
    )
    writer = PdfWriter()
    for unit in UNITS:
        for text, folder in (('<a href="index.html">up</a>', pages), ("<p>deck</p>", tmp_path / "slides")):
            (folder / f"{unit.name}.html").write_text(text, "utf8")
        (tmp_path / "questions" / f"{unit.name}.zip").write_bytes(b"package")
        page = writer.add_blank_page(100, 100)
        writer.add_outline_item(title=f"{unit.number}. {unit.title}", page_number=page.page_number)
    writer.add_blank_page(100, 100)
    writer.write(tmp_path / "attention.pdf")
    (tmp_path / "questions" / "moodle.xml").write_text(f"<quiz>{BANK}</quiz>", "utf8")
    link = '<a href="../html/book/06_masking.html#x">chapter</a>'
    (tmp_path / "slides" / "06_masking.html").write_text(link, "utf8")
    return tmp_path


def test_a_release_has_the_book_with_its_downloads_and_sums(build):
    files = release.pack(build, "attention-9.9.9")
    assert [path.name for path in files] == [
        "attention-9.9.9.zip", "attention-9.9.9.pdf", "attention-9.9.9-questions.zip", "SHA256SUMS"]  # fmt: skip
    with zipfile.ZipFile(files[0]) as archive:
        assert "attention-9.9.9/index.html" in archive.namelist()
        deck = archive.read("attention-9.9.9/downloads/slides/06_masking.html").decode()
    assert 'href="../../book/06_masking.html#x"' in deck
    assert len(files[-1].read_text("utf8").splitlines()) == 3


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [
        ("html/book/06_masking.html", '<a href="gone.html">x</a>', "leads to book/gone.html"),
        ("html/book/06_masking.html", None, "book/06_masking.html"),
        ("slides/10_transformer.html", None, "slides/10_transformer.html"),
        ("questions/moodle.xml", "<quiz/>", "0 questions"),
        ("questions/05_softmax_jacobian.zip", None, "no package of 05_softmax_jacobian"),
        ("attention.pdf", None, "attention.pdf"),
    ],
)
def test_what_is_missing_or_leads_nowhere_is_no_release(build, place, text, said):
    (build / place).unlink()
    if text is not None:
        (build / place).write_text(text, "utf8")
    with pytest.raises(release.NotReady, match=said):
        release.pack(build, "attention-9.9.9")


def test_a_pdf_without_a_bookmark_for_each_unit_is_no_release(build):
    writer = PdfWriter()
    for _ in range(40):
        writer.add_blank_page(100, 100)
    writer.write(build / "attention.pdf")
    with pytest.raises(release.NotReady, match="no bookmark for Sequence transduction"):
        release.pack(build, "attention-9.9.9")


def test_the_version_stands_in_one_place_and_a_release_has_a_date(tmp_path):
    for name in ("pyproject.toml", "CITATION.cff"):
        shutil.copy(ROOT / name, tmp_path)
    log = tmp_path / "CHANGELOG.md"
    log.write_text("# Changelog\n\n## 7.0.1 (unreleased)\n", "utf8")
    release.set_version("7.0.1", tmp_path)
    assert release.version(tmp_path) == "7.0.1"
    with pytest.raises(release.NotReady, match="YYYY"):
        release.check_version(tmp_path)
    log.write_text("# Changelog\n\n## 7.0.1 (2030-01-02)\n", "utf8")
    with pytest.raises(release.NotReady, match="set 7.0.1"):
        release.check_version(tmp_path)
    release.set_version("7.0.1", tmp_path)
    assert release.check_version(tmp_path) == "7.0.1"
    assert "date-released: 2030-01-02\n" in (tmp_path / "CITATION.cff").read_text("utf8")
    with pytest.raises(release.NotReady, match=r"MAJOR\.MINOR\.PATCH"):
        release.set_version("seven", tmp_path)


def test_what_others_made_is_named_with_its_licence():
    text = (ROOT / "docs" / "licences.md").read_text("utf8")
    shipped = [path.parent for path in (ROOT / "book" / "_static").rglob("LICENSE*")]
    assert len(shipped) == 3
    for folder in shipped:
        assert f"`{folder.relative_to(ROOT).as_posix()}/LICENSE" in text
    fonts = {path.relative_to(ROOT).as_posix() for path in (ROOT / "book" / "_static").rglob("*.woff2")}
    assert all(any(font.startswith(f"{each.relative_to(ROOT).as_posix()}/") for each in shipped) for font in fonts)
    for path in (ROOT / "src").rglob("*.bz2"):
        assert f"`{path.relative_to(ROOT).as_posix()}`" in text
    for path in (ROOT / "experiments").rglob("*.safetensors"):
        assert f"`{path.parent.relative_to(ROOT).as_posix()}/`" in text
