"""From submitted text to notebooks: what can be read, which is which, and a sentence on what cannot."""

import difflib
import json
import warnings

import nbformat

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
    if isinstance(document.get("worksheets"), list):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                document = json.loads(nbformat.writes(nbformat.convert(nbformat.from_dict(document), 4)))
        except Exception:
            raise Unreadable("the notebook is of an old format and cannot be converted") from None
    if not isinstance(document.get("cells"), list):
        raise Unreadable("the file is JSON, but not a notebook (it has no cells)")
    return document


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
