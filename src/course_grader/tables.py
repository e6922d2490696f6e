"""Tables as spreadsheets write them: with commas, semicolons or tabs, and written back with what they came with."""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

_QUOTED = re.compile(r'"[^"]*"')
_FORMULA = re.compile("[-=+@\t\r\n＝＋－＠]")  # also the wide forms, which Excel takes for the others
_NUMBER = re.compile(r"-|[-+]?(\d+([.,]\d*)?|[.,]\d+)(e[-+]?\d+)?( ?%)?", re.I)


@dataclass
class Table:
    """A CSV file.

    Args:
        header: the names of its columns.
        rows: one dictionary each.
        delimiter: what stands between two cells.
        encoding: ``utf-8``, or ``utf-8-sig`` where the file begins with the mark by which Excel knows UTF-8.
    """

    header: list[str]
    rows: list[dict]
    delimiter: str = ","
    encoding: str = "utf-8"


def read_table(path: Path) -> Table:
    """Read a CSV file in UTF-8 whose cells are separated by commas, semicolons or tabs.

    Raises:
        ValueError: if the file is in another encoding; the message says where, and how to save it.
    """
    content = Path(path).read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{path}: expected text in UTF-8, got the byte 0x{content[error.start]:02x} in line {line}. Save the table "
            "as 'CSV UTF-8' in Excel, or with the character set UTF-8 in LibreOffice."
        ) from None
    first = _QUOTED.sub("", text.partition("\n")[0])
    delimiter = max(",;\t", key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    encoding = "utf-8-sig" if content.startswith(b"\xef\xbb\xbf") else "utf-8"
    return Table(list(reader.fieldnames or []), list(reader), delimiter, encoding)


def write_table(path: Path, table: Table) -> None:
    """Write a table; no cell of it is a formula."""
    with open(path, "w", newline="", encoding=table.encoding) as file:
        writer = csv.DictWriter(file, table.header, extrasaction="ignore", restval="", delimiter=table.delimiter)
        writer.writeheader()
        writer.writerows({key: harmless(value) for key, value in row.items()} for row in table.rows)


def harmless(value):
    """Keep a spreadsheet from taking a text for a formula; numbers, and the - that stands for none, stay."""
    is_formula = isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value)
    return "'" + value if is_formula else value
