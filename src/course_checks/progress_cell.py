"""The cell of each exercise that says how far one is: the saved notebook is measured, as `make progress` measures it.

    from course_checks.progress_cell import show_progress

    show_progress()

Only what was changed since the last time is run again. While nbgrader runs a notebook nothing is measured.
"""

import ast
import json
import os
import sys
import time
from collections.abc import Sequence
from html import escape
from pathlib import Path

from course_checks import card, progress
from course_checks.card import ipython
from course_checks.progress import CannotRead, Row
from transformer_course.common.own_notebooks import is_unsolved, plain_python

_SIGNS = {progress.DONE: "✓", progress.WRITTEN: "✓", progress.NOT_RIGHT: "✗", progress.SLOW: "✗"}
_CELL = "padding: 0.15em 0.8em 0.15em 0; text-align: left; vertical-align: top; background: none"
_known: dict[str, dict] = {}  # what earlier runs of the cell have found
_beside: dict[Path, float] = {}  # the other exercises, on which one may build, and when they were saved


def show_progress(notebook: str | Path | None = None) -> None:
    """Show which tasks of the saved notebook pass, the points so far, and the next task.

    Args:
        notebook: its path; without it, the notebook in which this is called.
    """
    if "NBGRADER_EXECUTION" in os.environ:
        return
    try:
        path = Path(notebook) if notebook is not None else _this_notebook()
        _forget_what_depends_on_others(path)
        rows, unsaved = progress.measure(path, known=_known), _not_saved(path)
    except CannotRead as problem:
        _show(f"<div>{escape(str(problem))}</div>", str(problem))
        return
    notes = [_sentence_on_saving(path, unsaved), _sentence_on_the_next(rows)]
    _show(_as_html(rows, notes), "\n".join([*_as_text(rows), "", *notes]))


def _this_notebook() -> Path:
    """Find the notebook of this kernel: Jupyter and VS Code say which it is; else the one that lies in this folder.

    Raises:
        CannotRead: if there is none, or more than one.
    """
    told = [os.environ.get("JPY_SESSION_NAME"), getattr(ipython(), "user_ns", {}).get("__vsc_ipynb_file__")]
    for each in told:
        if each and Path(each).suffix == ".ipynb" and Path(each).is_file():
            return Path(each)
    found = []
    for path in sorted(Path.cwd().glob("*.ipynb")):
        try:
            progress.read(path)
        except CannotRead:
            continue
        found.append(path)
    if len(found) != 1:
        seen = f"{len(found)} exercises are" if found else "no exercise is"
        raise CannotRead(f'{seen} in {Path.cwd()}; say which one: show_progress("path/to/the_notebook.ipynb")')
    return found[0]


def _forget_what_depends_on_others(path: Path) -> None:
    others = {other: other.stat().st_mtime for other in path.resolve().parent.parent.glob("*/*.ipynb")
              if other != path.resolve()}  # fmt: skip
    if others != _beside:
        _known.clear()
        _beside.clear()
        _beside.update(others)


def _not_saved(path: Path) -> list[str]:
    """Name what was run last in a form that does not stand in the saved notebook."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts = ["".join(cell["source"]).strip() for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:  # it is being written just now
        raise CannotRead(f"{path} cannot be read ({type(error).__name__}); run this cell again") from None
    marks = [cell["metadata"].get("nbgrader") or {} for cell in cells]
    graded = {each["grade_id"] for each in marks if each.get("solution")}
    last: dict[str, str] = {}
    history = getattr(ipython(), "history_manager", None)
    for text in history.input_hist_raw if history is not None else ():
        last |= dict.fromkeys(graded & _defined(text), text.strip())
    return sorted(name for name, text in last.items() if text not in texts)


def _defined(source: str) -> set[str]:
    """Name what a cell defines at its top level; nothing for one that is still to do."""
    try:
        tree = plain_python(source)
    except (SyntaxError, ValueError):
        return set()
    if is_unsolved(tree):
        return set()
    names = {each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    targets = [target for each in tree.body if isinstance(each, ast.Assign) for target in each.targets]
    return names | {target.id for target in targets if isinstance(target, ast.Name)}


def _sentence_on_saving(path: Path, unsaved: Sequence[str]) -> str:
    if unsaved:
        return (
            f"As you ran it last, `{'`, `'.join(unsaved)}` is not in the file. If you have not saved the notebook "
            "since, save it (Ctrl+S or Cmd+S) and run this cell again."
        )
    minutes = (time.time() - path.stat().st_mtime) / 60
    when = "just now" if minutes < 1 else time.strftime("at %H:%M", time.localtime(path.stat().st_mtime))
    return f"This is the notebook as it was saved {when}; what was changed since then does not count yet."


def _sentence_on_the_next(rows: Sequence[Row]) -> str:
    seen, earned = sum(sum(row.tests.values()) for row in rows), sum(row.earned for row in rows)
    points = f"{earned:g} of {seen:g} points of the checks that you see; grading tries the same with other numbers."
    task = progress.next_task(rows)
    return points + (f" Next: task {task.number}, {task.title} ({task.minutes} minutes)." if task else
                     " Every task with points is done.")  # fmt: skip


def _as_text(rows: Sequence[Row]) -> list[str]:
    return [f"{_SIGNS.get(row.state, ' ')} {row.number:2}  {row.title:44.44}  {_said(row)}".rstrip() for row in rows]


def _said(row: Row) -> str:
    points = f"{row.earned:g} of {sum(row.tests.values()):g}" if row.points and row.tests else ""
    return ", ".join(each for each in (row.state, points, row.said) if each)


def _as_html(rows: Sequence[Row], notes: Sequence[str]) -> str:
    body = ""
    for row in rows:
        cells = [_SIGNS.get(row.state, ""), str(row.number), card.as_html(row.title), card.as_html(_said(row))]
        body += "<tr>" + "".join(f'<td style="{_CELL}">{each}</td>' for each in cells) + "</tr>"
    return f"<table>{body}</table>" + "".join(f"<div>{card.as_html(each)}</div>" for each in notes)


def _show(html: str, text: str) -> None:
    if card.in_notebook():  # there IPython is loaded
        sys.modules["IPython"].display.display({"text/html": html, "text/plain": text}, raw=True)
    else:
        print(text)
