"""What is imported is declared, what is declared is locked, and the package says what it needs."""

import ast
import re
import shutil
import subprocess
import sys
from email.parser import Parser
from importlib.metadata import packages_distributions

import jupytext
import pytest
import requirements
from notebooks import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

DECLARED = {
    name: {canonicalize_name(need.name) for need in requirements.read(ROOT / name)} for name in requirements.LISTS
}
EVERYBODY = DECLARED["requirements.txt"]


def parts() -> dict[str, set[str]]:
    """The packages of each extra of requirements.txt, and under "" those that everybody gets."""
    found, so_far, part = {}, set(), ""
    for line in (ROOT / "requirements.txt").read_text("utf8").splitlines():
        part = line[3:].partition("]")[0] if line.startswith("# [") else part
        if line and line[0] not in "#-":
            so_far = so_far | {canonicalize_name(Requirement(line.partition("#")[0]).name)}
        found[part] = so_far
    return found


PARTS = parts()
# What only those need who have published weights; the one module that uses it says so where it is missing.
WEIGHTS = DECLARED["requirements-weights.txt"]
# What readers and learners run, and what only contributors do.
TREES = {
    "src/transformer_course/**/*.py": PARTS["exercises"],
    "src/course_checks/**/*.py": PARTS[""],
    "src/course_grader/**/*.py": PARTS["grader"],
    "book/_ext/*.py": EVERYBODY,
    "book/drawings/*.py": EVERYBODY,
    "book/*.md": EVERYBODY,
    "solutions/*/*.ipynb": PARTS["exercises"] | {"triton"},  # a stretch task tries its kernel where Triton is there
    "nbgrader_config.py": EVERYBODY,
    **{
        f"{tree}/**/*.py": EVERYBODY | WEIGHTS | DECLARED["requirements-dev.txt"]
        for tree in ("tools", "tests", "benchmarks", "experiments")
    },
}
OURS = {"benchmarks", "drawings", "experiments", "tests", "grader_course"}
OURS |= {path.stem for tree in ("tools", "hub") for path in ROOT.glob(f"{tree}/*.py")}
OURS |= {path.parent.name for path in ROOT.glob("src/*/__init__.py")}


def programs(path) -> list[str]:
    """The Python in a file: all of it, or each cell of a page or a notebook."""
    if path.suffix == ".py":
        return [path.read_text(encoding="utf-8")]
    form = "md:myst" if path.suffix == ".md" else "ipynb"
    return [cell.source for cell in jupytext.read(path, fmt=form).cells if cell.cell_type == "code"]


def imported(program: str) -> set[str]:
    """The packages that a program imports, in whatever line."""
    found = set()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("tree", TREES)
def test_every_imported_package_is_declared(tree):
    origin, missing = packages_distributions(), {}
    paths = [path for path in ROOT.glob(tree) if not {"mutants", "cases"} & set(path.parts)]  # answers of learners
    assert paths
    for path in paths:
        for name in set().union(*map(imported, programs(path))) - OURS - set(sys.stdlib_module_names):
            if not {canonicalize_name(each) for each in origin.get(name, [name])} & TREES[tree]:
                missing.setdefault(name, path.relative_to(ROOT).as_posix())
    assert missing == {}


LOCK = requirements.read(ROOT / "requirements.lock")


def test_the_lock_has_one_version_of_each_package_and_names_no_build_and_no_place():
    assert all(re.fullmatch(r"==[0-9][0-9a-z.]*", str(each.specifier)) and not each.url for each in LOCK)
    names = [each.name for each in LOCK]
    assert names == sorted(set(names))


def test_the_lock_is_within_the_ranges_and_complete():
    locked = {each.name: each for each in LOCK}
    for need in requirements.requirements():
        (version,) = locked[canonicalize_name(need.name)].specifier
        assert need.specifier.contains(version.version), f"{need}: run make lock"
    # Those that only other systems need are there too.
    assert 'os_name == "nt"' in str(locked["pywinpty"].marker)
    assert 'sys_platform == "darwin"' in str(locked["appnope"].marker)
    assert len(LOCK) > 200


def test_the_package_says_what_it_needs_and_brings_its_command(tmp_path):
    for name in ("pyproject.toml", "setup.py", *DECLARED):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "src").mkdir()
    program = "from setuptools.build_meta import prepare_metadata_for_build_wheel as make; make('.')"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)
    (folder,) = tmp_path.glob("*.dist-info")
    needs = [
        Requirement(line) for line in Parser().parsestr((folder / "METADATA").read_text()).get_all("Requires-Dist")
    ]
    weights = DECLARED["requirements-weights.txt"]
    wanted = PARTS | {"weights": weights, "dev": EVERYBODY.union(*DECLARED.values())}
    assert set(PARTS) == {"", "exercises", "grader", "book"}
    for extra, names in wanted.items():
        marker = f'extra == "{extra}"' if extra else "None"
        found = {canonicalize_name(need.name) for need in needs if str(need.marker) == marker}
        assert found == names - (PARTS[""] if extra else set()), extra
    asked = {str(need).partition(";")[0].strip() for need in needs}
    assert asked >= {"jupyter-book<2,>=1.0.4", "soupsieve<3", "torch>=2.6"}
    assert "course-grader = course_grader.cli:main" in (folder / "entry_points.txt").read_text()


def test_a_learner_installs_eleven_packages():
    """Beside what these bring; without nbgrader, the grader's cluster, Sphinx and Jupyter Book."""
    assert len(PARTS["exercises"]) == 11
    assert not PARTS["exercises"] & {"nbgrader", "distributed", "sphinx", "jupyter-book", "mini-racer"}


def test_without_its_packages_the_grader_says_what_brings_them():
    program = (
        "import sys; sys.modules['nbgrader'] = None; from course_grader.cli import main; sys.exit(main(['doctor']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert "nbgrader" in done.stderr
    assert 'pip install ".[grader]" brings it' in done.stderr
    assert "Traceback" not in done.stderr
