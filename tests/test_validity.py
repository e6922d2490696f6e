"""The tool that measures how far the checks can be trusted."""

import json
import time

import pytest
import validity
from exercise_harness import exercises, known_answers

SOURCE = '''
def shifted(x: "int | None", sign=-1):
    """Add 1."""
    if x.dim() < 2 or not x.flag:
        raise ValueError(f"x: expected {2 + 3}")
    return x.sum(dim=-1, keepdim=True) + 1
'''


def test_small_changes_of_a_program():
    changed = {words for words, _ in validity.mutants(SOURCE)}
    for words in (
        "`x.dim() < 2`: Lt becomes LtE",
        "`x.dim() < 2 or not x.flag`: Or becomes And",
        "`x.dim() < 2 or not x.flag`: condition 1 of Or is dropped",
        "`not x.flag`: Not is dropped",
        "`x.sum(dim=-1, keepdim=True) + 1`: Add becomes Sub",
        "`x.sum(dim=-1, keepdim=True)`: the argument keepdim is dropped",
        "`-1`: -1 becomes -2",
        "`1`: 1 becomes 2",
        "`True`: True becomes False",
    ):
        assert words in changed
    assert not any("None" in words.split(":")[0] or "2 + 3" in words.split(":")[0] for words in changed)
    assert any(words.endswith("raise becomes pass") for words in changed)


def test_each_change_is_one_change_of_the_original():
    programs = [program for _, program in validity.mutants(SOURCE)]
    for program in programs:
        compile(program, "<changed>", "exec")
    assert len(set(programs)) >= len(programs) - 2  # two changes may lead to the same program


@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.unit)
def test_changes_without_effect_have_a_reason_and_belong_to_a_name(exercise):
    for name, reasons in validity.equivalents(exercise).items():
        assert name in exercise.names
        words = {words for words, _ in validity.mutants(exercise.solution(name))}
        assert set(reasons) <= words
        assert all(len(reason) > 10 for reason in reasons.values())


def test_a_change_that_never_ends_is_stopped():
    with pytest.raises(TimeoutError), validity.time_limit(0.2):
        time.sleep(60)


@pytest.mark.slow
@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.unit)
def test_every_twelfth_small_change_is_caught(exercise):
    """All of them are tried by make validity."""
    found = []
    for name in exercise.names:
        known = validity.equivalents(exercise).get(name, {})
        programs = [program for program in validity.small_changes(exercise, name) if program[0] not in known]
        found += validity.survivors(exercise, name, programs[5::12])
    assert not found


@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.unit)
def test_the_kept_result_is_of_these_answers_and_good_enough(exercise):
    kept = json.loads(validity.RESULTS.read_text(encoding="utf-8"))[exercise.unit]["names"]
    assert list(kept) == exercise.names
    for name, found in kept.items():
        answers = [answer.path.stem for answer in known_answers(exercise) if answer.name == name]
        assert [row["answer"] for row in found["answers"]] == answers, (
            f"measure again: make validity unit={exercise.unit}"
        )
        assert found["changes"] == len(validity.small_changes(exercise, name))
        assert validity.caught(found) >= validity.WANTED
