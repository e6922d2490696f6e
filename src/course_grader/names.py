"""The table that says which student a learning platform means: ``student_id`` beside names, addresses and numbers."""

import re
import unicodedata
from pathlib import Path

from course_grader.settings import Course
from course_grader.tables import Table, read_table

# The headings that learning platforms use, without case, blanks and punctuation.
_FIRST_NAME = ("firstname", "givenname", "givennames", "forename")
_LAST_NAME = ("lastname", "surname", "familyname")
_FULL_NAME = ("name", "fullname", "student", "studentname", "displayname")
_EMAIL = ("email", "emailaddress", "mail")


def read_names(path: Path) -> dict[str, str]:
    """Return whatever fits exactly one student, as `plain` writes it, with the student's id.

    Raises:
        ValueError: if the table has no column ``student_id``, or one of them cannot be the name of a folder.
    """
    return {key: students[0] for key, students in read_fits(path).items() if len(students) == 1}


def read_fits(path: Path) -> dict[str, list[str]]:
    """Return every name, address and number of the table, as `plain` writes it, with the ids of all whom it fits.

    One word of a name that is all of somebody's column fits everybody who has it in a longer name: Anna fits Anna Smith
    and Anna Lena Smith. A word that nobody's column holds alone fits nobody, and a student id is never only a word.

    Raises:
        ValueError: as `read_names`.
    """
    fits: dict[str, set[str]] = {}
    words: dict[str, set[str]] = {}
    identifiers = set()
    for row in _read(path).rows:
        student = (row["student_id"] or "").strip()
        if not student:
            continue
        if not is_name(student):
            raise ValueError(f"names: expected a student_id that can be a folder's name, got {student!r}")
        keys = {plain(value) for value in row.values() if isinstance(value, str) and value.strip()}
        keys |= {key.removeprefix("participant") for key in keys if key.removeprefix("participant").isdigit()}
        for key in keys | full_names(row):
            fits.setdefault(key, set()).add(student)
        for word in " ".join(_both_names(row)).split():
            words.setdefault(plain(word), set()).add(student)
        identifiers.add(plain(student))
    doubted = fits.keys() & words.keys() - identifiers
    return {key: sorted(found | words[key] if key in doubted else found) for key, found in fits.items()}


def why_unknown(identifiers: list[str], fits: dict[str, list[str]] | None) -> str:
    """Say why no student is known for a person.

    Args:
        identifiers: what the download calls the person.
        fits: what `read_fits` returned, None without a table.
    """
    doubtful = next((each for each in identifiers if len((fits or {}).get(plain(each), ())) > 1), None)
    if doubtful is None:
        return "no student_id is known for this name; add it to the CSV of names"
    students = fits[plain(doubtful)]
    count = "two" if len(students) == 2 else str(len(students))
    return (
        f"{doubtful!r} fits {count} students: {', '.join(students)}; name the file or folder by the student_id, "
        "or add a column to the CSV of names that tells them apart"
    )


def introduce(course: Course, path: Path) -> None:
    """Give the gradebook the names and addresses that the table holds, for whom nbgrader's formgrader shows them."""
    with course.gradebook() as gradebook:
        for row in _read(path).rows:
            student = (row["student_id"] or "").strip()
            first, last = _both_names(row)
            told = {"first_name": first, "last_name": last, "email": _field(row, _EMAIL)}
            told = {name: value for name, value in told.items() if value}
            if student and told:
                gradebook.update_or_create_student(student, **told)


def full_names(row: dict) -> set[str]:
    """Return a person's name in both orders, as `plain` writes it; nothing where a row has no name in two parts."""
    first, last = _both_names(row)
    return {plain(first + last), plain(last + first)} if first and last else set()


def plain(text: str) -> str:
    """Compare names without accents, case, blanks and punctuation, as the learning platforms write them."""
    text = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def is_name(text: str) -> bool:
    """Say whether a text can be the name of a student's folder."""
    return bool(text) and text not in (".", "..") and not text.startswith(".") and not re.search(r"[/\\\0\n\r]", text)


def _read(path: Path) -> Table:
    table = read_table(path)
    if "student_id" not in table.header:
        raise ValueError(f"names: expected a column student_id in {path}, got {', '.join(map(repr, table.header))}")
    return table


def _both_names(row: dict) -> tuple[str, str]:
    """Return first and last name, of one column with both where there are no two: Last, First or First Last."""
    first, last = _field(row, _FIRST_NAME), _field(row, _LAST_NAME)
    if first or last:
        return first, last
    whole = _field(row, _FULL_NAME)
    if "," in whole:
        last, _, first = whole.partition(",")
    else:
        first, _, last = whole.rpartition(" ")
    return first.strip(), last.strip()


def _field(row: dict, headings: tuple[str, ...]) -> str:
    """Return what stands under one of these headings."""
    found = (value for name, value in row.items() if isinstance(name, str) and plain(name) in headings)
    return next((value.strip() for value in found if isinstance(value, str)), "")
