"""Run every solved notebook once and keep how long it takes: `python tools/running_times.py`.

Each runs in a kernel of its own, as nbgrader runs it, one after the other, with one thread of torch. Kept in
``benchmarks/results/running_times.json``: seconds of the clock and of the processor, start of the kernel included. The
page on the schedule makes its table of it.
"""

import datetime
import json
import os
import resource
import sys
import time

import nbclient
from exercise_harness import exercises
from nbformat import NotebookNode
from notebooks import ROOT
from tqdm import tqdm

RESULTS = ROOT / "benchmarks" / "results" / "running_times.json"


def processor_seconds() -> float:
    """Give the time that finished child processes spent on the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(notebook: NotebookNode) -> dict[str, float]:
    """Run a notebook, whose cells get their outputs, and return the two times."""
    start, before = time.perf_counter(), processor_seconds()
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT)}})
    client.execute(env={**os.environ, "OMP_NUM_THREADS": "1"})
    return {"clock": round(time.perf_counter() - start, 1), "processor": round(processor_seconds() - before, 1)}


def main() -> int:
    """Run all and write the file."""
    times = {exercise.unit: run(exercise.notebook.copy()) for exercise in tqdm(exercises(), disable=None)}
    content = {"measured": datetime.date.today().isoformat(), "cores": os.cpu_count(), "seconds": times}
    RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(times, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
