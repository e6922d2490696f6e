"""Every solved notebook from top to bottom in a kernel, without an error; the times that are kept are below a minute.

The notebooks share a kernel, whose names are deleted between them: most of a run would be ``import torch``. Kernels of
their own, as nbgrader starts them, are for ``test_nbgrader.py``.
"""

import json
import os

import nbclient
import pytest
import running_times
from exercise_harness import exercises
from jupyter_client.manager import KernelManager
from notebooks import ROOT, role_of


@pytest.fixture(scope="module")
def kernel():
    """A kernel in the folder of the course, with one thread."""
    manager = KernelManager()
    manager.start_kernel(cwd=str(ROOT), env={**os.environ, "OMP_NUM_THREADS": "1"})
    yield manager
    manager.shutdown_kernel(now=True)


# One that stands alone, and one that takes answers of earlier units and trains a model.
SAMPLED = ("04", "10")
EXERCISES = [
    pytest.param(exercise, id=exercise.unit, marks=[] if exercise.unit[:2] in SAMPLED else [pytest.mark.exhaustive])
    for exercise in exercises()
]


@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.filterwarnings("ignore")  # jupyter_client's, not ours
def test_a_solved_notebook_runs_from_top_to_bottom(exercise, kernel):
    notebook = exercise.notebook.copy()
    client = nbclient.NotebookClient(notebook, km=kernel, timeout=300)
    client.start_new_kernel_client()
    try:
        client.kc.execute("%reset -f", silent=True)
        client.execute()
    finally:
        client.kc.stop_channels()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # For nbgrader an error or anything on stderr is no points, and a last value is partial credit.
            assert output.output_type != "error"
            assert not (output.output_type == "stream" and output.name == "stderr")
            assert not (role_of(cell) == "test" and output.output_type == "execute_result")


def test_a_solved_notebook_takes_less_than_a_minute():
    """Kept by `python tools/running_times.py`, which says on what machine: here another may be at work, or too much."""
    kept = json.loads(running_times.RESULTS.read_text(encoding="utf-8"))["seconds"]
    assert set(kept) == {exercise.unit for exercise in exercises()}
    assert {unit: each["processor"] for unit, each in kept.items() if each["processor"] >= 60} == {}
