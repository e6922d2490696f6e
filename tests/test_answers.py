"""Every task against answers: right ones get full marks, wrong ones lose points and are told why, stubs get nothing."""

import pytest
from answers import answers_in, generic_mistakes
from exercise_harness import exercises
from notebooks import ROOT, role_of

from course_checks.task import Edited

EXERCISES = exercises()
TASKS = [(exercise, task) for exercise in EXERCISES for task in exercise.tasks.values()]
PAIRS = 12  # tests of pairs of mistakes for each task; tools/validity.py tries all pairs
SHARE = 4  # wrong answers in one test


def shared(number) -> list:
    """Give each task its numbered tests: make test runs the first of each task, make check all of them."""
    return [
        pytest.param(exercise, task, share, marks=[pytest.mark.exhaustive] if share else [])
        for exercise, task in TASKS
        for share in range(number(task))
    ]


def label(value) -> str:
    """Name a test case after the unit, the task, and the answer."""
    if hasattr(value, "notebook"):
        return value.unit[:2]
    return getattr(value, "name", None) or getattr(value, "__name__", str(value))


def points(exercise, name) -> dict[str, float]:
    return {cell.id: cell.metadata.nbgrader.points for cell in exercise.tests[name]}


@pytest.mark.parametrize("exercise", EXERCISES, ids=label)
def test_a_unit_has_a_hundred_points(exercise):
    cells = [cell for cell in exercise.notebook.cells if role_of(cell) in ("test", "written")]
    assert sum(cell.metadata.nbgrader.points for cell in cells) == 100


@pytest.mark.parametrize("exercise", EXERCISES, ids=label)
def test_every_test_cell_belongs_to_a_task_and_stands_alone(exercise):
    assert set(exercise.tests) <= {cell.id for cell in exercise.notebook.cells if role_of(cell) == "solution"}
    assert set(exercise.tasks) <= set(exercise.tests)


@pytest.mark.parametrize(("exercise", "task"), TASKS, ids=label)
def test_the_mathematics_earns_the_points_and_green_is_done(exercise, task):
    found = points(exercise, task.name)
    assert found.get(f"test-{task.name}-limits", 0) <= 0.1 * sum(found.values())
    for requirement in task.requirements:
        assert requirement.visible, f"{requirement.passed}: hidden cases, and no visible one"


@pytest.mark.parametrize("exercise", EXERCISES, ids=label)
def test_the_reference_solution_gets_full_marks_and_the_stub_nothing(exercise):
    for name in exercise.names:
        assert exercise.grade(name, exercise.solution(name)).messages.strip() == "", name
        assert exercise.grade(name, exercise.stub(name)).score == 0, name


@pytest.mark.parametrize(("exercise", "task"), TASKS, ids=label)
def test_the_solution_without_an_edit_is_right(exercise, task):
    answer = task.run(task.program)
    for requirement in task.requirements:
        for case in (*requirement.visible, *requirement.hidden):
            outcome, right = case.outcome(answer), task.expected(case)
            assert outcome.agrees(right, case.within), f"{case.situation}: {outcome} for {right}"


@pytest.mark.parametrize(("exercise", "name", "answer"), answers_in("right_answers", EXERCISES), ids=label)
def test_an_unusual_right_answer_gets_full_marks(exercise, name, answer):
    assert exercise.grade(name, answer).messages.strip() == ""


@pytest.mark.parametrize(("exercise", "task", "share"), shared(lambda task: -(-len(task.wrong) // SHARE)), ids=label)
def test_a_wrong_answer_loses_points_and_is_told_its_mistake(exercise, task, share):
    faults, shares, has_points = [], -(-len(task.wrong) // SHARE), any(points(exercise, task.name).values())
    for wrong in task.wrong[share::shares]:
        result = exercise.grade_until_loss(task.name, wrong.function)
        if result.full or (has_points and not any(outcome.message and outcome.points for outcome in result.outcomes)):
            faults.append(f"{wrong.name}: not caught")
        elif wrong.words[0].cause not in result.message:
            faults.append(f"{wrong.name}: {result.message}")
    assert faults == []


@pytest.mark.parametrize(("exercise", "name", "answer"), answers_in("wrong_answers", EXERCISES), ids=label)
def test_a_mistake_is_named_in_a_program_that_no_check_holds(exercise, name, answer):
    """The checks name a mistake by running their own wrong answers, so those say nothing of how others are named."""
    message = " ".join(exercise.grade_until_loss(name, answer).message.split())
    assert any(words in message for words in answer.__doc__.split(" | ")), message


@pytest.mark.parametrize(("exercise", "task"), TASKS, ids=label)
def test_an_edit_makes_a_program_that_runs(exercise, task):
    """What is no program would find itself, and no learner's mistake."""
    cases = [*task.cases, *(task.limit_cases.visible if task.limit_cases else ())]
    for answer in (each for each in task.wrong if isinstance(each, Edited)):
        errors = (case.outcome(answer.function).error for case in cases)
        assert not all(isinstance(error, SyntaxError | NameError) for error in errors), answer.name


@pytest.mark.parametrize(("exercise", "task", "share"), shared(lambda task: PAIRS), ids=label)
def test_two_mistakes_lose_points(exercise, task, share):
    pairs = list(task.pairs())
    tried = pairs[:: max(1, len(pairs) // PAIRS)][share::PAIRS]
    assert [each.name for each in tried if exercise.passes(task.name, each.function)] == []


@pytest.mark.parametrize(("exercise", "task"), TASKS, ids=label)
def test_mistakes_that_every_task_knows(exercise, task):
    for name, answer, words in generic_mistakes(task):
        message = exercise.grade(task.name, answer).message
        assert any(each in message for each in words), f"{name}: {message or 'not caught'}"


@pytest.mark.parametrize("folder", ["right_answers", "wrong_answers"])
def test_answers_lie_where_they_are_found(folder):
    assert {path.stem for path in (ROOT / "tests" / folder).glob("*.py")} == {each.slug for each in EXERCISES}
