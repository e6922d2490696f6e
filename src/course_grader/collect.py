"""The command ``collect``: from a download of Moodle or Canvas, or loose notebooks, to ``submitted/``.

Nothing in an archive is trusted: no path leaves its student's folder, no link is followed, no size is believed.
"""

import csv
import re
import stat
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_grader.settings import Course

_MOODLE = re.compile(
    r"^(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?:/(?P<rest>.*))?(?P<flat>.*)$"
)
_CANVAS = re.compile(r"^(?P<name>[^_]+)_(?P<late>LATE_)?(?P<id>\d+)_(?P<file>\d+)_(?P<rest>.+)$")
_RESUBMITTED = re.compile(r"-\d+(?=\.[^.]+$)")
_COUNT_LIMIT = 200_000
# The headings that learning platforms use, without case, blanks and punctuation.
_FIRST_NAME = ("firstname", "givenname", "givennames", "forename")
_LAST_NAME = ("lastname", "surname", "familyname")
_EMAIL = ("email", "emailaddress", "mail")


@dataclass
class Collected:
    """What came of one person's files.

    Args:
        key: the person as the archive names them.
        student: the student id, or an empty text where the CSV of names does not say.
        files: relative path to content.
        notes: one sentence on each thing that was refused or is worth knowing.
        saved: whether the files were written.
    """

    key: str
    student: str
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    saved: bool = False


def collect(
    course: Course, assignment: str, origin: Path, names: Path | None = None, replace: bool = False
) -> list[Collected]:
    """Read a download and write the submissions.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        origin: a zip, or a folder (an unpacked download, or loose notebooks).
        names: a CSV with a column ``student_id``; any other column may hold what the download calls the person. First
            name, last name and address, under Moodle's headings or Canvas's, go into the gradebook.
        replace: overwrite a submission that is there and differs.

    Raises:
        ValueError: if origin is neither a zip nor a folder, or the CSV has no column ``student_id``.
    """
    limit = course.settings.submission_mib * 2**20
    known = _read_names(names) if names else None
    people: dict[str, Collected] = {}
    for path, content, problem in _entries(origin, limit):
        key, identifiers, relative, late = _person(path, assignment)
        person = people.get(key)
        if person is None:
            person = people[key] = Collected(key, _student(identifiers, known))
        if late and "Canvas marks it as late" not in person.notes:
            person.notes.append("Canvas marks it as late")
        size = sum(map(len, person.files.values())) + len(content or b"")
        if problem or size > limit:
            person.notes.append(f"{path!r} was left out: {problem or 'the submission is too large'}")
        elif not _is_safe(relative):
            person.notes.append(f"{path!r} was left out: its path leads out of the folder")
        else:
            person.files[relative] = content
    for person in people.values():
        _save(course, assignment, person, replace)
    if names:
        _introduce(course, names)
    return list(people.values())


def _entries(origin: Path, limit: int) -> Iterator[tuple[str, bytes | None, str | None]]:
    """Yield every file as path, content and, where it is refused, the reason."""
    if origin.is_dir():
        for path in sorted(origin.rglob("*")):
            name = path.relative_to(origin).as_posix()
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                yield name, None, "it is a link or not a regular file"
            elif path.is_file():
                large = path.stat().st_size > limit
                yield name, None if large else path.read_bytes(), "it is too large" if large else None
        return
    if not zipfile.is_zipfile(origin):
        raise ValueError(f"origin: expected a zip or a folder, got {origin}")
    with zipfile.ZipFile(origin) as archive:
        entries = archive.infolist()
        if len(entries) > _COUNT_LIMIT:
            raise ValueError(f"origin: expected at most {_COUNT_LIMIT} files, got {len(entries)}")
        for entry in entries:
            if entry.is_dir():
                continue
            if stat.S_ISLNK(entry.external_attr >> 16):
                yield entry.filename, None, "it is a link"
                continue
            try:
                with archive.open(entry) as file:
                    content = file.read(limit + 1)  # what it really unpacks to, not what it says
            except (RuntimeError, zipfile.BadZipFile, NotImplementedError, OSError) as error:
                yield entry.filename, None, f"it cannot be unpacked ({error})"
                continue
            large = len(content) > limit
            yield entry.filename, None if large else content, "it is too large" if large else None


def _person(path: str, assignment: str) -> tuple[str, list[str], str, bool]:
    """Say whose file it is: the key, what may identify the person, the path inside, and whether Canvas says late."""
    folder, _, rest = path.partition("/")
    moodle = _MOODLE.match(folder)
    if moodle:
        name, number = moodle["name"], moodle["id"]
        inside = rest or moodle["flat"].lstrip("_")
        # Where a course has groups, the name of the group and a hyphen stand before the name of the person.
        behind = [name.split("-", cut)[-1] for cut in range(1, name.count("-") + 1)]
        return f"{name}_{number}", [number, name, *behind], inside, False
    canvas = _CANVAS.match(path.rpartition("/")[2])
    if canvas:
        inside = _RESUBMITTED.sub("", canvas["rest"])
        return f"{canvas['name']}_{canvas['id']}", [canvas["id"], canvas["name"]], inside, bool(canvas["late"])
    if rest:  # a folder per person
        return folder, [folder], rest.removeprefix(f"{assignment}/"), False
    stem, dot, suffix = path.rpartition(".")
    person = re.sub(rf"[_\- ]*{re.escape(assignment)}$", "", stem) or stem
    return person, [person], f"{assignment}{dot}{suffix}", False


def _student(identifiers: list[str], known: dict[str, str] | None) -> str:
    if known is None:
        candidate = identifiers[1] if len(identifiers) > 1 else identifiers[0]
        return candidate if _is_name(candidate) else ""
    return next((known[_plain(each)] for each in identifiers if _plain(each) in known), "")


def _read_names(path: Path) -> dict[str, str]:
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        if "student_id" not in (reader.fieldnames or []):
            raise ValueError(f"names: expected a column student_id in {path}, got {reader.fieldnames}")
        rows = list(reader)
    known: dict[str, str] = {}
    twice: set[str] = set()
    for row in rows:
        student = (row["student_id"] or "").strip()
        if not student:
            continue
        if not _is_name(student):
            raise ValueError(f"names: expected a student_id that can be a folder's name, got {student!r}")
        keys = {_plain(value) for value in row.values() if isinstance(value, str) and value.strip()}
        keys |= {key.removeprefix("participant") for key in keys if key.removeprefix("participant").isdigit()}
        first, last = _field(row, _FIRST_NAME), _field(row, _LAST_NAME)
        if first and last:
            keys |= {_plain(first + last), _plain(last + first)}
        for key in keys:
            if known.get(key, student) != student:
                twice.add(key)
            known[key] = student
    for key in twice:  # two people have it: it says nothing
        del known[key]
    return known


def _field(row: dict, headings: tuple[str, ...]) -> str:
    """Return what stands under one of these headings."""
    found = (value for name, value in row.items() if isinstance(name, str) and _plain(name) in headings)
    return next((value.strip() for value in found if isinstance(value, str)), "")


def _introduce(course: Course, names: Path) -> None:
    """Give the gradebook the names of the students who are in it or have handed in something."""
    with open(names, newline="", encoding="utf-8-sig") as file, course.gradebook() as gradebook:
        for row in csv.DictReader(file):
            student = (row["student_id"] or "").strip()
            told = {
                "first_name": _field(row, _FIRST_NAME),
                "last_name": _field(row, _LAST_NAME),
                "email": _field(row, _EMAIL),
            }
            told = {name: value for name, value in told.items() if value}
            if student and told:
                gradebook.update_or_create_student(student, **told)


def _plain(text: str) -> str:
    """Compare names without accents, case, blanks and punctuation, as the learning platforms write them."""
    text = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _is_name(text: str) -> bool:
    return bool(text) and text not in (".", "..") and not text.startswith(".") and not re.search(r"[/\\\0\n\r]", text)


def _is_safe(relative: str) -> bool:
    parts = relative.replace("\\", "/").split("/")
    return bool(relative) and all(part not in ("", ".", "..") and "\0" not in part for part in parts)


def _save(course: Course, assignment: str, person: Collected, replace: bool) -> None:
    notebooks = [name for name in person.files if name.endswith(".ipynb")]
    if not person.student:
        person.notes.append("no student_id is known for this name; add it to the CSV of names")
        return
    if not person.files:
        person.notes.append("nothing is left to save")
        return
    if not notebooks:
        person.notes.append("it holds no notebook")
    folder = course.submitted(person.student, assignment)
    if folder.is_symlink() or folder.parent.is_symlink():
        person.notes.append("the folder in submitted is a link; nothing was written")
        return
    present = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    if present and present != person.files and not replace:
        person.notes.append("another submission is already there; --replace overwrites it")
        return
    for name in present:
        (folder / name).unlink()
    for name, content in person.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    person.saved = True
