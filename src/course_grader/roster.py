"""Whose row a row of a platform's table is."""

from collections import Counter

from course_grader.names import full_names, plain
from course_grader.tables import Table


class Roster:
    """Finds the student of each row, and remembers by which column.

    A student is found by the id, then by the address that the gradebook has, then by whatever the table of names says
    of exactly one student, and last by an address that begins with the id.

    Args:
        keys: the columns that may hold an id, a number or a name; an address is looked for in all of them.
        mails: the address of each student, or an empty text.
        known: what fits exactly one student, as `read_names` returns it.
    """

    def __init__(self, keys: tuple[str, ...], mails: dict[str, str], known: dict[str, str] | None = None):
        self._keys, self._students, self._known = keys, set(mails), known or {}
        counted = Counter(mail.casefold() for mail in mails.values() if mail)
        self._by_mail = {mail.casefold(): each for each, mail in mails.items() if counted[mail.casefold()] == 1}
        self.found: Counter = Counter()
        self.columns: Counter = Counter()
        self.rows = 0

    def find(self, row: dict) -> str | None:
        """Return the student of a row, or None."""
        self.rows += 1
        column, student = next(self._candidates(row), ("", None))
        if student is not None:
            self.found[student] += 1
            self.columns[column] += 1
        return student

    def name_of(self, row: dict) -> str:
        """Return what to call a row."""
        values = ((row.get(key) or "").strip() for key in self._keys)
        return next(filter(None, values), "a row without a name")

    def sentence(self, table: Table) -> str:
        """Say how many rows were matched, and by what."""
        by = ", ".join(f"{count} by {column!r}" for column, count in self.columns.most_common())
        matched = f"matched {self.columns.total()} of {self.rows} rows of the roster"
        if by:
            return f"{matched}: {by}"
        columns = [each for each in self._keys if each in table.header]
        looked = ", ".join(map(repr, columns)) or f"none of its columns is known: {', '.join(map(repr, table.header))}"
        return f"{matched}; looked for a student_id, or an address of the gradebook, in {looked}"

    def _candidates(self, row: dict):
        cells = {key: (row.get(key) or "").strip() for key in self._keys}
        mails = {key: value for key, value in row.items() if isinstance(value, str) and key and "@" in value}
        mails = {key: value.strip().casefold() for key, value in mails.items()}
        for key, value in cells.items():
            for each in (value, value.removeprefix("Participant ").strip()):
                if each in self._students:
                    yield key, each
        yield from ((key, self._by_mail[mail]) for key, mail in mails.items() if mail in self._by_mail)
        named = [(key, plain(value).removeprefix("participant")) for key, value in (cells | mails).items()]
        for key, value in [*named, *(("first and last name", name) for name in sorted(full_names(row)))]:
            if self._known.get(value) in self._students:
                yield key, self._known[value]
        for key, value in cells.items():
            if "@" in value and value.partition("@")[0] in self._students:
                yield key, value.partition("@")[0]
