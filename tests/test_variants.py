"""Private variants: every bug that can be drawn is seen, every other prediction is measured, and the points stay."""

import contextlib
import io
import itertools
import json
import re

import pytest
import torch
from exercise_harness import MARKERS, Exercise
from notebooks import source_path

from course_checks import progress, variants
from course_checks.predictions import tendency
from course_checks.variants.draw import NoVariant, draws, place, pools, program, variant, with_bugs
from course_checks.words import CheckFailed
from transformer_course.common.units import UNITS

HUNTS = {unit.name: found.hunt for unit in UNITS if hasattr(found := pools(unit.slug), "hunt")}
QUESTIONS = {unit.name: found.questions for unit in UNITS if hasattr(found := pools(unit.slug), "questions")}
SEEDS = ("a long seed", "another long seed", "a third one")


def read(unit: str) -> dict:
    return json.loads(source_path(unit).read_text(encoding="utf-8"))


def cells_of(notebook: dict) -> dict[str, str]:
    """Give the texts of cells by their ids."""
    return {cell["metadata"].get("nbgrader", {}).get("grade_id") or cell["id"]: "".join(cell["source"])
            for cell in notebook["cells"]}  # fmt: skip


def fixed(exercise: Exercise) -> str:
    """Name what is to be fixed."""
    return next(cell.id for cell in exercise.notebook.cells if cell.id.startswith("task-fixed")).removeprefix("task-")


def number_of_bugs(exercise: Exercise) -> int:
    heading = next(cell.source for cell in exercise.notebook.cells if cell.id.startswith("task-fixed"))
    return variants.NUMBERS.index(re.search(r"Find the (\w+) bugs", heading)[1])


def form(value):
    """Give the kind of a result, and the shapes in it."""
    if isinstance(value, torch.Tensor):
        return tuple(value.shape), value.dtype
    return [form(each) for each in value] if isinstance(value, tuple) else type(value)


def seen(task, answer) -> bool:
    """Say whether a check sees that an answer is wrong; nothing may end in an error or have another shape."""
    differs = False
    for case in task.cases:
        outcome, expected = case.outcome(answer), task.expected(case)
        assert outcome.error is None or expected.error is not None or not case.needs_oracle, outcome.error
        differs = differs or not outcome.agrees(expected, case.within)
    return differs


@pytest.mark.parametrize("unit", HUNTS)
def test_whatever_bugs_are_drawn_the_check_sees_each_and_none_is_an_error(unit):
    exercise, hunt = Exercise(unit), HUNTS[unit]
    name, number = fixed(exercise), number_of_bugs(exercise)
    task, solution = exercise.tasks[name], exercise.solution(name)
    lines = program(solution)
    head = solution[: solution.index(lines[0].strip())].rstrip(" ")

    def with_these(bugs):
        names = exercise.namespace()
        exec(compile("\n".join([head, *with_bugs(lines, bugs)]), "<variant>", "exec"), names)
        return names[name]

    right = with_these(())
    assert not seen(task, right)
    for bug in hunt.bugs:  # alone, the check itself says that it is wrong, and results keep their form
        with contextlib.redirect_stdout(io.StringIO()), pytest.raises(CheckFailed):
            task.check(with_these([bug]))
        for case in task.cases:
            if case.needs_oracle:
                assert form(case.outcome(with_these([bug])).value) == form(task.expected(case).value), bug
    possible = list(draws(hunt, lines, number))
    assert len(possible) >= 12
    parts = {each for some in possible for k in range(2, number + 1) for each in itertools.combinations(some, k)}
    for some in parts:
        assert seen(task, with_these(some)), [bug.wrong for bug in some]


@pytest.mark.parametrize("unit", HUNTS)
def test_no_bug_is_one_of_the_public_program(unit):
    public = next(text for name, text in cells_of(read(unit)).items() if name.startswith("broken_"))
    lines = {line.partition("  #")[0].strip() for line in public.splitlines()}
    assert [bug.wrong for bug in HUNTS[unit].bugs if bug.wrong in lines] == []
    assert len({bug.wrong for bug in HUNTS[unit].bugs}) == len(HUNTS[unit].bugs)


@pytest.mark.parametrize("unit", sorted(HUNTS | QUESTIONS))
@pytest.mark.parametrize("seed", SEEDS)
def test_a_variant_has_the_points_of_its_table_and_right_answers_of_its_own(unit, seed, tmp_path):
    drawn = variant(read(unit), unit, seed)
    made, guessed = drawn.notebook, 4 * (unit in QUESTIONS)
    hunted = next(row.points for row in progress.read(source_path(unit)) if "find the" in row.title) / 2
    assert drawn.points == guessed + hunted * (unit in HUNTS), "each bug hunt gives half of its points for the lines"
    cells, public = cells_of(made), cells_of(read(unit))
    path = tmp_path / "variant.ipynb"
    path.write_text(json.dumps(made), encoding="utf-8")
    rows = progress.read(path)
    for row in rows:
        assert sum(row.tests.values()) + row.hidden + row.by_hand == pytest.approx(row.points), row.title
    assert sum(row.points for row in rows) == 100
    if unit in HUNTS:
        broken = next(name for name in cells if name.startswith("broken_"))
        numbers = {int(n): line.strip() for line, n in re.findall(r"^(.*?)  # (\d+)$", cells[broken], re.MULTILINE)}
        right = [line.strip() for line in program(cells[fixed(Exercise(unit))])]
        names: dict = {}
        exec(MARKERS.sub("", cells["wrong_lines"]), names)
        assert names["wrong_lines"] == [n for n, line in numbers.items() if line != right[n - 1]]
        assert len(numbers) == len(right)
        exec(cells["test-wrong_lines"], dict(names))
        exec(cells["test-wrong_lines-hidden"], dict(names))
        assert cells[broken] != public[broken]
        assert str(names["wrong_lines"]) not in cells["test-wrong_lines"], "a learner sees this cell"
    if unit in QUESTIONS:
        names = {}
        exec(MARKERS.sub("", cells["predictions"]), names)
        with contextlib.redirect_stdout(io.StringIO()):
            exec(cells["test-predictions"], names)
            exec(cells["test-predictions-measured"], names)
            exec(MARKERS.sub("", public["predictions"]), names)
            with pytest.raises(CheckFailed, match="a dictionary with the keys"):
                exec(cells["test-predictions-measured"], names)


@pytest.mark.parametrize("unit", QUESTIONS)
def test_the_cell_of_the_experiment_shows_what_is_measured(unit):
    """The oracle is what a learner sees: numbers that the solutions print, in words."""
    exercise, questions = Exercise(unit), QUESTIONS[unit]
    rows = "\n".join(each.shows for each in questions.pool)
    make = questions.experiment
    source = next(cell.source for cell in exercise.notebook.cells if cell.id == questions.cell)
    shown, names = make.replace("ROWS", rows) if isinstance(make, str) else make(source, rows), exercise.namespace()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        torch.manual_seed(0)
        exec(shown, names)
    words = questions.public.words
    for question in questions.pool:
        line = next(line for line in printed.getvalue().splitlines() if line.strip().startswith(question.key))
        rest = line.strip().removeprefix(question.key)
        numbers = [float(each.replace(",", "")) for each in re.findall(r"-?\d[\d,]*\.?\d*(?:e[+-]?\d+)?", rest)]
        if "all" in words:
            word = {0: "none", 3: "from 3 on", 6: "all"}[len(numbers)]
        elif "above 1" in words:
            word = "1" if numbers[-1] == 1 else "above 1" if numbers[-1] > 1 else "below 1"
        else:
            word = tendency(*numbers[-2:], tolerance=0.001 if unit[:2] in ("06", "07") else 0.1)  # counts are exact
        assert word == question.measure(), line
    assert len({each.measure() for each in questions.pool}) > 1


def test_a_seed_draws_one_variant_and_another_seed_another():
    source = read(UNITS[3].name)
    before = json.dumps(source)
    made = [variant(source, UNITS[3].name, seed).notebook for seed in (*SEEDS, SEEDS[0])]
    assert json.dumps(source) == before
    assert made[0] == made[3]
    assert made[0] != made[1] != made[2]


def test_other_cells_do_not_speak_of_the_public_bugs():
    made = variant(read(UNITS[0].name), UNITS[0].name, "seed").notebook
    for unit, hunt in HUNTS.items():
        for old, _ in hunt.elsewhere:
            assert any(old in text for text in cells_of(read(unit)).values())
    assert "with one of the bugs of task 8" not in cells_of(made)["written-loss"]


@pytest.mark.parametrize("lines", [None, [], [1], [1, 1], [0, 2], [2, 7], [1, 2, 3], "12", [1.0, 2], [..., ...]])
def test_wrong_lines_have_a_form(lines):
    with pytest.raises(CheckFailed, match="two different numbers from 1 to 6"):
        variants.check_lines(lines, 2, 6)


@pytest.mark.parametrize("lines", [None, [2], [2, 3], [2, 5, 6], [5, 5]])
def test_other_lines_than_the_wrong_ones_earn_nothing(lines, capsys):
    with pytest.raises(CheckFailed) as failed:
        variants.grade_lines(lines, [2, 5])
    assert "5" not in str(failed.value), "the message does not tell"
    variants.grade_lines([5, 2], [2, 5])
    assert "passed" in capsys.readouterr().out


def test_what_no_longer_fits_is_said():
    hunt = HUNTS[UNITS[3].name]
    with pytest.raises(NoVariant, match="found it 0 times"):
        place(hunt.bugs[0], ["return 1"])
    with pytest.raises(NoVariant, match="an exercise of the course"):
        variant(read(UNITS[3].name), "04_another", "seed")
