"""The tool that measures how far the checks can be trusted."""

import mutants
import pytest
import validity
from exercise_harness import exercises

SOURCE = '''
def shifted(x: "int | None", sign=-1):
    """Add 1."""
    if x.dim() < 2 or not x.flag:
        raise ValueError(f"x: expected {2 + 3}")
    return x.sum(dim=-1, keepdim=True) + 1
'''


def test_small_changes_of_a_program():
    changed = {words for words, _ in mutants.mutants(SOURCE)}
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
    assert any(words.endswith("the line is dropped") for words, _ in mutants.mutants("x.add_(1)"))
    assert not any("None" in words.split(":")[0] or "2 + 3" in words.split(":")[0] for words in changed)
    assert any(words.endswith("raise becomes pass") for words in changed)


def test_how_weights_start_is_left_to_the_learner():
    program = """
for table in tables:
    nn.init.zeros_(table)
for table in tables:
    nn.init.normal_(table.weight, std=0.02)
    table.used = True
rows = nn.Parameter(0.5 * torch.randn(side))
gain = nn.Parameter(torch.ones(side))
"""
    assert validity.without_start(program) == (
        "for table in tables:\n    table.used = True\n"
        "rows = nn.Parameter(torch.randn(side))\ngain = nn.Parameter(torch.ones(side))"
    )


def test_each_change_is_one_change_of_the_original():
    programs = [program for _, program in mutants.mutants(SOURCE)]
    for program in programs:
        compile(program, "<changed>", "exec")
    assert len(set(programs)) >= len(programs) - 2  # two changes may lead to the same program


def test_a_change_that_never_ends_is_stopped():
    def never_ends():
        while True:
            pass

    with pytest.raises(TimeoutError), validity.time_limit(0.2):
        never_ends()


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.unit)
def test_small_changes_of_a_solution_that_were_caught_still_are(exercise):
    """Forty of them, evenly spread; make validity tries all. What survives may change nothing that a task speaks of."""
    kept = set(mutants.record()["solutions"][exercise.unit]["survive"])
    changes = [(name, change) for name in exercise.names for change in validity.small_changes(exercise, name)]
    caught = [(name, change) for name, change in changes if f"{name}: {change[0]}" not in kept]
    tried = caught[:: max(1, len(caught) // 40)]
    alive = [
        f"{name}: {words}"
        for name in exercise.names
        for words in validity.survivors(exercise, name, [change for owner, change in tried if owner == name])
    ]
    assert alive == []
    assert len(tried) >= 40
