"""What a check can see in Jupyter it sees in the sandbox: answers whose values are right, and which lose points."""

import pytest
from exercise_harness import Exercise, known_answers
from sandbox_points import points_in_the_sandbox

# The matrix that must not be formed, the function that must not be called, the graph that is gone.
CASES = [
    ("05_softmax_jacobian", "softmax_vjp", "matrix_formed"),
    ("06_masking", "masked_softmax", "ready_made"),
    ("06_masking", "influence", "graph_not_kept"),
]


@pytest.mark.parametrize(("unit", "name", "stem"), CASES)
def test_the_same_points_in_the_sandbox_and_in_jupyter(unit, name, stem, tmp_path):
    exercise = Exercise(unit)
    (wrong,) = (answer for answer in known_answers(exercise) if answer.name == name and answer.path.stem == stem)
    full = sum(cell.metadata.nbgrader.points for cell in exercise.tests[name])
    answers = [exercise.solution(name), wrong.code]
    assert list(points_in_the_sandbox(exercise, name, answers, tmp_path)) == [full, wrong.result.score]
    assert wrong.result.score < full
