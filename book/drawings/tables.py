"""Tables of results as HTML, for the last line of a cell, and the text of a range."""

from collections.abc import Iterable, Sequence
from html import escape


class Table:
    """Rows of text under a header, shown as HTML by Jupyter and the book, as text elsewhere."""

    def __init__(self, header: Sequence[str], rows: Sequence[Sequence[str]], caption: str):
        self._header, self._rows, self._caption = header, rows, caption

    def __repr__(self) -> str:
        lines = ["\t".join(row) for row in (self._header, *self._rows)]
        return "\n".join([self._caption, *lines] if self._caption else lines)

    def _repr_html_(self) -> str:
        caption = f"<caption>{escape(self._caption)}</caption>" if self._caption else ""
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in self._header)
        body = "".join(
            f'<tr><th scope="row">{escape(first)}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in rest) + "</tr>"
            for first, *rest in self._rows
        )
        return (
            '<div class="pst-scrollable-table-container" tabindex="0" role="group" aria-label="table of results">'
            f'<table class="table results">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        )


def table(header: Sequence[str], rows: Sequence[Sequence], caption: str = "") -> Table:
    """Make a table.

    Args:
        header: a name for each column, none of them empty.
        rows: for each row its cells, the first of which names the row; numbers are written as they should be read.
        caption: what the table shows.

    Returns:
        The table.

    Raises:
        ValueError: if a row has another length than the header, or a column has no name.
    """
    if not header or any(not str(name).strip() for name in header):
        raise ValueError(f"header: expected a name for each column, got {list(header)!r:.80}")
    for i, row in enumerate(rows):
        if len(row) != len(header):
            raise ValueError(f"rows[{i}]: expected {len(header)} cells as in the header, got {len(row)}")
    return Table([str(name) for name in header], [[str(cell) for cell in row] for row in rows], caption)


def span(numbers: Iterable[float], form: str = ".2f") -> str:
    """Say from where to where numbers go: the lowest and the highest, or one of them if they read the same.

    Args:
        numbers: one or more.
        form: how each is written, as in an f-string.

    Returns:
        Such as "0.17 to 0.20", "97%" or "97–99%".

    Raises:
        ValueError: if there is no number.
    """
    numbers = sorted(number if isinstance(number, int) else float(number) for number in numbers)
    if not numbers:
        raise ValueError("numbers: expected one or more, got none")
    low, high = (format(number, form) for number in (numbers[0], numbers[-1]))
    if low == high:
        return low
    if form.endswith("%") and numbers[0] >= 0:
        return f"{low.removesuffix('%')}–{high}"
    return f"{low} to {high}"
