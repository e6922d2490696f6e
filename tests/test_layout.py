"""A unit has one name and one room in every tree, and imports only lower units."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from notebooks import ROOT, units
from traitlets.config import PyFileConfigLoader

from transformer_course.checks import UNITS

PACKAGE = ROOT / "src" / "transformer_course"
CHAPTERS = {path.stem for path in (ROOT / "book").glob("[0-9][0-9]_*.md")}
SOLUTIONS, EXERCISES = (
    {path.parent.name for path in (ROOT / tree).glob("*/*.ipynb")} for tree in ("solutions", "exercises")
)
NUMBERED = [f"{number:02d}_{slug}" for number, slug in enumerate(UNITS, start=1)]
MODULES = [slug for slug in UNITS if (PACKAGE / f"{slug}.py").exists() or (PACKAGE / slug).is_dir()]
# A unit may not import these; they may import units.
ABOVE_UNITS = ("data", "ladder", "training", "checks")


def sources(*trees: str) -> list[Path]:
    return sorted(path for tree in trees for path in (ROOT / tree).rglob("*.py") if "__pycache__" not in path.parts)


def imported(path: Path) -> set[str]:
    """Full names of the modules of ours that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_numbered_trees_use_the_names_of_the_units():
    assert set(NUMBERED) >= CHAPTERS | SOLUTIONS | EXERCISES


def test_a_unit_that_has_a_chapter_or_an_exercise_has_a_module():
    # A module may exist before its chapter and its exercise; these two may not exist before their module.
    assert {name[3:] for name in CHAPTERS | SOLUTIONS} <= set(MODULES)


def test_exercises_are_those_of_solutions():
    assert EXERCISES == SOLUTIONS == set(units())


@pytest.mark.parametrize("unit", sorted(SOLUTIONS))
def test_an_exercise_has_checks_and_known_answers(unit):
    assert (PACKAGE / "checks" / f"{unit[3:]}.py").exists()
    assert any((ROOT / "tests" / "mutants" / unit[3:]).rglob("*.py"))


@pytest.mark.parametrize("slug", MODULES)
def test_a_module_has_tests(slug):
    assert list((ROOT / "tests").rglob(f"test_{slug}*.py"))


@pytest.mark.parametrize("path", sources("tests/mutants"), ids=lambda path: "/".join(path.parts[-3:]))
def test_a_known_answer_belongs_to_a_unit(path):
    unit, name = path.relative_to(ROOT / "tests" / "mutants").parts[:2]
    assert unit in UNITS
    assert re.fullmatch(r"[A-Za-z]\w*", name)


@pytest.mark.parametrize("slug", MODULES)
def test_a_unit_imports_only_common_and_lower_units(slug):
    paths = [PACKAGE / f"{slug}.py"] if (PACKAGE / f"{slug}.py").exists() else sorted((PACKAGE / slug).rglob("*.py"))
    for path in paths:
        for module in imported(path):
            parts = module.split(".")
            if parts[0] == "transformer_course" and len(parts) > 1 and parts[1] != slug:
                assert parts[1] not in ABOVE_UNITS, f"{path.name} imports {module}"
                if parts[1] in UNITS:
                    assert UNITS.index(parts[1]) < UNITS.index(slug), f"{path.name} imports {module}"


def test_common_imports_no_unit_and_the_library_nothing_from_outside():
    outside = ("book", "tests", "tools", "exercise_harness", "notebooks", "benchmarks", "experiments")
    for path in sources("src"):
        for module in imported(path):
            parts = module.split(".")
            if path.is_relative_to(PACKAGE):
                assert parts[0] not in (*outside, "course_grader"), f"{path} imports {module}"
            if path.is_relative_to(PACKAGE / "common") and parts[0] == "transformer_course" and len(parts) > 1:
                assert parts[1] not in UNITS, f"{path} imports {module}"


def test_checks_use_no_reference_of_the_library():
    for path in sources("src/transformer_course/checks"):
        for module in imported(path):
            parts = module.split(".")
            if parts[0] == "transformer_course" and len(parts) > 1:
                assert parts[1] in ("checks", "common"), f"{path.name} imports {module}"


def test_right_answers_of_the_checks_are_out_of_reach_while_grading():
    oracles = {f"transformer_course.checks.{path.stem}" for path in (PACKAGE / "checks").glob("oracles*.py")}
    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    for unit, forbidden in config.CourseGrader.forbidden_modules.items():
        assert oracles <= set(forbidden), f"nbgrader_config.py, {unit}: name them in ORACLES"


def test_checks_can_be_loaded_where_their_right_answers_are_out_of_reach():
    # As in the grader's sandbox: a name that a check imports from its oracle is then a function, and no type.
    names = [f"transformer_course.checks.{path.stem}" for path in (PACKAGE / "checks").glob("[!_]*.py")]
    oracles = [name for name in names if ".oracles" in name]
    program = (
        "import importlib\n"
        "from course_grader.sandbox.imports import ImportGuard\n"
        f"ImportGuard({oracles}).install()\n"
        f"for name in {names}:\n"
        "    importlib.import_module(name)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_nothing_touches_the_import_path():
    word = "sys" + ".path"
    touching = [path for path in sources("src", "tests", "tools", "book") if word in path.read_text(encoding="utf-8")]
    assert [path for path in touching if "course_grader" not in path.parts and "grader" not in path.parts] == []


def test_solutions_are_not_in_the_book():
    assert "solutions/" not in (ROOT / "_toc.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("unit", sorted(EXERCISES))
def test_an_exercise_holds_no_solution_and_no_hidden_test(unit):
    text = (ROOT / "exercises" / unit / f"{unit}.ipynb").read_text(encoding="utf-8")
    for marker in ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS", "MARK SCHEME", "Rubric"):
        assert marker not in text
    assert "raise NotImplementedError" in text


@pytest.mark.parametrize(
    "path", [p for p in sources("tests") if p.name.startswith("test_")], ids=lambda path: path.stem
)
def test_every_test_asserts(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
            calls = {
                getattr(node.func, "attr", getattr(node.func, "id", ""))
                for node in ast.walk(function)
                if isinstance(node, ast.Call)
            }
            # A function whose name begins with assert, check, expect or require asserts for its test.
            helps = any(name.startswith(("assert", "check", "expect", "require", "raises", "fail")) for name in calls)
            asserts = any(isinstance(node, ast.Assert) for node in ast.walk(function))
            assert asserts or helps, f"{path.name}: {function.name} asserts nothing"


def test_no_command_of_make_is_taken_for_a_file_of_that_name():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = set(re.findall(r"^([a-z]+):.*##", makefile, flags=re.MULTILINE))
    phony = set(re.search(r"^\.PHONY: (.*)$", makefile, flags=re.MULTILINE)[1].split())
    assert {"book", "test", "experiments"} <= commands
    assert commands <= phony, f"not in .PHONY: {sorted(commands - phony)}"
