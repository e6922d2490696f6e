"""Every exercise against known answers: right ones get full marks, wrong ones less and a reason, stubs nothing."""

from itertools import combinations

import pytest
from exercise_harness import SHOWS_THE_SAME, exercises, known_answers
from notebooks import role_of

from transformer_course.common.seeding import seed_everything

EXERCISES = exercises()
ANSWERS = [answer for exercise in EXERCISES for answer in known_answers(exercise)]
RIGHT = [answer for answer in ANSWERS if answer.right]
WRONG = [answer for answer in ANSWERS if not answer.right]
NAMES = [(exercise, name) for exercise in EXERCISES for name in exercise.names]


def label(value) -> str:
    """Name a test case after the unit, the name and the file."""
    if hasattr(value, "path"):
        return f"{value.exercise.unit[:2]}-{value.name}-{value.path.stem}"
    return getattr(value, "unit", str(value))


def draws(answer) -> bool:
    """Say whether an answer draws numbers, or lets a layer with dropout draw them."""
    return "rand" in answer.code or "eval" in answer.path.stem or answer.path.stem == "train_mode"


@pytest.mark.parametrize("exercise", EXERCISES, ids=label)
def test_a_unit_has_a_hundred_points(exercise):
    points = [cell.metadata.nbgrader.points for cell in exercise.notebook.cells if role_of(cell) in ("test", "written")]
    assert sum(points) == 100


@pytest.mark.parametrize(("exercise", "name"), NAMES, ids=label)
def test_the_reference_solution_gets_full_marks_and_the_stub_nothing(exercise, name):
    assert exercise.grade(name, exercise.solution(name)).messages.strip() == ""
    stub = exercise.grade(name, exercise.stub(name))
    assert stub.score == 0
    assert not stub.full


@pytest.mark.parametrize("answer", RIGHT, ids=label)
def test_an_unusual_right_answer_gets_full_marks(answer):
    assert answer.result.full, answer.result.messages


@pytest.mark.parametrize("answer", WRONG, ids=label)
def test_a_wrong_answer_gets_less_and_is_told_why(answer):
    assert answer.belief.endswith("."), f"{answer.path}: expected a sentence on the misconception"
    assert answer.says, f"{answer.path}: expected SAYS, the words that the message must hold"
    assert not answer.result.full
    if any(outcome.points for outcome in answer.result.outcomes):
        assert answer.result.score < sum(outcome.points for outcome in answer.result.outcomes)
    assert answer.says.lower() in answer.result.messages.lower()


@pytest.mark.parametrize("answer", [answer for answer in WRONG if answer.path.stem != "stub"], ids=label)
def test_a_message_says_what_was_observed_expected_likely_and_to_try(answer):
    # A wrong prediction is not diagnosed: the measurement is the experiment that follows.
    if answer.name != "predictions":
        for part in ("observed:", "expected:", "likely cause:", "try:"):
            assert part in answer.result.message


@pytest.mark.parametrize("answer", [answer for answer in WRONG if draws(answer)], ids=label)
def test_luck_changes_neither_points_nor_message(answer):
    first, again = (answer.exercise.grade(answer.name, answer.code) for seed in (1, 2) if seed_everything(seed))
    assert (first.score, first.messages) == (again.score, again.messages)


@pytest.mark.parametrize("exercise", EXERCISES, ids=label)
def test_two_mistakes_get_two_messages_or_one_that_says_so(exercise):
    wrong = [answer for answer in WRONG if answer.exercise is exercise]
    alike = [
        (one.path.stem, other.path.stem)
        for one, other in combinations(wrong, 2)
        if one.name == other.name
        and one.result.messages == other.result.messages
        and SHOWS_THE_SAME not in one.result.messages
        and not (one.same_as == other.path.stem or other.same_as == one.path.stem)
    ]
    assert alike == []


@pytest.mark.parametrize(("exercise", "name"), NAMES, ids=label)
def test_each_name_has_known_answers(exercise, name):
    mine = [answer for answer in ANSWERS if answer.exercise is exercise and answer.name == name]
    wrong = [answer for answer in mine if not answer.right]
    solution = exercise.solution(name)
    if solution.startswith(("def ", "class ")) and any(cell.metadata.nbgrader.points for cell in exercise.tests[name]):
        assert len(wrong) >= 6
        assert len(mine) - len(wrong) >= 2
    else:
        assert len(wrong) >= 2


@pytest.mark.parametrize("exercise", EXERCISES, ids=label)
def test_every_test_cell_stands_alone(exercise):
    # grade() runs a test cell with the names of the locked and solution cells, and nothing that a test cell defined.
    graded = {name: {cell.id for cell in cells} for name, cells in exercise.tests.items()}
    assert set().union(*graded.values()) == {cell.id for cell in exercise.notebook.cells if role_of(cell) == "test"}
    assert set(graded) <= {cell.id for cell in exercise.notebook.cells if role_of(cell) == "solution"}
