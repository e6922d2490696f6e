"""Read submitted folders without trusting anything in them: no links, no devices, no sizes beyond the limit."""

import os
import stat
from pathlib import Path

from nbgrader.utils import parse_utc

from course_grader.messages import Submission, writable
from course_grader.settings import Course

_FILE_COUNT = 500
_SKIPPED = (".ipynb_checkpoints", "__pycache__")


def find_students(course: Course, assignment: str) -> list[str]:
    """Return everybody who has a folder, or anything in its place, for an assignment. No name is used as a pattern."""
    return [name for name in _names(course, assignment) if name == writable(name)]


def notes_on_folders(course: Course, assignment: str) -> list[str]:
    """Return a sentence on each folder whose name cannot be a student's in the gradebook."""
    return [
        f"submitted/{writable(name)} was left out: its name is not text in UTF-8; rename the folder"
        for name in _names(course, assignment)
        if name != writable(name)
    ]


def _names(course: Course, assignment: str) -> list[str]:
    folder = course.root / course.directory.submitted_directory
    if not folder.is_dir():
        return []
    names = (entry.name for entry in os.scandir(folder) if not entry.name.startswith("."))
    return sorted(name for name in names if os.path.lexists(course.submitted(name, assignment)))


def read_submission(course: Course, student: str, assignment: str) -> Submission:
    """Read one folder."""
    folder = course.submitted(student, assignment)
    found = Submission(student)
    for path in (folder.parent, folder):
        if path.is_symlink():
            found.problem = "the submitted folder is a symbolic link"
            return found
    if not folder.is_dir():
        found.problem = "the submission is not a folder"
        return found
    try:
        _read_folder(folder, found, course.settings.submission_mib * 2**20)
    except OSError as error:
        found.problem = f"the folder cannot be read: {error.strerror}"
    stamp = found.files.pop("timestamp.txt", None)
    if stamp is not None and found.problem is None:
        _read_timestamp(stamp, found)
    if found.problem is None and not found.notebooks:
        found.problem = "the folder holds no notebook" if found.files or found.notes else "the folder is empty"
    return found


def _read_folder(folder: Path, found: Submission, limit: int) -> None:
    left, count = limit, 0
    waiting = [folder]
    while waiting:
        for entry in sorted(os.scandir(waiting.pop()), key=lambda each: each.name):
            name = os.path.relpath(entry.path, folder)
            if entry.name in _SKIPPED:
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name.endswith(".ipynb"):
                    found.notes.append(f"{name!r} is a folder, not a notebook")
                if name.count(os.sep) < 5:
                    waiting.append(Path(entry.path))
                continue
            if entry.is_symlink() or not entry.is_file(follow_symlinks=False):
                found.notes.append(f"{name!r} is a link or not a regular file and was left out")
                continue
            content = _read_regular(entry.path, left)
            count += 1
            if content is None or count > _FILE_COUNT:
                found.problem = f"the folder is larger than {limit // 2**20} MiB or holds more than {_FILE_COUNT} files"
                return
            left -= len(content)
            if name.endswith(".ipynb") and os.sep not in name:
                found.notebooks[name.removesuffix(".ipynb")] = content.decode("utf-8", errors="replace")
            elif not name.endswith(".ipynb"):
                found.files[name] = content


def _read_regular(path: str, limit: int) -> bytes | None:
    """Read a file; None if it is larger than the limit. It is the opened file that is looked at, not its name."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "not a regular file")
        content = file.read(limit + 1)
    return content if len(content) <= limit else None


def _read_timestamp(stamp: bytes, found: Submission) -> None:
    text = stamp.decode("utf-8", errors="replace").strip()
    if not text:
        return
    try:
        found.timestamp = parse_utc(text[:100]).isoformat()
        found.stamp = text[:100]
    except (ValueError, OverflowError, TypeError):
        found.notes.append("timestamp.txt does not hold a date and was left out")
