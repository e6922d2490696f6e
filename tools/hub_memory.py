"""What one student costs: the memory of an idle server, and of the kernel of a solved notebook; run as root.

PYTHONPATH=hub:src python tools/hub_memory.py

Own memory is what every further student costs (anonymous pages); shared memory, the files of programs and libraries,
is there once for all. Both are read from the kernel's /proc/PID/smaps_rollup.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import install
from hub_machine import STUDENTS, why_not
from hub_trial import Trial
from hub_visitor import Visitor, processes
from notebooks import exercise_path, read, role_of, source_path, written_out

RESULT = install.CLONE / "benchmarks" / "results" / "hub.md"
UNITS = ("04_scaled_dot_product_attention",)
# For the sizes: what else runs on the machine, with room for the lecturer's grading (two workers).
REST_GIB = 8
RUNS_AN_HOUR = 20  # how often a student runs the whole of a notebook, or as much of it


@dataclass
class Memory:
    """MiB of a process."""

    own: float = 0
    shared: float = 0

    @classmethod
    def of(cls, process: int) -> "Memory":
        """Read it from the kernel."""
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8").splitlines()[1:]
        sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines}
        return cls(sizes["Anonymous"], sizes["Rss"] - sizes["Anonymous"])


def solved(unit: str) -> str:
    """What a student who solved everything has open."""
    notebook, solutions = read(exercise_path(unit)), {cell.id: cell.source for cell in read(source_path(unit)).cells}
    for cell in notebook.cells:
        if role_of(cell) in ("solution", "written"):
            cell.source = solutions[cell.id]
    return written_out(notebook)


def run_notebook(student: Visitor, unit: str) -> tuple[Memory, float]:
    """Run a solved notebook in the student's place; return the most that its kernel took, and its processor time."""
    path = student.home / f"{unit}.ipynb"
    path.write_text(solved(unit), encoding="utf-8")
    path.chmod(0o644)
    most, seconds = Memory(), 0.0
    command = ("python", "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done", path.name)
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(student.does, *command)
        while not done.done():
            most, seconds = look(student, most, seconds)
            time.sleep(0.2)
        done.result()
    return most, seconds


def look(student: Visitor, most: Memory, seconds: float) -> tuple[Memory, float]:
    """Return the larger of what is known and what the kernel of the student's notebook takes now."""
    for process in processes(student.name, "ipykernel_launcher"):
        try:
            now = Memory.of(process)
            fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except (OSError, KeyError):
            continue
        most = Memory(max(most.own, now.own), max(most.shared, now.shared))
        seconds = max(seconds, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return most, seconds


def report(server: Memory, kernels: dict[str, tuple[Memory, float]], hub: Memory) -> str:
    """Write the two tables."""
    names = " · ".join(f"{name} {version(name)}" for name in ("jupyterlab", "nbgrader", "torch"))
    lines = ["# What a student of the hub costs", "", f"date {time.strftime('%Y-%m-%d')} · {names}", ""]
    lines += ["| process | own memory, MiB | shared with others, MiB | processor time, s |", "|---|---|---|---|"]
    lines += [f"| hub and proxy | {hub.own:.0f} | {hub.shared:.0f} | |"]
    lines += [f"| one idle server | {server.own:.0f} | {server.shared:.0f} | |"]
    for unit, (memory, seconds) in kernels.items():
        lines += [
            f"| kernel of unit {unit[:2]}, solved and run | {memory.own:.0f} | {memory.shared:.0f} | {seconds:.0f} |"
        ]
    lines += ["", "| students at the same time | memory, GiB | cores |", "|---|---|---|"]
    for number in (30, 100, 300):
        each = server.own + max(memory.own for memory, _ in kernels.values())
        shared = hub.own + hub.shared + max(memory.shared for memory, _ in kernels.values())
        busy = RUNS_AN_HOUR * kernels[UNITS[0]][1] / 3600
        lines += [
            f"| {number} | {REST_GIB + (number * each + shared) / 1024:.0f} | {max(2, -(-number * busy // 1)):.0f} |"
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and write the result."""
    if reason := why_not():
        raise SystemExit(reason)
    with Trial() as hub:
        student = hub.sign_in(STUDENTS[0])
        time.sleep(5)
        server = Memory.of(student.server)
        ours = [Memory.of(process) for process in hub.processes()]
        kernels = {unit: run_notebook(student, unit) for unit in UNITS}
    RESULT.write_text(report(server, kernels, Memory(sum(m.own for m in ours), sum(m.shared for m in ours))), "utf-8")
    print(RESULT.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
