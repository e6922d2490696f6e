"""What the checks do not allow in Jupyter is refused in the sandbox too, where no check can look on."""

import importlib
import importlib.util

import pytest
from exercise_harness import exercises
from notebooks import ROOT
from traitlets.config.loader import PyFileConfigLoader

EXERCISES = {exercise.unit: exercise for exercise in exercises()}
CONFIG = PyFileConfigLoader("nbgrader_config.py", str(ROOT)).load_config().CourseGrader
REFUSED = CONFIG.refused_functions


@pytest.mark.parametrize("unit", EXERCISES)
def test_the_same_functions_are_refused_in_jupyter_and_in_the_sandbox(unit):
    # Beside the patterns a class may be named.
    patterns = {name: {each for each in names if "*" in each} for name, names in REFUSED.get(unit, {}).items()}
    tasks = EXERCISES[unit].tasks.values()
    assert patterns == {
        task.name: {f"torch.*{word}*" for word in task.not_allowed} for task in tasks if task.not_allowed
    }


@pytest.mark.parametrize("unit", REFUSED)
def test_each_name_without_a_pattern_exists(unit):
    for name in {name for names in REFUSED[unit].values() for name in names if "*" not in name}:
        module, _, kind = name.rpartition(".")
        assert isinstance(getattr(importlib.import_module(module), kind), type)


def test_each_module_of_ours_that_is_forbidden_exists():
    named = set().union(*CONFIG.forbidden_modules.values())
    ours = {name for name in named if name.startswith("transformer_course.")}
    assert len(ours) > len(EXERCISES)
    assert [name for name in sorted(ours) if importlib.util.find_spec(name) is None] == []
