"""Every solved notebook in a kernel of its own, as nbgrader runs it: no error, and within a minute."""

import time

import nbclient
import pytest
from exercise_harness import exercises
from notebooks import ROOT, role_of


@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.unit)
@pytest.mark.filterwarnings("ignore")  # jupyter_client's, not ours
def test_a_solved_notebook_runs_from_top_to_bottom(exercise, record_property):
    notebook = exercise.notebook.copy()
    start = time.perf_counter()
    nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(ROOT)}}).execute()
    seconds = time.perf_counter() - start
    record_property("seconds", seconds)
    assert seconds < 60
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # For nbgrader an error or anything on stderr is no points, and a last value is partial credit.
            assert output.output_type != "error"
            assert not (output.output_type == "stream" and output.name == "stderr")
            assert not (role_of(cell) == "test" and output.output_type == "execute_result")
