"""How far a learner has come: which tasks pass, the points so far, and the next task, from the notebooks themselves.

    python -m course_checks progress            every unit, a line for each
    python -m course_checks progress 04 07      the tasks of these units
    python -m course_checks progress --folder my_notebooks
    python -m course_checks progress 04 --task 3    exit code 1 unless this task is done, for a forge that grades

Nothing is sent anywhere and no file is written. Where the book is built, the last line is an address that puts ticks
into its map. A task that still says ``raise NotImplementedError`` is not run.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from course_checks.progress import DONE, FREE, TO_DO, WRITTEN, CannotRead, Row, measure, next_task
from transformer_course.common.units import UNITS, Unit

BOOK = Path("_build/html/book/index.html")  # where `make book` puts the page with the map


def lines(unit: Unit, rows: Sequence[Row]) -> list[str]:
    """Print the tasks of a unit, as text."""
    made = [f"{summary(unit, rows)}", ""]
    for row in rows:
        points = f"{row.earned:g} of {sum(row.tests.values()):g}" if row.points and row.tests else ""
        made.append(f"  {row.state:9}  {row.number:2}  {row.title:44.44}  {points}".rstrip())
        if row.said:
            made.append(f"{'':17}{row.said}")
    hidden, by_hand = sum(row.hidden for row in rows), sum(row.by_hand for row in rows)
    made += [
        "",
        f"  The checks that you see are worth {sum(sum(row.tests.values()) for row in rows):g} points. "
        f"Grading tries the same with other sizes and numbers, for {hidden:g}; a person gives {by_hand:g}.",
    ]
    missing = 100 - hidden - by_hand - sum(sum(row.tests.values()) for row in rows)
    if abs(missing) > 1e-6:
        made.append(f"  Cells worth {missing:g} points are missing in this copy; grading puts them back.")
    return made


def summary(unit: Unit, rows: Sequence[Row]) -> str:
    """Say in one line how far a unit is."""
    counting = [row for row in rows if row.counts]
    done = sum(row.state in (DONE, WRITTEN) for row in counting)
    earned, seen = sum(row.earned for row in rows), sum(sum(row.tests.values()) for row in rows)
    return f"{unit.label:34}  {done:2} of {len(counting):2} tasks  {earned:5g} of {seen:g} points"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how far the units are; exit code 2 where a notebook is missing or cannot be read, 1 as `--task` says."""
    parser = argparse.ArgumentParser("python -m course_checks progress", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("units", nargs="*", metavar="NN", help="numbers of units; without them all")
    parser.add_argument("--folder", type=Path, default=Path("exercises"), help="where the notebooks are (exercises/)")
    parser.add_argument("--task", type=int, metavar="N", help="of one unit; exit code 1 unless this task is done")
    options = parser.parse_args(arguments)
    wanted = {each.removeprefix("unit=").zfill(2) for each in options.units if each}
    strange = wanted - {f"{unit.number:02}" for unit in UNITS}
    if strange:
        parser.error(f"there is no unit {', '.join(sorted(strange))}; they are 01 to {len(UNITS):02}")
    if not options.folder.is_dir():
        parser.error(f"there is no folder {options.folder}; name it with --folder")
    if options.task is not None and len(wanted) != 1:
        parser.error("--task needs one unit")
    following, solved, problems = [], [], 0
    for unit in [each for each in UNITS if not wanted or f"{each.number:02}" in wanted]:
        path = options.folder / unit.name / f"{unit.name}.ipynb"
        path = path if path.is_file() or not (other := options.folder / path.name).is_file() else other
        try:
            rows = measure(path)
        except CannotRead as problem:
            problems += 1
            print(f"{unit.label:34}  {problem}", flush=True)
            continue
        if options.task is not None:
            return _one_task(rows, options.task)
        print("\n".join(lines(unit, rows)) + "\n" if wanted else summary(unit, rows), flush=True)
        begun = any(row.earned or row.state not in (TO_DO, FREE) for row in rows)
        if task := next_task(rows):
            following.append((not begun, unit, task))
        else:
            solved.append(f"{unit.number:02}")
    if following:
        _, unit, task = min(following, key=lambda each: each[0])
        print(f"next: unit {unit.label}, task {task.number}: {task.title} ({task.minutes} minutes)")
    elif not problems:
        print("next: nothing; every task with points is done")
    if solved and BOOK.is_file():
        print(f"ticks for the map of the course: {BOOK.resolve().as_uri()}#solved={','.join(solved)}")
    return 2 if problems else 0


def _one_task(rows: Sequence[Row], number: int) -> int:
    row = next((row for row in rows if row.number == number), None)
    print(f"task {number}: {'there is none' if row is None else f'{row.title}: {row.state}'}")
    if row is not None and row.said:
        print(row.said)
    return 0 if row is not None and row.state in (DONE, WRITTEN) else 1
