"""A unit has one name and one room in every tree, and imports only lower units."""

import ast
import re
from pathlib import Path

import pytest
from notebooks import ROOT

from course_checks.watching import HANDED_OUT
from experiments.__main__ import commands
from transformer_course.common.units import SLUGS, UNITS

SOURCE = ROOT / "src"
PACKAGE = SOURCE / "transformer_course"
CHECKS = SOURCE / "course_checks"
ROOMS = ("book/{}.md", "solutions/{0}/{0}.ipynb", "exercises/{0}/{0}.ipynb")
NAMES = [unit.name for unit in UNITS]
# A unit may not import these; they may import units.
ABOVE_UNITS = ("data", "training")


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
    assert (CHECKS / unit.slug / "__init__.py").is_file()
    assert (ROOT / "tests" / "right_answers" / f"{unit.slug}.py").is_file()


def test_a_room_in_a_numbered_tree_belongs_to_a_unit():
    chapters = {path.stem for path in (ROOT / "book").glob("[0-9][0-9]_*.md")}
    solutions, exercises = (  # without private variants, NAME-SUFFIX
        {path.parent.name for path in (ROOT / tree).glob("*/*.ipynb") if "-" not in path.parent.name}
        for tree in ("solutions", "exercises")
    )
    assert set(NAMES) == chapters == solutions == exercises


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


def test_the_library_shows_its_units_first():
    """Beside the units, whoever opens the package finds a few folders by subject."""
    entries = {path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"}
    beside = entries - {f"{slug}.py" for slug in SLUGS} - {"__init__.py", "__main__.py"}
    assert all((PACKAGE / name / "__init__.py").is_file() for name in beside), sorted(beside)
    assert len(entries) <= 26


def experiments() -> list[Path]:
    return [path for path in (ROOT / "experiments").iterdir() if path.is_dir() and path.name != "__pycache__"]


@pytest.mark.parametrize("folder", experiments(), ids=lambda folder: folder.name)
def test_an_experiment_has_all_its_parts_in_its_folder(folder):
    assert (folder / "__init__.py").is_file()
    if (folder / "run.py").is_file():
        assert (folder / "__main__.py").is_file()
        assert (folder / "results.json").is_file() or list(folder.glob("*.safetensors"))
        assert [f"experiments.{folder.name}"] in commands()


def test_an_experiment_runs_after_those_whose_results_it_reads():
    names = [module.removeprefix("experiments.") for module, *_ in commands()]
    for folder in experiments():
        for script in set(folder.glob("*.py")) - set(folder.glob("test_*.py")):
            for other in re.findall(r'committed\("(\w+)"\)', script.read_text(encoding="utf-8")):
                assert names.index(other) < names.index(folder.name), f"{folder.name}: AFTER lacks {other}"


def test_the_packages_import_nothing_from_outside_and_not_each_other():
    outside = {"book", "drawings", "tests", "tools", "benchmarks", "experiments"}
    outside |= {path.stem for path in sources("tools")}
    # The library knows neither the checks nor the grader; the grader knows no course.
    others = {
        "torch_watching": {"transformer_course", "course_checks", "course_grader"},
        "transformer_course": {"course_checks", "course_grader"},
        "course_checks": {"course_grader"},
        "course_grader": {"transformer_course", "course_checks"},
    }
    for name, kept_apart in others.items():
        for path, package, _ in imported_by(f"src/{name}"):
            assert package not in outside | kept_apart, f"{path} imports {package}"


def test_checks_use_no_reference_of_the_library():
    for path, package, inside in imported_by("src/course_checks"):
        if package == "transformer_course":
            # What a check hands to a learner's code may be a module of a lower unit.
            lower = SLUGS[: SLUGS.index(path.parent.name)] if path.stem in HANDED_OUT else ()
            assert inside in ("", "common", "data", *lower), f"{path} imports {package}.{inside}"
        elif package == "course_checks" and inside in SLUGS and path.parent.name in SLUGS:
            assert SLUGS.index(inside) <= SLUGS.index(path.parent.name), f"{path} imports the checks of a later unit"


def test_nothing_touches_the_import_path():
    word = "sys" + ".path"
    trees = ("src", "tests", "tools", "book", "experiments")
    touching = [path for path in sources(*trees) if word in path.read_text(encoding="utf-8")]
    runs_programs = SOURCE / "course_checks" / "cli" / "__init__.py"  # a file imports what lies beside it
    assert [path for path in touching if not {"course_grader", "grader"} & {*path.parts}] == [runs_programs]


def test_solutions_are_not_in_the_book():
    assert "solutions/" not in (ROOT / "_toc.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("unit", NAMES)
def test_an_exercise_holds_no_solution_and_no_hidden_test(unit):
    text = (ROOT / "exercises" / unit / f"{unit}.ipynb").read_text(encoding="utf-8")
    for marker in ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS", "MARK SCHEME", "Rubric"):
        assert marker not in text
    assert "raise NotImplementedError" in text


@pytest.mark.parametrize(
    "path", [p for p in sources("tests", "experiments") if p.name.startswith("test_")], ids=lambda path: path.stem
)
def test_every_test_asserts(path):
    functions = {
        node.name: node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    silent = [name for name in functions if name.startswith("test_") and not asserts(functions[name], functions)]
    assert silent == []


def asserts(function: ast.FunctionDef, others: dict[str, ast.FunctionDef]) -> bool:
    """Say whether a function asserts, or calls what does: by its name, or a function of the same file that asserts."""
    if any(isinstance(node, ast.Assert) for node in ast.walk(function)):
        return True
    called = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    names = {getattr(each, "attr", getattr(each, "id", "")) for each in called}
    if any(name.startswith("assert") or name in ("raises", "warns", "fail", "expect") for name in names):
        return True
    others = {name: each for name, each in others.items() if each is not function}
    return any(asserts(others[name], others) for name in names if name in others)


def test_no_command_of_make_is_taken_for_a_file_of_that_name():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = set(re.findall(r"^([a-z]+):.*##", makefile, flags=re.MULTILINE))
    phony = set(re.search(r"^\.PHONY: (.*)$", makefile, flags=re.MULTILINE)[1].split())
    assert {"book", "test", "experiments"} <= commands
    assert commands <= phony, f"not in .PHONY: {sorted(commands - phony)}"
