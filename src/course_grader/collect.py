"""The command ``collect``: from a download of Moodle or Canvas, or loose notebooks, to ``submitted/``.

Nothing in an archive is trusted: no path leaves its student's folder, no link is followed, no size is believed.
"""

import re
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_grader.names import introduce, is_name, plain, read_fits, why_unknown
from course_grader.settings import Course
from course_grader.times import STAMP, Times

_MOODLE = re.compile(
    r"^(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?:/(?P<rest>.*))?(?P<flat>.*)$"
)
_CANVAS = re.compile(r"^(?P<name>[^_]+)_(?P<late>LATE_)?(?P<id>\d+)_(?P<file>\d+)_(?P<rest>.+)$")
_RESUBMITTED = re.compile(r"-\d+(?=\.[^.]+$)")
_COUNT_LIMIT = 200_000


@dataclass
class Collected:
    """What came of one person's files.

    Args:
        key: the person as the archive names them.
        student: the student id, or an empty text where the CSV of names does not say.
        files: relative path to content.
        notes: one sentence on each thing that was refused or is worth knowing.
        saved: whether the files were written.
        is_platforms: whether the files are named as Moodle or Canvas names them.
        refused: why nothing of it may be saved, empty if nothing is against it.
    """

    key: str
    student: str
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    saved: bool = False
    is_platforms: bool = False
    refused: str = ""

    @property
    def has_notebook(self) -> bool:
        """Whether a notebook is among the files."""
        return any(name.endswith(".ipynb") for name in self.files)


def collect(
    course: Course,
    assignment: str,
    origin: Path,
    names: Path | None = None,
    replace: bool = False,
    times: tuple[Path | None, str | None] | None = None,
) -> list[Collected]:
    """Read a download and write the submissions.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        origin: a zip, or a folder (an unpacked download, or loose notebooks).
        names: a CSV with a column ``student_id``; any other column may hold what the download calls the person. Names
            and address, under Moodle's headings or Canvas's, go into the gradebook.
        replace: overwrite a submission that is there and differs. Two that come for one student are refused all the
            same: nothing says which of them counts.
        times: Moodle's grading worksheet and the time zone of its times, which become ``timestamp.txt``.

    Raises:
        ValueError: if there is no such assignment, if origin is neither a zip nor a folder, or if a CSV lacks a column.
    """
    course.require(assignment)
    limit = course.settings.submission_mib * 2**20
    fits = read_fits(names) if names else None
    known = _of_one(fits)
    if times and not all(times):
        raise ValueError("times: expected --times and --timezone together: Moodle's times do not say their zone")
    clock = Times(*times, known) if times else None
    people: dict[str, Collected] = {}
    identifiers_of: dict[str, list[str]] = {}
    path_of: dict[tuple[str, str], str] = {}
    for path, content, problem in _entries(origin, limit):
        whose = _person(path, assignment)
        if whose.key not in people:
            people[whose.key] = Collected(whose.key, _student(whose.identifiers, known))
            if not people[whose.key].student:
                people[whose.key].refused = why_unknown(whose.identifiers, fits)
        person = people[whose.key]
        identifiers_of[whose.key] = whose.identifiers
        person.is_platforms = whose.is_platforms
        before = person.files.get(whose.relative)
        _take(person, whose, path, content, problem, limit)
        other = path_of.setdefault((whose.key, whose.relative), path)
        if before is not None and before != person.files[whose.relative]:
            person.refused = _both(person.student, [other, path])
    _refuse_doubles(people)
    for person in people.values():
        stamp, said = clock.of(identifiers_of[person.key], person.student) if clock else (None, "")
        person.notes += [said] if said else []
        _save(course, assignment, person, replace, stamp)
    if names:
        introduce(course, names)
    return list(people.values())


def known_students(course: Course) -> set[str]:
    """Return the students of the gradebook, and those who handed in anything."""
    folder = course.root / course.directory.submitted_directory
    with course.gradebook() as gradebook:
        found = {student.id for student in gradebook.students}
    return found | ({path.name for path in folder.iterdir() if path.is_dir()} if folder.is_dir() else set())


def moodles_names(course: Course, assignment: str, origin: Path, names: Path | None = None) -> dict[str, str]:
    """Return by student how a download of Moodle names the person's files: ``Ada Lovelace_11_assignsubmission_file``.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        origin: the download, a zip or the unpacked folder.
        names: a CSV that says whom the download means, as for `collect`.

    Raises:
        ValueError: if origin is neither a zip nor a folder, or the CSV lacks a column.
    """
    fits = read_fits(names) if names else None
    known = _of_one(fits)
    found = {}
    for path, _, _ in _entries(origin, course.settings.submission_mib * 2**20):
        moodle, student = _MOODLE.match(path), _student(_person(path, assignment).identifiers, known)
        if moodle and student:
            found[student] = f"{moodle['name']}_{moodle['id']}_assignsubmission_file"
    return found


def counted(people: list[Collected]) -> str:
    """Return how many were saved, and how many of these hold no notebook.

    Args:
        people: what `collect` returned.
    """
    saved = [person for person in people if person.saved]
    without = sum(not person.has_notebook for person in saved)
    return f"{len(saved)} of {len(people)} saved" + (f", {without} without a notebook" if without else "")


def strangers(people: list[Collected], before: set[str]) -> str:
    """Return a warning where, without a table of names, a download made new students; an empty text if all is well.

    Args:
        people: what `collect` returned.
        before: what `known_students` returned before.
    """
    new = sorted({person.student for person in people if person.saved} - before)
    if not new or not (before or any(person.is_platforms for person in people)):
        return ""
    folders = "this folder" if len(new) == 1 else "these folders"
    return (
        f"{len(new)} new, named as the download names them: {', '.join(new)}. If the gradebook is to have other names, "
        f"remove {folders} from submitted/, and collect again with --names names.csv."
    )


@dataclass
class _Whose:
    """Whose a file is: what names and identifies the person, the path inside, and what the platform says."""

    key: str
    identifiers: list[str]
    relative: str
    is_platforms: bool = False
    is_late: bool = False


def _take(person: Collected, whose: _Whose, path: str, content: bytes | None, problem: str | None, limit: int) -> None:
    """Put a file to the person's others, or say why not."""
    if whose.is_late and "Canvas marks it as late" not in person.notes:
        person.notes.append("Canvas marks it as late")
    size = sum(map(len, person.files.values())) + len(content or b"")
    if problem or size > limit:
        person.notes.append(f"{path!r} was left out: {problem or 'the submission is too large'}")
    elif not _is_safe(whose.relative):
        person.notes.append(f"{path!r} was left out: its path leads out of the folder")
    elif whose.is_platforms and whose.relative == STAMP:
        person.notes.append(f"{path!r} was left out: a student's own file does not say when the work came")
    else:
        person.files[whose.relative] = content


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


def _person(path: str, assignment: str) -> _Whose:
    """Say whose file it is."""
    folder, _, rest = path.partition("/")
    moodle = _MOODLE.match(folder)
    if moodle:
        name, number = moodle["name"], moodle["id"]
        inside = rest or moodle["flat"].lstrip("_")
        # Where a course has groups, the name of the group and a hyphen stand before the name of the person.
        behind = [name.split("-", cut)[-1] for cut in range(1, name.count("-") + 1)]
        return _Whose(f"{name}_{number}", [number, name, *behind], inside, True)
    canvas = _CANVAS.match(path.rpartition("/")[2])
    if canvas:
        inside = _RESUBMITTED.sub("", canvas["rest"])
        identifiers = [canvas["id"], canvas["name"]]
        return _Whose(f"{canvas['name']}_{canvas['id']}", identifiers, inside, True, bool(canvas["late"]))
    if rest:  # a folder per person
        return _Whose(folder, [folder], rest.removeprefix(f"{assignment}/"))
    stem, dot, suffix = path.rpartition(".")
    person = re.sub(rf"[_\- ]*{re.escape(assignment)}$", "", stem) or stem
    return _Whose(person, [person], f"{assignment}{dot}{suffix}")


def _of_one(fits: dict[str, list[str]] | None) -> dict[str, str] | None:
    return None if fits is None else {key: students[0] for key, students in fits.items() if len(students) == 1}


def _student(identifiers: list[str], known: dict[str, str] | None) -> str:
    if known is None:
        candidate = identifiers[1] if len(identifiers) > 1 else identifiers[0]
        return candidate if is_name(candidate) else ""
    return next((known[plain(each)] for each in identifiers if plain(each) in known), "")


def _refuse_doubles(people: dict[str, Collected]) -> None:
    """Refuse all sources of a student who has more than one."""
    keys_of: dict[str, list[str]] = {}
    for key, person in people.items():
        if person.student and person.files:
            keys_of.setdefault(person.student, []).append(key)
    for student, keys in keys_of.items():
        for key in keys if len(keys) > 1 else ():
            people[key].refused = _both(student, keys)


def _both(student: str, sources: list[str]) -> str:
    return (
        f"{' and '.join(map(repr, sources))} are both for {student}, and nothing says which of them counts: leave one "
        "of them in the download, or fix the names"
    )


def _is_safe(relative: str) -> bool:
    parts = relative.replace("\\", "/").split("/")
    return bool(relative) and all(part not in ("", ".", "..") and "\0" not in part for part in parts)


def _save(course: Course, assignment: str, person: Collected, replace: bool, stamp: bytes | None) -> None:
    if person.refused:
        person.notes.append(person.refused)
        return
    if not person.files:
        person.notes.append("nothing is left to save")
        return
    if not person.has_notebook:
        person.notes.append("it holds no notebook")
    notebooks = sorted(name for name in person.files if name.endswith(".ipynb"))
    if len(notebooks) > max(1, len(list(course.source(assignment).glob("*.ipynb")))):
        wanted = f"{assignment}.ipynb counts" if f"{assignment}.ipynb" in notebooks else "one of them counts"
        person.notes.append(f"it holds {len(notebooks)} notebooks, {', '.join(notebooks)}: {wanted}")
    folder = course.submitted(person.student, assignment)
    if folder.is_symlink() or folder.parent.is_symlink():
        person.notes.append("the folder in submitted is a link; nothing was written")
        return
    present = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    before = present.pop(STAMP, None)
    stamp = stamp or person.files.pop(STAMP, None)
    is_other = bool(present) and present != person.files
    if is_other and not replace:
        person.notes.append("another submission is already there; --replace overwrites it")
        return
    if before is not None and stamp is None and is_other:
        person.notes.append(f"{STAMP} was kept: {_line(before)} is the time of the submission before this one")
    elif None not in (before, stamp) and before.strip() != stamp.strip() and not replace:
        person.notes.append(f"{STAMP} was kept: {_line(before)}, not {_line(stamp)}; --replace overwrites it")
        stamp = None
    for name in present:
        (folder / name).unlink()
    for name, content in (person.files | ({STAMP: stamp} if stamp else {})).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    person.saved = True


def _line(stamp: bytes) -> str:
    """Return what a file of a time says, to be printed."""
    return repr(stamp.decode("utf-8", errors="replace").strip()[:60])
