"""A unit has one name and one room in every tree, and imports only lower units."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from exercise_harness import Exercise
from notebooks import ROOT
from traitlets.config import PyFileConfigLoader

from transformer_course.units import SLUGS, UNITS

SOURCE = ROOT / "src"
PACKAGE = SOURCE / "transformer_course"
CHECKS = {"checks": PACKAGE / "checks", "course_checks": SOURCE / "course_checks"}  # one of them, or both
ROOMS = ("book/{}.md", "solutions/{0}/{0}.ipynb", "exercises/{0}/{0}.ipynb")
NAMES = [unit.name for unit in UNITS]
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


def imported_by(tree: str) -> list[tuple[Path, str, str]]:
    """For each import in a tree: the file, the package, and the module or package in that."""
    split = [(path, *module.split("."), "") for path in sources(tree) for module in imported(path)]
    return [(path, package, inside) for path, package, inside, *_ in split]


@pytest.mark.parametrize("unit", UNITS, ids=NAMES)
def test_a_unit_has_every_room(unit):
    rooms = [*(room.format(unit.name) for room in ROOMS), f"src/transformer_course/{unit.slug}.py"]
    assert [room for room in rooms if not (ROOT / room).is_file()] == []
    assert list((ROOT / "tests").rglob(f"test_{unit.slug}*.py"))
    if not (CHECKS["course_checks"] / unit.slug).is_dir():
        assert (CHECKS["checks"] / f"{unit.slug}.py").is_file()


def test_a_room_in_a_numbered_tree_belongs_to_a_unit():
    chapters = {path.stem for path in (ROOT / "book").glob("[0-9][0-9]_*.md")}
    solutions, exercises = (
        {path.parent.name for path in (ROOT / tree).glob("*/*.ipynb")} for tree in ("solutions", "exercises")
    )
    assert set(NAMES) == chapters == solutions == exercises


@pytest.mark.parametrize("unit", UNITS, ids=NAMES)
def test_known_answers_are_to_what_the_exercise_grades(unit):
    # A folder with another name would never be read.
    folders = {path.name for path in (ROOT / "tests" / "mutants" / unit.slug).glob("*/")}
    assert folders <= set(Exercise(unit.name).names)


@pytest.mark.parametrize("unit", UNITS, ids=NAMES)
def test_a_unit_imports_only_common_and_lower_units(unit):
    later = SLUGS[unit.number :]
    for module in imported(PACKAGE / f"{unit.slug}.py"):
        package, _, inside = module.partition(".")
        if package == "transformer_course":
            assert inside.split(".")[0] not in (*ABOVE_UNITS, *later), f"{unit.slug} imports {module}"


def test_common_imports_no_unit():
    for path, package, inside in imported_by("src/transformer_course/common"):
        assert package != "transformer_course" or inside not in SLUGS, f"{path} imports {inside}"


def test_the_packages_import_nothing_from_outside_and_not_each_other():
    outside = {"book", "tests", "tools", "benchmarks", "experiments", *(path.stem for path in sources("tools"))}
    # The library knows neither the checks nor the grader; the grader knows no course.
    others = {
        "transformer_course": {"course_checks", "course_grader"},
        "course_checks": {"course_grader"},
        "course_grader": {"transformer_course", "course_checks"},
    }
    for name, kept_apart in others.items():
        for path, package, _ in imported_by(f"src/{name}"):
            assert package not in outside | kept_apart, f"{path} imports {package}"


@pytest.mark.parametrize("folder", CHECKS.values(), ids=CHECKS)
def test_checks_use_no_reference_of_the_library(folder):
    for path, package, inside in imported_by(folder.relative_to(ROOT).as_posix()):
        if package == "transformer_course":
            assert inside in ("", "checks", "common", "data", "units"), f"{path} imports {package}.{inside}"


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


@pytest.mark.parametrize("unit", NAMES)
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
