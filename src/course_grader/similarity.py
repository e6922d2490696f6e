"""The command ``similarity``: which submissions have more code in common than separate work has.

A hint for a person, never a deduction. What each learner wrote (`own_code`) is cut into all its runs of `RUN` tokens,
and a pair is measured by the share of each one's runs that the other has too, in whatever order. Runs are the
fingerprints of winnowing (Schleimer, Wilkerson and Aiken 2003), by copydetect, with none left out: code of this length
needs no sample. `tools/similarity_rates.py` measures how often separate answers reach the threshold.
"""

import io
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import nbformat
from copydetect import CodeFingerprint, compare_files

from course_grader import notebooks
from course_grader.assignment import read_assignment
from course_grader.judge.submitted import assign
from course_grader.messages import ReleasedNotebook
from course_grader.own_code import Alphabet, OwnCode, own_code
from course_grader.settings import Course
from course_grader.submissions import find_students, read_submission

RUN = 8  # tokens in a row
THRESHOLD = 0.4  # the mean of the two shares from which on a pair is shown
SHORT = 30  # tokens of a solution; a task with fewer is left out, since its right answers are alike
LEAST = 60  # a submission with fewer own tokens is not compared
LONGEST = 40_000  # characters of one cell that are read
_BREAK = 0x100000  # a character between two cells: another one for each cell, so that no run goes across


class Work:
    """What one person wrote in an assignment.

    Args:
        name: the student, or the folder of the solutions.
        cells: the own code of each cell, by the id of the solution cell; the learner's further cells are ``"other"``.
    """

    def __init__(self, name: str, cells: dict[str, OwnCode]):
        self.name = name
        self.cells = cells
        self.starts: dict[str, int] = {}
        text = ""
        for number, (identifier, code) in enumerate(cells.items()):
            text += chr(_BREAK + number)
            self.starts[identifier] = len(text)
            text += code.symbols
        self.size = sum(len(code.symbols) for code in cells.values())
        self.fingerprint = CodeFingerprint(name, RUN, 1, filter=False, fp=io.StringIO(text, newline=""))

    def places(self, slices) -> dict[str, list[tuple[int, int]]]:
        """Return where slices of the whole text stand, as ``(start, end)`` in the source of each cell."""
        found: dict[str, list[tuple[int, int]]] = {identifier: [] for identifier in self.cells}
        for first, last in zip(*slices, strict=True) if len(slices) else ():
            for identifier, start in self.starts.items():
                inside = self.cells[identifier].spans[max(int(first) - start, 0) : max(int(last) - start, 0)]
                if inside:
                    found[identifier].append((inside[0][0], inside[-1][1]))
        return found


@dataclass
class Pair:
    """Two works.

    Args:
        one: the first.
        other: the second.
        shares: of each one's own runs, how many the other has too.
    """

    one: Work
    other: Work
    shares: tuple[float, float]

    @property
    def score(self) -> float:
        """The mean of the two shares."""
        return sum(self.shares) / 2

    def common(self) -> list[dict[str, list[tuple[int, int]]]]:
        """Return for each side where its common code stands, as ``(start, end)`` in the source of a cell."""
        _, _, slices = compare_files(self.one.fingerprint, self.other.fingerprint)
        return [work.places(found) for work, found in zip((self.one, self.other), slices, strict=True)]


def compare(one: Work, other: Work) -> Pair:
    """Compare two works."""
    mine, yours = one.fingerprint.hashes, other.fingerprint.hashes
    both = len(mine & yours)
    return Pair(one, other, (both / max(len(mine), 1), both / max(len(yours), 1)))


def similar_pairs(works: Sequence[Work], threshold: float = THRESHOLD) -> list[Pair]:
    """Return all pairs from the threshold on, most alike first; works that are too short are left out."""
    large = [work for work in works if work.size >= LEAST]
    pairs = (compare(one, other) for one, other in itertools.combinations(large, 2))
    found = [pair for pair in pairs if pair.score >= threshold]
    return sorted(found, key=lambda pair: (-pair.score, pair.one.name, pair.other.name))


def read_works(course: Course, assignment: str) -> tuple[list[Work], list[tuple[str, str]]]:
    """Read what everybody wrote, and the solutions.

    Returns:
        The works, and ``(student, sentence)`` on each that could not be read or is too short to be compared.

    Raises:
        AssignmentError: if there is no such assignment.
    """
    released = read_assignment(course, assignment).notebooks
    alphabet, works, left_out = Alphabet(), [], []
    sources = {
        name: nbformat.read(course.source(assignment) / f"{name}.ipynb", as_version=4).cells for name in released
    }
    solved = _own_cells(released, sources, alphabet)
    short = {identifier for identifier, code in solved.items() if len(code.symbols) < SHORT}

    def work_of(name: str, cells: dict[str, list]) -> Work:
        found = _own_cells(released, cells, alphabet)
        return Work(name, {identifier: code for identifier, code in found.items() if identifier not in short})

    works.append(work_of(f"{course.directory.source_directory}/", sources))
    for student in find_students(course, assignment):
        submission = read_submission(course, student, assignment)
        found, _, problems = assign(released, submission.notebooks) if not submission.problem else ({}, [], [])
        cells = {name: document["cells"] for name, document in found.items()}
        work = work_of(student, cells)
        if work.size < LEAST:
            reasons = [submission.problem, *problems, _too_little(work.size)]
            left_out.append((student, next(filter(None, reasons))))
        works.append(work)
    return works, left_out


def _too_little(size: int) -> str:
    """Say why a work cannot be compared; short tasks are not in its size."""
    if not size:
        return f"no answer to a task whose solution has {SHORT} tokens or more"
    return f"only {size} tokens of their own in the tasks whose solutions have {SHORT} or more; {LEAST} are needed"


def _own_cells(released: dict[str, ReleasedNotebook], submitted: dict[str, list], alphabet: Alphabet) -> dict:
    cells = {}
    for name, cells_of in submitted.items():
        everything = "\n".join(cell.visible for cell in released[name].cells if cell.type == "code")
        others = []
        for cell in notebooks.restore(released[name].cells, cells_of)[0]:
            if cell.type != "code" or len(cell.source) > LONGEST:
                continue
            if cell.kind == notebooks.SOLUTION and not notebooks.is_unchanged(cell):
                key = cell.id if len(released) == 1 else f"{name}/{cell.id}"
                cells[key] = own_code(cell.source, cell.released.visible, alphabet)
            elif cell.kind == notebooks.PLAIN:
                others.append(cell.source)
        if others:
            key = "other" if len(released) == 1 else f"{name}/other"
            cells[key] = own_code("\n\n".join(others)[:LONGEST], everything, alphabet)
    return {key: code for key, code in cells.items() if code.symbols}
