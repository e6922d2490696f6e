"""How long the units take, and syllabi that spread them over weeks; all from the chapters and the exercises."""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from transformer_course.common.units import Unit

ROOT = Path(__file__).resolve().parents[2]
_TASK = re.compile(r"^\| \d+ · ([^|]*)\| (\d+) \| ([\d.]+) \|", re.MULTILINE)
_READING = re.compile(r"\*\*Reading time\*\* (\d+) minutes")


@cache
def cells(unit: Unit) -> list[dict]:
    """Return the cells of an exercise."""
    path = ROOT / "exercises" / unit.name / f"{unit.name}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def tasks(unit: Unit) -> list[int]:
    """Return the minutes of each task of an exercise, as the table at its top says them, without the stretch task.

    Raises:
        ValueError: if there is no such table.
    """
    found = _TASK.findall("".join(cells(unit)[0]["source"]))
    minutes = [int(minutes) for name, minutes, _ in found if "stretch" not in name]
    if not minutes:
        raise ValueError(f"{unit.name}: expected a table of tasks at the top of the exercise")
    return minutes


def reading(unit: Unit) -> int:
    """Return the minutes of reading that the chapter says at its top.

    Raises:
        ValueError: if it says none.
    """
    found = _READING.search((ROOT / "book" / f"{unit.name}.md").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{unit.name}: expected **Reading time** at the top of the chapter")
    return int(found[1])


def minutes(unit: Unit) -> int:
    """Return the minutes of a unit: reading and exercise."""
    return reading(unit) + sum(tasks(unit))


def weeks(units: Sequence[Unit], number: int) -> list[list[Unit]]:
    """Spread units over weeks, in their order, so that the longest week is as short as can be.

    Args:
        units: in the order of the course.
        number: of weeks, at most that of the units.

    Returns:
        The units of each week. Among the ways with the shortest longest week, the one with the smallest sum of squares.

    Raises:
        ValueError: if there are more weeks than units.
    """
    if not 1 <= number <= len(units):
        raise ValueError(f"number: expected 1 to {len(units)} weeks, got {number}")

    @cache
    def best(start: int, left: int) -> tuple[int, int, tuple[int, ...]]:
        """Longest week, sum of squares, and the ends of the weeks, for the units from ``start``."""
        if left == 1:
            total = sum(minutes(unit) for unit in units[start:])
            return total, total**2, (len(units),)
        found = []
        for end in range(start + 1, len(units) - left + 2):
            total = sum(minutes(unit) for unit in units[start:end])
            longest, squares, ends = best(end, left - 1)
            found.append((max(total, longest), total**2 + squares, (end, *ends)))
        return min(found)

    ends = best(0, number)[2]
    return [list(units[start:end]) for start, end in zip((0, *ends), ends, strict=False)]
