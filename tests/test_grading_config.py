"""What the checks do not allow in Jupyter is refused in the sandbox too, where no check can look on."""

import importlib
import importlib.util

import pytest
from exercise_harness import exercises
from notebooks import ROOT
from traitlets.config import Config, PyFileConfigLoader

from course_grader.settings import CourseGrader

EXERCISES = {exercise.unit: exercise for exercise in exercises()}
CONFIG = PyFileConfigLoader("nbgrader_config.py", str(ROOT)).load_config().CourseGrader
SETTINGS = CourseGrader(config=Config(CourseGrader=CONFIG))
REFUSED = {unit: SETTINGS.of("refused_functions", unit) for unit in EXERCISES}


@pytest.mark.parametrize("unit", EXERCISES)
def test_the_same_functions_are_refused_in_jupyter_and_in_the_sandbox(unit):
    tasks = EXERCISES[unit].tasks.values()
    assert set(REFUSED[unit]) == {task.name for task in tasks if task.not_allowed}
    for task in tasks:
        assert {f"torch.*{word}*" for word in task.not_allowed} <= set(REFUSED[unit].get(task.name, ()))


def test_what_is_refused_of_some_tasks():
    softmax = set(REFUSED["04_scaled_dot_product_attention"]["softmax"])
    assert softmax >= {"torch.*softmax*", "torch.*softmin*", "torch.*scaled_dot_product*"}
    whole = {
        name for names in REFUSED.values() for name, words in names.items() if "torch.nn.TransformerDecoder" in words
    }
    blocks = {"CaptionModel", "CrossModalBlock", "ModernBlock"}
    assert whole == blocks | {"LanguageModel", "MaskedLanguageModel", "Transformer", "VisionTransformer"}
    assert "torch.distributions.Categorical" in REFUSED["12_inside_attention"]["attention_entropy"]
    assert REFUSED["18_modern_transformer"]["swiglu"] == ["torch.*glu*"]
    assert REFUSED["08_positional_encoding"] == {}
    assert SETTINGS.of("refused_functions", "another") == []


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
