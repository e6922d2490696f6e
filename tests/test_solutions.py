"""Every solved notebook in a kernel of its own, as nbgrader runs it: no error, and within a minute."""

import pytest
from exercise_harness import exercises
from notebooks import role_of
from running_times import run


@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.unit)
@pytest.mark.filterwarnings("ignore")  # jupyter_client's, not ours
def test_a_solved_notebook_runs_from_top_to_bottom(exercise, record_property):
    notebook = exercise.notebook.copy()
    times = run(notebook)
    record_property("seconds", times)
    assert times["processor"] < 60  # of one thread; the clock depends on what else the machine does
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # For nbgrader an error or anything on stderr is no points, and a last value is partial credit.
            assert output.output_type != "error"
            assert not (output.output_type == "stream" and output.name == "stderr")
            assert not (role_of(cell) == "test" and output.output_type == "execute_result")
