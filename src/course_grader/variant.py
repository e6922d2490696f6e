"""The command ``variant``: a private variant of an assignment, which the course draws from a seed.

What can be drawn, and how, the course knows: `CourseGrader.variants` names the function that does it.
"""

import hashlib
import importlib
import json
import shutil
from pathlib import Path

from course_grader.settings import Course

GUESSED = 12  # a seed that has fewer characters can be found by trying


def write_variant(course: Course, assignment: str, seed: str, suffix: str = "") -> tuple[Path, list[str]]:
    """Write a variant beside the source of its assignment.

    Args:
        course: the course folder.
        assignment: its name, or the beginning of it.
        seed: any text; the same one draws the same variant.
        suffix: what its name ends with; none takes a number, from which nobody can tell a long seed.

    Returns:
        The notebook, and sentences on what was drawn.

    Raises:
        ValueError: if the course draws none, there is no such assignment, or the variant is there already.
    """
    module, _, function = course.settings.variants.partition(":")
    if not function:
        raise ValueError("expected CourseGrader.variants in nbgrader_config.py to name a function, as module:function")
    full = _complete(course, assignment)
    source, number = course.source(full), hashlib.sha256(f"{full}, {seed}".encode()).hexdigest()[:6]
    folder = course.source(f"{full}-{suffix or number}")
    if folder.exists():
        raise ValueError(f"{folder} is there already; remove it, or give the variant a --suffix")
    drawn = getattr(importlib.import_module(module), function)(_read(source / f"{full}.ipynb"), full, seed)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.ipynb", ".*", "__pycache__"))
    path = folder / f"{folder.name}.ipynb"
    path.write_text(json.dumps(drawn.notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    return path, drawn.notes


def _complete(course: Course, beginning: str) -> str:
    """Find the assignment whose name begins so; its variants, whose names begin with all of its own, do not count."""
    folder = course.root / course.directory.source_directory
    names = sorted(path.parent.name for path in folder.glob("*/*.ipynb") if path.parent.name.startswith(beginning))
    names = [each for each in names if not any(each.startswith(f"{other}-") for other in names)]
    if len(names) != 1:
        raise ValueError(f"{beginning}: expected the beginning of one assignment of {folder}, found {names or 'none'}")
    return names[0]


def _read(path: Path) -> dict:
    if not path.is_file():
        raise ValueError(f"expected the source {path}, found none")
    return json.loads(path.read_text(encoding="utf-8"))
