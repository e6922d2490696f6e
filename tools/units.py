"""Write the units into the files that cannot ask for them: the table of README.md and the contents in _toc.yml.

    python tools/units.py write
    python tools/units.py check   say which file is out of date

The list itself is `src/transformer_course/common/units.py`. What is written stands between two comments of the file.
"""

import json
import sys
from pathlib import Path

from transformer_course.common.units import PARTS, UNITS, Part

ROOT = Path(__file__).resolve().parents[1]


def readme_table() -> str:
    """Return the table of the README, a row for each unit."""
    rows = [
        f"| {unit.label} | [chapter](book/{unit.name}.md) | [exercise](exercises/{unit.name}) "
        f"| [module](src/transformer_course/{unit.slug}.py) |\n"
        for unit in UNITS
    ]
    return "\n| unit | chapter | exercise | library |\n|---|---|---|---|\n" + "".join(rows) + "\n"


# Pages beside a chapter that are no further notes on it.
OWN_NAMES = {"book/notes_18": "In a real model"}


def contents(parts: tuple[Part, ...] = PARTS) -> str:
    """Return the parts of the book's contents, in the form of Jupyter Book; chapters are numbered through."""
    lines = []
    for part in parts:
        lines += [f"  - caption: {json.dumps(part.caption)}", "    numbered: 1", "    chapters:"]
        for unit in part.units:
            # Evidence and second studies, where a chapter has such pages.
            below = [f"book/{path.stem}" for path in sorted((ROOT / "book").glob(f"notes_{unit.number:02}*.md"))]
            lines += [f"      - file: book/{unit.name}", "        sections:"]
            lines += [f"          - file: exercises/{unit.name}/{unit.name}", "            title: Exercise"]
            for page in below:
                lines += [f"          - file: {page}", f"            title: {OWN_NAMES.get(page, 'Notes')}"]
    return "".join(f"{line}\n" for line in lines)


# File, the comments around what is written, what is written.
PLACES = (
    ("README.md", "<!-- units, by make exercises -->\n", "<!-- end of units -->\n", readme_table),
    ("_toc.yml", "  # units, by make exercises\n", "  # end of units\n", contents),
)


def with_units(text: str, begin: str, end: str, written: str) -> str:
    """Return a file's text with what stands between the two comments replaced.

    Raises:
        ValueError: if the text does not hold each comment once, in this order.
    """
    before, found, rest = text.partition(begin)
    old, found_end, after = rest.partition(end)
    if not (found and found_end) or begin in rest or end in before + after:
        raise ValueError(f"expected {begin.strip()!r} and then {end.strip()!r} once each")
    return before + begin + written + end + after


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Run one verb; the exit status is 1 if a file is out of date."""
    if arguments not in (["write"], ["check"]):
        print(__doc__, file=sys.stderr)
        return 2
    outdated = []
    for name, begin, end, make in PLACES:
        path = root / name
        text = path.read_text(encoding="utf-8")
        wanted = with_units(text, begin, end, make())
        if wanted != text and arguments == ["write"]:
            path.write_text(wanted, encoding="utf-8", newline="\n")
        elif wanted != text:
            outdated.append(f"{name}: not what src/transformer_course/common/units.py says; run `make exercises`")
    for line in outdated:
        print(line, file=sys.stderr)
    return 1 if outdated else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
