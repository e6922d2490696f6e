"""Run the chapters, the exercises' experiments and the tests that train on machines that this one imitates.

    python tools/machines.py                            all machines, all parts (an hour or two on two cores; resumable)
    python tools/machines.py --today                    the two whose turn it is, by the date, and the chapters alone
    python tools/machines.py --machines native rounding-1 --chapters 05 12

A machine is a handful of environment variables: `tools/imitated` rounds otherwise and shifts seeds, PyTorch's libraries
are told to use older instructions. What ran under the same code is not run again; it lies in ``_build/machines``.

A *failing cell* raised an error. A *note* is a claim of a page that came out otherwise (`claims.claim`). Exit status: 0
if there is neither.
"""

import argparse
import contextlib
import datetime
import functools
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import jupytext
import nbformat
from nbclient import NotebookClient
from notebooks import ROOT, source_path, units
from tqdm import tqdm

IMITATED = ROOT / "tools" / "imitated"
KEPT = ROOT / "_build" / "machines"
NOTE = "On this machine it came out otherwise"  # what `claims.claim` begins with
AVX2 = {"ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2"}
SSE4 = {"ATEN_CPU_CAPABILITY": "default", "MKL_ENABLE_INSTRUCTIONS": "SSE4_2", "ONEDNN_MAX_CPU_ISA": "SSE41"}
MACHINES = {
    "rounding-1": {"COURSE_ROUNDING": "1"},
    "rounding-2": {"COURSE_ROUNDING": "2"},
    "rounding-3": {"COURSE_ROUNDING": "3"},
    "rounding-4-two-threads": {"COURSE_ROUNDING": "4", "COURSE_THREADS": "2"},
    "two-threads": {"COURSE_THREADS": "2"},
    "avx2": AVX2,
    "sse4": SSE4,
    "avx2-rounding-5": {**AVX2, "MKL_CBWR": "COMPATIBLE", "COURSE_ROUNDING": "5"},
    "seeds-1000": {"COURSE_SEED_SHIFT": "1000"},
    "seeds-2000": {"COURSE_SEED_SHIFT": "2000"},
    "seeds-3000": {"COURSE_SEED_SHIFT": "3000"},
}
# Tests that train networks and say how it ends.
TRAINING_TESTS = ("tests/training", "experiments", "tests/test_language_training.py")


def environment(machine: str) -> dict[str, str]:
    """Return the environment of a program on a machine; `native` is this one as it is."""
    path = [str(IMITATED), *(str(ROOT / place) for place in ("src", ".", "book"))]
    rest = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    plain = {name: value for name, value in os.environ.items() if name != "CI"}  # claims become notes
    extra = {} if machine == "native" else MACHINES[machine]
    return {**plain, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join([*path, *rest]), **extra}


@functools.cache
def course_cells() -> ModuleType:
    """Load the extension of the book that knows on what a page depends."""
    spec = importlib.util.spec_from_file_location("course_cells", ROOT / "book" / "_ext" / "course_cells.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Job:
    """One part of the course: a chapter, a solved exercise, or the tests that train."""

    part: str
    path: Path | None = None

    def fingerprint(self) -> str:
        """Hash what the result depends on: the code, the letters of right choices, and the files that the code uses."""
        digest = hashlib.sha256((IMITATED / "sitecustomize.py").read_bytes())
        if self.path:
            code = "\n".join(cell.source for cell in self.notebook().cells if cell.cell_type == "code")
            letters = right_letters(self.path.read_text("utf-8")) if self.path.suffix == ".md" else {}
            right = [letter for _, letter in sorted(letters.items())]
            used = course_cells().used_files(code, self.path.parent, ROOT)
            digest.update(f"{code}{right}{used}".encode())
            return digest.hexdigest()
        places = [*(ROOT / tree for tree in ("src", "experiments")), *(ROOT / test for test in TRAINING_TESTS)]
        for path in sorted({path for place in places for path in [place, *place.rglob("*.py")] if path.is_file()}):
            digest.update(path.read_bytes())
        return digest.hexdigest()

    def notebook(self) -> nbformat.NotebookNode:
        """Read it as a notebook."""
        if self.path.suffix == ".md":
            return jupytext.read(self.path, fmt="md:myst")
        return nbformat.read(self.path, as_version=4)


def lines_of_cells(text: str) -> list[int]:
    """Give the line of a chapter at which each code cell begins."""
    return [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("```{code-cell}")]


def right_letters(text: str) -> dict[int, str]:
    """Give the line of the cell after each question, and the letter of the choice to which the page answers Yes."""
    cells, found = lines_of_cells(text), {}
    for quiz in re.finditer(r"^:::\{quiz\}\n.*?^:::$", text, re.MULTILINE | re.DOTALL):
        answers = re.findall(r"^: (Yes|Right)?", quiz[0], re.MULTILINE)
        if sum(map(bool, answers)) == 1:
            end = text.count("\n", 0, quiz.end()) + 1
            after = next(line for line in cells if line > end)
            found[after] = "abcdefgh"[[bool(answer) for answer in answers].index(True)]
    return found


def run_notebook(path: Path, job: Job) -> list[dict]:
    """Run all cells, also after one that fails, and return a row for each failure and each note."""
    notebook = job.notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    NotebookClient(
        notebook, timeout=1200, allow_errors=True, resources={"metadata": {"path": str(path.parent)}}
    ).execute(env=dict(os.environ))
    page = path.read_text("utf-8") if path.suffix == ".md" else ""
    lines, letters, rows = lines_of_cells(page), right_letters(page), []
    for number, cell in enumerate(cell for cell in notebook.cells if cell.cell_type == "code"):
        place = f"{path.name}:{lines[number]}" if page else f"{path.name}, {cell.get('id', number)}"
        expected = letters.get(lines[number]) if page else None
        printed = "".join(output.get("text", "") for output in cell.outputs).strip()
        if expected and printed[:1] != expected:
            rows.append(
                {"kind": "note", "place": place, "text": f"the answer is {printed[:20]!r}, the page says {expected}"}
            )
        for output in cell.outputs:
            if output.output_type == "error":
                rows.append({"kind": "fails", "place": place, "text": f"{output.ename}: {output.evalue}"[:400]})
            else:
                text = output.get("text", "") or output.get("data", {}).get("text/plain", "")
                rows += [
                    {"kind": "note", "place": place, "text": line.strip()[:400]}
                    for line in text.splitlines()
                    if line.startswith(NOTE)
                ]
    return rows


def run_tests() -> list[dict]:
    """Run the tests that train, and return a row for each that fails."""
    tests = [test for test in TRAINING_TESTS if (ROOT / test).exists()]
    # What a committed file says of seed 0 holds for seed 0, on any processor.
    without = "--ignore-glob=*/test_committed.py"
    command = [sys.executable, "-m", "pytest", "-q", "--maxfail=20", "-p", "no:cacheprovider", without, *tests]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)(.*)$", done.stdout, re.MULTILINE)
    if done.returncode and not failed:
        failed = [("pytest", done.stdout[-400:])]
    return [{"kind": "fails", "place": place, "text": text[:400]} for place, text in failed]


def run(machine: str, job: Job) -> dict:
    """Run a job on a machine, or return what is kept of an equal run."""
    of = f"{sorted(MACHINES.get(machine, {}).items())} {job.fingerprint()}"
    kept = KEPT / machine / f"{job.part}.json"
    with contextlib.suppress(OSError, ValueError, TypeError):  # a list: rows of a run that was interrupted
        if (before := json.loads(kept.read_text("utf-8")))["of"] == of:
            return before
    kept.parent.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    command = [sys.executable, __file__, "--one", str(kept), job.part, str(job.path or "")]
    done = subprocess.run(command, cwd=ROOT, env=environment(machine), capture_output=True, text=True, check=False)
    if done.returncode:
        rows = [{"kind": "fails", "place": job.part, "text": f"did not run: {done.stderr[-400:]}"}]
    else:
        rows = json.loads(kept.read_text("utf-8"))
    result = {"of": of, "seconds": round(time.perf_counter() - began), "rows": rows}
    kept.write_text(json.dumps(result, indent=1), "utf-8")
    return result


def table(results: dict[tuple[str, str], dict], machines: list[str], parts: list[str]) -> str:
    """Write failing cells and notes, machine by part; a dot is neither."""

    def entry(machine, part):
        kinds = [row["kind"] for row in results[machine, part]["rows"]]
        marks = [f"{kinds.count('fails')}!" * ("fails" in kinds), f"{kinds.count('note')}n" * ("note" in kinds)]
        return "".join(marks) or "."

    width = max(map(len, machines))
    head = " " * width + "".join(f"{part:>7}" for part in parts)
    return "\n".join([head, *(f"{m:<{width}}" + "".join(f"{entry(m, p):>7}" for p in parts) for m in machines)])


def of_the_day(day: int) -> list[str]:
    """Name the two machines whose turn it is on a day, given by its number."""
    names = list(MACHINES)
    return [names[(2 * day + i) % len(names)] for i in range(2)]


def jobs_of(chapters: list[str] | None, parts: list[str]) -> list[Job]:
    """List the jobs of the wanted units and parts: `03` is a chapter, `x03` its exercise."""
    wanted = [name for name in units() if not chapters or name[:2] in chapters]
    found = []
    if "chapters" in parts:
        for name in wanted:
            notes = sorted((ROOT / "book").glob(f"notes_{name[:2]}*.md"))
            found.append(Job(name[:2], ROOT / "book" / f"{name}.md"))
            found += [Job(path.stem.replace("notes_", "n"), path) for path in notes]
    if "exercises" in parts:
        found += [Job(f"x{name[:2]}", source_path(name)) for name in wanted]
    if "tests" in parts:
        found.append(Job("tests"))
    return found


def main() -> int:
    """Run what is asked for, print the table and every failure and note."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machines", nargs="+", choices=["native", *MACHINES], default=list(MACHINES), metavar="NAME")
    parser.add_argument("--chapters", nargs="+", metavar="NN")
    parser.add_argument("--parts", nargs="+", choices=["chapters", "exercises", "tests"])
    parser.add_argument("--today", action="store_true", help="two machines by the date, the chapters alone")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        out, part, path = options.one
        rows = run_notebook(Path(path), Job(part, Path(path))) if path else run_tests()
        Path(out).write_text(json.dumps(rows), "utf-8")
        return 0
    machines = options.machines
    if options.today:
        machines = of_the_day(datetime.date.today().toordinal())
    default = ["chapters"] if options.today or options.chapters else ["chapters", "exercises", "tests"]
    jobs = jobs_of(options.chapters, options.parts or default)
    pairs = [(machine, job) for machine in machines for job in jobs]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    results = {}
    with tqdm(total=len(pairs), disable=None) as bar:
        for threads in (1, 2):  # threads of two programs on one core would wait for each other
            those = [pair for pair in pairs if threads == int(MACHINES.get(pair[0], {}).get("COURSE_THREADS", 1))]
            with ThreadPoolExecutor(max(1, cores // threads)) as pool:
                for (machine, job), result in zip(those, pool.map(lambda pair: run(*pair), those), strict=True):
                    results[machine, job.part] = result
                    bar.update()
    print(table(results, machines, [job.part for job in jobs]))
    rows = [(machine, row) for (machine, _), result in results.items() for row in result["rows"]]
    for machine, row in rows:
        print(f"{machine}: {row['place']} {row['kind']}: {row['text']}")
    fails = sum(row["kind"] == "fails" for _, row in rows)
    print(f"{len(machines)} machines, {len(jobs)} parts: {fails} failing cells, {len(rows) - fails} notes")
    return 1 if rows else 0


if __name__ == "__main__":
    sys.exit(main())
