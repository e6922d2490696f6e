"""When work was handed in, from Moodle's grading worksheet, as the file ``timestamp.txt`` that nbgrader reads."""

import re
from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nbgrader.utils import parse_utc

from course_grader.names import plain
from course_grader.tables import read_table

STAMP = "timestamp.txt"
_COLUMN = "lastmodifiedsubmission"
_KEYS = ("identifier", "idnumber", "username", "emailaddress", "fullname")
# A month by its name, or the year first: 05/11/2026 may be May or November.
_DATE = re.compile(r"(?=.*\d{4})(?=.*\d:\d\d)(\d{4}-|.*[A-Za-z]{3})")


class Times:
    """The times of a grading worksheet.

    Args:
        path: the worksheet.
        zone: the time zone in which Moodle wrote its times, such as ``Europe/Zurich``; they do not say it.
        known: what fits exactly one student, with the student's id, as `read_names` returns it.

    Raises:
        ValueError: if the table has no column for the time, or there is no such zone.
    """

    def __init__(self, path: Path, zone: str, known: dict[str, str] | None = None):
        try:
            self._zone = ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"timezone: expected a name such as Europe/Zurich, got {zone!r}") from None
        table = read_table(path)
        columns = [name for name in table.header if plain(name).startswith(_COLUMN)]
        if not columns:
            raise ValueError(
                f"times: expected a column 'Last modified (submission)' in {path}, got "
                f"{', '.join(map(repr, table.header))}. Set your language in Moodle to English and download it again."
            )
        self._found: dict[str, str] = {}
        twice: set[str] = set()
        for row in table.rows:
            keys = {plain(value) for name, value in row.items() if name and value and plain(name) in _KEYS}
            keys |= {key.removeprefix("participant") for key in keys}
            keys |= {f"={known[key]}" for key in keys if known and key in known}
            twice |= keys & self._found.keys()
            self._found |= dict.fromkeys(keys, (row[columns[0]] or "").strip())
        for key in twice:  # two people have it: it says nothing
            del self._found[key]

    def of(self, identifiers: list[str], student: str) -> tuple[bytes | None, str]:
        """Return the content of ``timestamp.txt``, None if it is not known, and in that case a sentence.

        Args:
            identifiers: what the download calls the person, the number first.
            student: the student id.
        """
        keys = [*map(plain, identifiers), f"={student}"]
        text = next((self._found[key] for key in keys if key in self._found), None)
        if not text or text == "-":
            return None, "the worksheet has no time for this person: nobody will be late here"
        try:
            if not _DATE.match(text):
                raise ValueError(text)
            time = parse_utc(text).replace(tzinfo=self._zone).astimezone(UTC)
        except (ValueError, OverflowError):
            return None, (
                f"the worksheet's time {text!r} was not understood: set your language in Moodle to English, and "
                "download the worksheet again"
            )
        return f"{time:%Y-%m-%d %H:%M:%S} UTC\n".encode(), ""
