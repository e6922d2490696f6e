"""What people download of a version: the book with PDF, slides and questions inside, each opened once before it counts.

    python tools/release.py              after `make release` has made its parts; writes _build/release/
    python tools/release.py set 1.2.0    write a version into pyproject.toml and, from there, into CITATION.cff

pyproject.toml is the one place of the version. CHANGELOG.md names it in its newest section, with the date; without a
date there is no release.
"""

import hashlib
import re
import shutil
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import yaml
from bs4 import BeautifulSoup
from pypdf import PdfReader

from transformer_course.common.units import UNITS

ROOT = Path(__file__).resolve().parents[1]
NEWEST = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", re.MULTILINE)


class NotReady(Exception):
    """What is missing or broken, in one sentence."""


def version(root: Path = ROOT) -> str:
    """Return the version of the course."""
    return tomllib.loads((root / "pyproject.toml").read_text("utf8"))["project"]["version"]


def set_version(new: str, root: Path = ROOT) -> None:
    """Write a version into pyproject.toml and CITATION.cff, there with the date that CHANGELOG.md gives it.

    Raises:
        NotReady: if it is no version.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", new):
        raise NotReady(f"expected MAJOR.MINOR.PATCH, got {new!r}")
    _replace(root / "pyproject.toml", r'^version = ".*"$', f'version = "{new}"')
    _replace(root / "CITATION.cff", r"^version: .*\n(?:date-released: .*\n)?", _cited(new, root))


def _cited(new: str, root: Path) -> str:
    dates = dict(NEWEST.findall((root / "CHANGELOG.md").read_text("utf8")))
    return f"version: {new}\n" + (f"date-released: {dates[new]}\n" if new in dates else "")


def _replace(path: Path, pattern: str, new: str) -> None:
    text, count = re.subn(pattern, new, path.read_text("utf8"), count=1, flags=re.MULTILINE)
    if count != 1:
        raise NotReady(f"{path.name} has no line with the version")
    path.write_text(text, "utf8", newline="\n")


def pack(build: Path, name: str) -> list[Path]:
    """Put the downloads beside the book, write the archives, and open each of them.

    Args:
        build: the folder with ``html``, ``attention.pdf``, ``slides`` and ``questions``.
        name: what the files are called, such as ``attention-1.0.0``.

    Returns:
        The files that were written.

    Raises:
        NotReady: if a part is missing or cannot be opened.
    """
    for part in ("html/book/index.html", "attention.pdf", "slides/index.html", "questions/moodle.xml"):
        if not (build / part).is_file():
            raise NotReady(f"there is no {build / part}: `make release` makes it")
    downloads, target = build / "html" / "downloads", build / "release"
    for folder in (downloads, target):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    shutil.copy(build / "attention.pdf", downloads)
    for part in ("slides", "questions"):
        shutil.copytree(build / part, downloads / part)
    for deck in (downloads / "slides").glob("*.html"):  # a deck links to its chapter, which is nearer here
        deck.write_text(
            deck.read_text("utf8").replace('href="../html/book/', 'href="../../book/'), "utf8", newline="\n"
        )
    book, pdf, questions = target / f"{name}.zip", target / f"{name}.pdf", target / f"{name}-questions.zip"
    _zip(build / "html", book, name)
    _zip(build / "questions", questions, f"{name}-questions")
    shutil.copy(build / "attention.pdf", pdf)
    check_book(book, name)
    check_pdf(pdf)
    check_questions(questions, f"{name}-questions")
    files = [book, pdf, questions]
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (target / "SHA256SUMS").write_text(sums, "utf8", newline="\n")
    return [*files, target / "SHA256SUMS"]


def _zip(folder: Path, target: Path, top: str) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, f"{top}/{path.relative_to(folder).as_posix()}")


def check_book(path: Path, top: str) -> None:
    """Open the archive of the book: it is whole, has every page of a unit and its deck, and no link of a page is dead.

    Raises:
        NotReady: with what is wrong.
    """
    with zipfile.ZipFile(path) as archive:
        if broken := archive.testzip():
            raise NotReady(f"{path.name}: {broken} is damaged")
        names = {name.removeprefix(f"{top}/") for name in archive.namelist()}
        wanted = {"index.html", "book/index.html", "search.html", "downloads/attention.pdf",
                  "downloads/questions/moodle.xml", "downloads/slides/index.html"}  # fmt: skip
        wanted |= {f"book/{unit.name}.html" for unit in UNITS} | {
            f"downloads/slides/{unit.name}.html" for unit in UNITS
        }
        if missing := sorted(wanted - names):
            raise NotReady(f"{path.name}: there is no {', '.join(missing[:3])}")
        for name in sorted(names):
            if name.startswith("book/") and name.endswith(".html"):
                for link in _links(archive.read(f"{top}/{name}").decode("utf8"), name):
                    if link not in names:
                        raise NotReady(f"{path.name}: {name} leads to {link}, which is not there")


def _links(page: str, name: str) -> Iterator[str]:
    """Yield the files of the archive to which a page leads, by their place in it."""
    for tag in BeautifulSoup(page, "html.parser").find_all("a", href=True):
        parts = urlsplit(tag["href"])
        if parts.scheme or parts.netloc or not parts.path:
            continue
        folder = name.split("/")[:-1]
        for step in unquote(parts.path).split("/"):
            folder = folder[:-1] if step == ".." else folder if step == "." else [*folder, step]
        yield "/".join(folder)


def check_pdf(path: Path) -> None:
    """Open the PDF: more pages than units, and a bookmark for each unit.

    Raises:
        NotReady: with what is wrong.
    """
    reader = PdfReader(path)

    def titles(outline: list) -> Iterator[str]:
        for each in outline:
            if isinstance(each, list):
                yield from titles(each)
            else:
                yield each.title

    found = " ".join(" ".join(titles(reader.outline)).split())
    missing = [unit.title for unit in UNITS if unit.title not in found]
    if len(reader.pages) <= len(UNITS) or missing:
        what = f"no bookmark for {missing[0]}" if missing else f"{len(reader.pages)} pages"
        raise NotReady(f"{path.name}: {what}")


def check_questions(path: Path, top: str) -> None:
    """Open the questions: a category and questions for every unit, and a package for each.

    Raises:
        NotReady: with what is wrong.
    """
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        if missing := [unit.name for unit in UNITS if f"{top}/{unit.name}.zip" not in names]:
            raise NotReady(f"{path.name}: there is no package of {missing[0]}")
        bank = ElementTree.fromstring(archive.read(f"{top}/moodle.xml"))
        kinds = [question.get("type") for question in bank.iter("question")]
        if kinds.count("category") < len(UNITS) or kinds.count("multichoice") < len(UNITS):
            raise NotReady(
                f"{path.name}: {kinds.count('multichoice')} questions in {kinds.count('category')} categories"
            )


def check_version(root: Path = ROOT) -> str:
    """Return the version if it is the same everywhere and has a date.

    Raises:
        NotReady: with the file that says another one.
    """
    wanted = version(root)
    newest = NEWEST.search((root / "CHANGELOG.md").read_text("utf8"))
    if newest is None or newest[1] != wanted:
        raise NotReady(f"the newest section of CHANGELOG.md is not '## {wanted} (YYYY-MM-DD)'")
    cited = yaml.safe_load((root / "CITATION.cff").read_text("utf8"))
    if (cited["version"], str(cited.get("date-released"))) != (wanted, newest[2]):
        raise NotReady(f"CITATION.cff does not say {wanted} of {newest[2]}: `python tools/release.py set {wanted}`")
    return wanted


def main(arguments: list[str]) -> int:
    """Write the files of a release, or set the version."""
    try:
        if arguments[:1] == ["set"] and len(arguments) == 2:
            set_version(arguments[1])
            return 0
        if arguments:
            print(__doc__, file=sys.stderr)
            return 2
        for path in pack(ROOT / "_build", f"attention-{check_version()}"):
            print(f"{path.stat().st_size / 2**20:7.1f} MiB  {path}")
    except NotReady as problem:
        print(f"release: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
