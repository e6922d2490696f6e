"""The course folder as nbgrader sees it; with this file its own commands work as they are."""

from functools import partial
from importlib import import_module
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, GetGrades

from transformer_course.common.units import SLUGS, UNITS


class HideHiddenTests(ClearHiddenTests):
    """Leave hidden tests out of feedback: their source, and the lines of it that an error quotes."""

    def preprocess_cell(self, cell, resources, cell_index):
        hidden = self.begin_test_delimeter in cell.source
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if hidden:
            for output in cell.get("outputs", []):
                if output.output_type == "error":
                    output.traceback = [f"{output.ename}: {output.evalue}"]
        return cell, resources


c = get_config()  # noqa: F821 (nbgrader defines it)

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"

# A learner sees a clear failure, not an empty function.
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
c.ClearSolutions.text_stub = "*Your answer here.*"

# The whole of an exercise notebook takes less than a minute: a cell that needs longer is an endless loop.
c.Execute.timeout = 60

# nbgrader counts anything on stderr as a failure. A warning, or a print to stderr, must not cost points.
c.IgnorePattern.enabled = True
c.IgnorePattern.pattern = r"(?s).*"

# A test cell that a learner deleted comes back and is graded.
c.OverwriteCells.add_missing_cells = True

c.GenerateFeedback.preprocessors = [GetGrades, HideHiddenTests, CSSHTMLHeaderPreprocessor]

# What follows is for course-grader (book/grading_a_class.md); nbgrader itself does not read it.
# Modules that stand beside the units, with the last unit whose answers they hold or are built on; later ones use them.
BESIDE_THE_UNITS = {
    "interpret.recording": 12,
    "interpret.null_model": 12,
    "generation.cached_generation": 13,
    "published.pretrained": 18,
    "training": len(UNITS),
}


# Classes of torch that have a task's answer ready-made, beside the functions that its check does not allow.
LAYERS = [f"torch.nn.Transformer{part}" for part in ("", "Encoder", "Decoder", "EncoderLayer", "DecoderLayer")]
CLASSES = {
    "attention_entropy": ["torch.distributions.Categorical"],
    **dict.fromkeys(("Transformer", "LanguageModel", "MaskedLanguageModel", "VisionTransformer"), LAYERS),
    **dict.fromkeys(("CaptionModel", "CrossModalBlock", "ModernBlock"), LAYERS),
}


def assignments(unit):
    """Name the exercise of a unit and its private variants (`course-grader variant`); the same rules hold for them."""
    folder = Path(__file__).with_name("solutions")
    return [unit.name, *(path.name for path in folder.glob(f"{unit.name}-*") if path.is_dir())]


def refused(slug):
    """Name for each task all functions of torch that hold a word which its check does not allow, and some classes."""
    tasks = [each for each in vars(import_module(f"course_checks.{slug}")).values() if hasattr(each, "not_allowed")]
    patterns = {task.name: [f"torch.*{word}*" for word in task.not_allowed] for task in tasks if task.not_allowed}
    return {name: words + CLASSES.get(name, []) for name, words in patterns.items()}


c.CourseGrader.shared_packages = ["transformer_course"]
c.CourseGrader.arguments_may_change = False
# A notebook imports its checks, which run with the tests: in a submission they are there and do nothing.
c.CourseGrader.stand_ins = ["course_checks"]

# While a unit is graded, the library's own answer to it, whatever is built on that answer, and other people's packages
# that have an answer ready are not there.
c.CourseGrader.forbidden_modules = {
    assignment: [
        *(f"transformer_course.{name}" for name in SLUGS[unit.number - 1 :]),
        *(f"transformer_course.{name}" for name, last in BESIDE_THE_UNITS.items() if unit.number <= last),
        *unit.packages,
    ]
    for unit in UNITS
    for assignment in assignments(unit)
}

# What torch has ready-made for a task earns nothing in that task: the words stand at the checks, which refuse it in
# Jupyter, and are read there when the unit is graded.
c.CourseGrader.refused_functions = {name: partial(refused, unit.slug) for unit in UNITS for name in assignments(unit)}
c.CourseGrader.variants = "course_checks.variants.draw:variant"

# What a class decides for itself (late days, limits) stands in local_config.py, which git leaves alone. There a
# dictionary of above takes .update({...}); with = it would lose all other units.
load_subconfig(str(Path(__file__).with_name("local_config.py")))  # noqa: F821 (so does it this)
