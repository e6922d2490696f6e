"""The pictures of README.md, light and dark: the front of the book, its map, a check that names a mistake, a report.

    python tools/pictures.py    after `make book`; writes docs/pictures/ (needs Chromium, as the tests of the pages do)

Nothing in them is made by hand: the book is the built one, the check is run on a wrong softmax, and the report is that
of twelve learners who hand in solutions and known wrong answers of unit 04, graded here without the sandbox. Beside the
pictures lies a digest of the text that each of them shows, by which the tests see that one is out of date.
"""

import contextlib
import hashlib
import io
import json
import os
import random
import sys
import tempfile
from html import escape
from pathlib import Path

import chromium
from bs4 import BeautifulSoup
from exercise_harness import Exercise
from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from course_checks.words import CheckFailed
from course_grader.messages import Failure, NotebookResult, Record, Score
from course_grader.report import report_page
from course_grader.standing import Standing

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
DIGESTS = FOLDER / "shown.json"
UNIT = "04_scaled_dot_product_attention"
# What is shown of the built book: a page, an element of it, and whether the window is shown around the element.
OF_BOOK = {
    "page": ("book/index.html", ".front"),
    "map": ("book/index.html", "svg.course-map.columns-3"),
}
SIZE = {"width": 1280, "height": 760}
SCALE = 1.5  # pixels of the picture for a pixel of the page
MARGIN = 14
# Where pictures of parts of a page lie: all of an element, or in the report from the tasks to the first ten mistakes.
CLIP = dict.fromkeys(
    ("check", "map"),
    """margin => { const each = document.querySelector("svg.course-map.columns-3, body > .cells");
    const box = each.getBoundingClientRect(); return { x: box.x - margin, y: box.y + scrollY - margin,
    width: box.width + 2 * margin, height: box.height + 2 * margin }; }""",
)
CLIP["report"] = """margin => { const [head] = [...document.querySelectorAll("h2")].filter(each =>
    each.innerText === "Tasks"); const box = document.querySelector("main").getBoundingClientRect();
    const tables = [...document.querySelectorAll("table")], mistakes = tables[tables.length - 2];
    const top = head.getBoundingClientRect().top, end = mistakes.rows[10].getBoundingClientRect().bottom;
    return { x: box.x - margin, y: top + scrollY - margin, width: box.width + 2 * margin,
    height: end - top + margin }; }"""
STUDENTS = ("amal", "boris", "chen", "dora", "emil", "fatima", "goran", "hana", "ivo", "jana", "kofi", "lea")

WRONG_SOFTMAX = '''def softmax(scores: Tensor) -> Tensor:
    """Turn each row of scores into weights that are positive and sum to 1."""
    exponentials = torch.exp(scores)
    return exponentials / exponentials.sum(dim=-1, keepdim=True)
'''
CELLS = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A check</title><style>
:root {{ color-scheme: light dark; --ground: #ffffff; --soft: #f4f5f7; --line: #d0d4da; --text: #1d2329;
  --bad: #a3261c; --count: #5f6b76; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ground: #15191d; --soft: #20262c; --line: #3b434c;
  --text: #e4e7ea; --bad: #ff9a8f; --count: #9aa5b1; }} }}
body {{ margin: 0; padding: 1rem; background: var(--ground); color: var(--text); }} .cells {{ width: 60rem; }}
.cell {{ display: grid; grid-template-columns: 3.5rem 1fr; margin-bottom: 0.7rem; }}
.count {{ color: var(--count); padding-top: 0.6rem; }} pre {{ margin: 0; font: 14.5px/1.5 ui-monospace, monospace; }}
.count, .in, .out {{ font: 14.5px/1.5 ui-monospace, monospace; }} .out {{ padding: 0.6rem 0.8rem; }}
.in {{ background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: 0.6rem 0.8rem; }}
.out pre {{ white-space: pre-wrap; }} .bad {{ color: var(--bad); }} {light}
@media (prefers-color-scheme: dark) {{ {dark} }} .highlight {{ background: none; }}
</style></head><body><div class="cells">{cells}</div></body></html>
"""


def check_page() -> str:
    """Run the check of unit 04 on a softmax that overflows, and return cell and output as a page."""
    exercise = Exercise(UNIT)
    names, printed, failed = exercise.namespace(), io.StringIO(), ""
    exec(WRONG_SOFTMAX, names)
    with contextlib.redirect_stdout(printed):
        try:
            exercise.tasks["softmax"].check(names["softmax"])
        except CheckFailed as error:
            failed = str(error)
    formatter = HtmlFormatter()
    cells = "".join(
        f'<div class="cell"><div class="count">[{number}]:</div><div class="in">'
        f"{highlight(source, PythonLexer(), formatter)}</div></div>"
        for number, source in ((7, WRONG_SOFTMAX), (8, "checks.softmax.check(softmax)"))
    )
    cells += f'<div class="cell"><div></div><div class="out"><pre>{escape(printed.getvalue())}</pre>'
    cells += f'<pre class="bad">{escape(failed)}</pre></div></div>'
    light, dark = (HtmlFormatter(style=style).get_style_defs(".highlight") for style in ("default", "monokai"))
    return CELLS.format(light=light, dark=dark, cells=cells)


def grading_report() -> str:
    """Return the page of the report on twelve learners: solutions, and wrong answers that the checks know."""
    exercise, records, luck = Exercise(UNIT), [], random.Random(5)
    right = {name: exercise.grade(name, exercise.solution(name)) for name in exercise.names}
    for number, student in enumerate(STUDENTS):
        scores: dict[str, Score] = {}
        for place, name in enumerate(exercise.names, start=1):
            task, result = exercise.tasks.get(name), right[name]
            is_wrong = luck.random() < 1.2 * number / len(STUDENTS) * place / len(exercise.names)
            if task and task.wrong and is_wrong:
                result = exercise.grade(name, task.wrong[int(luck.random() * min(3, len(task.wrong)))].function)
            for each in result.outcomes:
                kind, _, message = each.message.partition(": ")
                failure = Failure(kind, message) if each.message else None
                scores[each.cell] = Score(each.earned, each.points, error=failure)
        score = sum(each.score for each in scores.values())
        result = NotebookResult("", scores)
        records.append(Record(student, "graded", "", score, notebooks={UNIT: result}))
    records[4].notebooks[UNIT].notes.append("cell test-softmax was edited and is restored")
    waiting = (STUDENTS[1], STUDENTS[8])
    standing = {each.student: Standing(total=each.score, waiting=each.student in waiting) for each in records}
    return report_page(UNIT, records, standing)


def shown_text(book: Path) -> dict[str, str]:
    """Return the text that each picture shows.

    Args:
        book: the folder of the built book.
    """
    pages = {"check": (check_page(), "body"), "report": (grading_report(), "main")}
    pages |= {name: ((book / path).read_text("utf8"), element) for name, (path, element) in OF_BOOK.items()}
    shown = {}
    for name, (text, selector) in pages.items():
        element = BeautifulSoup(text, "html.parser").select_one(selector)
        for tick in element.select(".tick"):  # hidden until a reader sets it
            tick.decompose()
        shown[name] = " ".join(element.get_text(" ").split())
    return shown


def digests(shown: dict[str, str]) -> dict[str, str]:
    """Return a digest of each text."""
    return {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in sorted(shown.items())}


def photograph(browser: Browser, book: Path) -> None:
    """Write all pictures, in few colours, which keeps text sharp and files small."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        made = {"check": check_page(), "report": grading_report()}
        for name, text in made.items():
            (Path(folder) / f"{name}.html").write_text(text, encoding="utf-8")
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport=SIZE, color_scheme=scheme, device_scale_factor=SCALE)
            tab = context.new_page()
            for name in (*made, *OF_BOOK):
                path, element = OF_BOOK.get(name, (f"{name}.html", "body"))
                tab.set_viewport_size(SIZE if name == "page" else SIZE | {"height": 5200})
                tab.goto(((book if name in OF_BOOK else Path(folder)) / path).resolve().as_uri())
                tab.evaluate("document.fonts.ready")
                tab.wait_for_timeout(500)
                if name == "page":
                    tab.locator(element).evaluate("each => window.scrollTo(0, each.offsetTop - 70)")
                    tab.wait_for_timeout(1500)  # until the Transformer has translated
                    png = tab.screenshot()
                else:
                    tab.add_style_tag(content="header, .bd-header-article, .skip-link { display: none !important; }")
                    clip = tab.evaluate(CLIP[name], MARGIN)
                    png = tab.screenshot(clip=clip)
                image = Image.open(io.BytesIO(png)).convert("RGB").quantize(160, dither=Image.Dither.NONE)
                image.save(FOLDER / f"{name}_{scheme}.png", optimize=True)
            context.close()


def main() -> int:
    """Write the pictures and the digests."""
    book = Path(os.environ.get("COURSE_BOOK", ROOT / "_build" / "html"))
    path = chromium.find()
    if path is None:
        print(chromium.MISSING, file=sys.stderr)
        return 1
    if not (book / "book" / "index.html").is_file():
        print(f"{book}: no built book; make book", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.arguments())
        photograph(browser, book)
        browser.close()
    DIGESTS.write_text(json.dumps(digests(shown_text(book)), indent=1) + "\n", encoding="utf-8")
    for picture in sorted(FOLDER.glob("*.png")):
        print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
