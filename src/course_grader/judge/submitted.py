"""From submitted text to notebooks: what can be read, which is which, and a sentence on what cannot."""

import difflib
import json

from course_grader.messages import ReleasedNotebook, writable


class Unreadable(Exception):
    """A submitted file is not a notebook; the message is the reason."""


def parse_notebook(text: str) -> dict:
    """Return a notebook of format 4 as a dictionary with a list of cells.

    Raises:
        Unreadable: with the reason in words.
    """
    if not text.strip():
        raise Unreadable("the notebook is an empty file")
    try:
        document = json.loads(writable(json.dumps(json.loads(text), ensure_ascii=False)))
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Unreadable(f"the notebook is not valid JSON{where}; it was probably cut off or edited by hand") from None
    if not isinstance(document, dict):
        raise Unreadable("the file is JSON, but not a notebook")
    sheets = document.get("worksheets")  # where formats 2 and 3 have their cells
    parts = [document, *(sheets if isinstance(sheets, list) else [])]
    cells = [part["cells"] for part in parts if isinstance(part, dict) and isinstance(part.get("cells"), list)]
    if not cells:
        raise Unreadable("the file is JSON, but not a notebook (it has no cells)")
    return {**document, "cells": [_of_format_4(cell) for part in cells for cell in part]}


def _of_format_4(cell):
    """Return a cell of any format as one of format 4.

    nbformat's own conversion gives up a whole notebook for an output that is missing or a heading in two lines.
    """
    if not isinstance(cell, dict) or "source" in cell and cell.get("cell_type") in ("code", "markdown", "raw"):
        return cell
    is_code = cell.get("cell_type") == "code"
    source = cell.get("input" if is_code and "source" not in cell else "source", "")
    if isinstance(source, list):
        source = "".join(each for each in source if isinstance(each, str))
    if cell.get("cell_type") == "heading":
        level = cell.get("level")
        source = "#" * (level if isinstance(level, int) else 1) + f" {source}"
    kind = cell["cell_type"] if is_code or cell.get("cell_type") == "raw" else "markdown"
    return {**cell, "cell_type": kind, "source": source}


def assign(
    released: dict[str, ReleasedNotebook], texts: dict[str, str]
) -> tuple[dict[str, dict], list[str], list[str]]:
    """Find the submitted notebook of each released one, also where it was renamed.

    Returns:
        The notebooks by released name, sentences on renamed and left ones, and on what is missing or unreadable.
    """
    found, notes, problems, taken = {}, [], [], set()
    loose = {name: text for name, text in texts.items() if name not in released}
    for expected, notebook in released.items():
        name = expected
        if name not in texts:
            name = _renamed(expected, notebook, loose)
            if name is None:
                others = f" (the folder holds {', '.join(sorted(texts))})" if texts else ""
                problems.append(f"the notebook {expected}.ipynb is missing{others}")
                continue
            notes.append(f"the notebook {expected}.ipynb was handed in as {name}.ipynb")
        taken.add(name)
        try:
            found[expected] = parse_notebook(texts[name])
        except Unreadable as error:
            problems.append(str(error) if len(released) == 1 else f"{expected}.ipynb: {error}")
    others = sorted(set(texts) - taken)
    if taken and others:
        listed = ", ".join(f"{name}.ipynb" for name in others)
        notes.append(f"the folder also holds {listed}, of which nothing was graded")
    return found, notes, problems


def _renamed(expected: str, released: ReleasedNotebook, loose: dict[str, str]) -> str | None:
    identifiers = [cell.id for cell in released.cells if cell.id]
    fits = {name: sum(json.dumps(each) in text for each in identifiers) for name, text in loose.items()}
    alike = difflib.get_close_matches(expected, list(loose), n=1, cutoff=0.6)
    best = max(fits, key=fits.get, default=None)
    if best is not None and fits[best] > 0:
        return best
    return alike[0] if alike else None
