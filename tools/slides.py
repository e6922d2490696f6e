"""A deck of slides for each chapter, made from the sections and figures of the built page.

python tools/slides.py    after `make book`; writes _build/slides/

The decks are shown by reveal.js, which the package sphinx-revealjs brings along; style sheets, fonts and pictures are
copied from the book. Everything that a deck needs lies in the folder, so it is shown without a network.
What stands on which slide is decided in slide_order.py, how it is shown there in slide_parts.py.
"""

import html
import re
import shutil
import sys
from importlib import metadata
from pathlib import Path

from slide_order import read_page
from slide_parts import Slide

from transformer_course.common.units import PARTS, UNITS, Unit

ROOT, HERE = Path(__file__).parents[1], Path(__file__).parent
REVEAL = Path(str(metadata.distribution("sphinx-revealjs").locate_file("sphinx_revealjs/_static/revealjs")))
OF_REVEAL = ("LICENSE", "dist/reset.css", "dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js")
OF_BOOK = ("course.css", "pygments.css", "favicon.svg", "katex", "fonts", "icons", "live")
HEAD = """<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="_static/favicon.svg">{styles}</head>"""
STYLES = ("reveal/dist/reset.css", "reveal/dist/reveal.css", "pygments.css", "katex/katex.min.css", "course.css",
          "slides.css")  # fmt: skip
SCRIPTS = ("reveal/dist/reveal.js", "reveal/plugin/notes/notes.js", "live/base.js", "slides.js")
HOW = """<p>Arrow keys or a presenter's buttons go on and back. <b>S</b> opens the speaker's window with the notes,
which hold the text of the chapter; <b>Escape</b> shows all slides, <b>F</b> fills the screen.
For a handout open a deck with <code>?print-pdf</code> behind its address and print it.</p>"""


def tags(pattern: str, names: tuple[str, ...]) -> str:
    """Return an element for each file."""
    return "".join(pattern.format(f"_static/{name}") for name in names)


def head(title: str, styles: tuple[str, ...] = STYLES) -> str:
    """Return what comes before the body of a page."""
    return HEAD.format(title=html.escape(title), styles=tags('<link rel="stylesheet" href="{}">', styles))


def sheet(slide: Slide, unit: Unit, page: str) -> str:
    """Return the element of a slide."""
    is_picture = slide.kind in ("figure", "steps")
    shown = slide.shown if is_picture else f'<div class="fit">{slide.shown}</div>'
    lead = f'<div class="lead">{"".join(slide.lead)}</div>' if slide.lead else ""
    foot = f'<a href="{page}#{slide.anchor}" target="_blank">{unit.number:02} {html.escape(unit.title)}</a>'
    notes = f'<aside class="notes">{"".join(slide.notes)}</aside>' if slide.notes else ""
    return (
        f'<section><div class="sheet kind-{slide.kind}"><h2>{html.escape(slide.heading)}</h2>{lead}'
        f'<div class="shown">{shown}</div><div class="foot">{foot}</div></div>{notes}</section>'
    )


def deck(unit: Unit, title: str, columns: list[list[Slide]], page: str) -> str:
    """Return the page of a deck; ``page`` is the address of the chapter from there."""
    first = (
        f'<section><div class="sheet kind-title"><p class="above">Attention, from RNN to Transformer</p>'
        f'<div class="shown"><h1>{html.escape(title)}</h1><p class="hint">Chapter {unit.number}</p></div></div>'
        "</section>"
    )
    stacks = [f"<section>{''.join(sheet(slide, unit, page) for slide in column)}</section>" for column in columns]
    body = "\n".join([first, *stacks])
    scripts = tags('<script src="{}"></script>', SCRIPTS)
    return f'{head(title)}<body><div class="reveal"><div class="slides">{body}</div></div>{scripts}</body></html>'


def contents(counts: dict[Unit, int]) -> str:
    """Return the page that lists the decks."""
    parts = ""
    for part in PARTS:
        rows = "".join(
            f'<li value="{unit.number}"><a href="{unit.name}.html">{html.escape(unit.title)}</a> '
            f"<span>{counts[unit]} slides</span></li>"
            for unit in part.units
            if unit in counts
        )
        parts += f"<h2>{html.escape(part.caption)}</h2><ol>{rows}</ol>" if rows else ""
    styles = ("course.css", "slides.css")
    return f'{head("Slides", styles)}<body><main class="list"><h1>Slides</h1>{HOW}{parts}</main></body></html>'


def copy_static(pages: Path, target: Path) -> None:
    """Put beside the decks what they are shown with."""
    static = target / "_static"
    for name in OF_REVEAL:
        (static / "reveal" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REVEAL / name, static / "reveal" / name)
    for name in OF_BOOK:
        source = pages / "_static" / name
        if source.is_dir():
            shutil.copytree(source, static / name, dirs_exist_ok=True)
        else:
            shutil.copy(source, static)
    for name in ("slides.css", "slides.js"):
        shutil.copy(HERE / name, static)


def write(pages: Path, target: Path, units: tuple[Unit, ...] = UNITS) -> dict[Unit, int]:
    """Write the decks of a built book.

    Args:
        pages: the folder of the built book, with ``book/`` and ``_static/``.
        target: the folder of the decks.
        units: the chapters to write.

    Returns:
        The number of slides of each chapter.
    """
    copy_static(pages, target)
    (target / "_images").mkdir(exist_ok=True)
    counts = {}
    for unit in units:
        title, columns = read_page((pages / f"book/{unit.name}.html").read_text("utf8"))
        text = deck(unit, title, columns, f"../html/book/{unit.name}.html")
        for picture in set(re.findall(r'src="\.\./_images/([^"]+)"', text)):
            shutil.copy(pages / "_images" / picture, target / "_images")
        text = text.replace('src="../_images/', 'src="_images/')
        (target / f"{unit.name}.html").write_text(text, "utf8", newline="\n")
        counts[unit] = 1 + sum(map(len, columns))
    (target / "index.html").write_text(contents(counts), "utf8", newline="\n")
    return counts


def main() -> int:
    """Write the decks, and say where they are."""
    pages, target = ROOT / "_build/html", ROOT / "_build/slides"
    if missing := [unit.name for unit in UNITS if not (pages / f"book/{unit.name}.html").exists()]:
        print(f"There is no built page of {', '.join(missing)}: `make book` comes first.", file=sys.stderr)
        return 1
    shutil.rmtree(target, ignore_errors=True)
    counts = write(pages, target)
    print(f"{sum(counts.values())} slides in {len(counts)} decks: {target / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
