"""What a check can see in Jupyter it sees in the sandbox: wrong answers of the checks, and a solution of each unit."""

import pytest
from answers import source_of
from exercise_harness import Exercise
from sandbox_points import points_in_the_sandbox

# The matrix that must not be formed, an answer of the wrong shape, one that is wrong in the gradient alone, classes.
CASES = [
    (
        "04_scaled_dot_product_attention",
        "softmax",
        [
            "exponentials.sum(dim=-1, keepdim=True) → exponentials.sum(dim=-2, keepdim=True)",
            "exponentials / total.masked_fill(total == 0, 1.0) → (exponentials / total).nan_to_num(0.0)",
        ],
    ),
    pytest.param(
        "05_softmax_jacobian",
        "softmax_vjp",
        [
            "return weights * (grad_weights - average) → jacobian = weights.diag_embed() - weights.unsqueeze(-1) * "
            "weights.unsqueeze(-2) return (jacobian @ grad_weights.unsqueeze(-1)).squeeze(-1)"
        ],
        marks=pytest.mark.exhaustive,
    ),
    (
        "07_multi_head_attention",
        "MultiHeadAttention",
        ["self.w_value(value) → value", "mixed)), weights → mixed)), weights.mean(1)"],
    ),
    pytest.param(
        "08_positional_encoding",
        "TransformerEmbedding",
        ["dropping rows", "padding trained"],
        marks=pytest.mark.exhaustive,
    ),
]


@pytest.mark.parametrize(("unit", "name", "which"), CASES)
def test_the_same_points_in_the_sandbox_and_in_jupyter(unit, name, which, tmp_path):
    exercise = Exercise(unit)
    wrong = [answer for answer in exercise.tasks[name].wrong if answer.name in which]
    sources = [exercise.solution(name), *(source_of(name, answer) for answer in wrong)]
    points = [exercise.grade(name, source).score for source in sources]
    assert len(wrong) == len(which)
    assert max(points[1:]) < points[0] == sum(cell.metadata.nbgrader.points for cell in exercise.tests[name])
    assert list(points_in_the_sandbox(exercise, name, sources, tmp_path)) == points
