"""The files for a public forge, for Binder, Colab, the dev container and a citation agree with the rest."""

import json
import os
import re
import subprocess
import sys
import tomllib

import make
import requirements
import yaml
from notebooks import ROOT
from packaging.specifiers import SpecifierSet

from course_checks import progress

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MAKEFILE = make.Makefile((ROOT / "Makefile").read_text(encoding="utf-8"), {}, ROOT)
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8"))
STEPS = [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]
CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
SETUP = (ROOT / "book" / "setup.md").read_text(encoding="utf-8")
# What exercises import of requirements.txt and Colab brings; it was not looked at from here.
ON_COLAB = {"torch", "numpy", "matplotlib", "safetensors", "scikit_learn", "sklearn", "tokenizers", "tqdm"}
IMPORTS = """
import json, sys
refused = set(sys.argv[1].split())
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in refused:
            raise ModuleNotFoundError(f"{name} is not on Colab")
sys.meta_path.insert(0, Refuse())
for path in sys.argv[2:]:
    cells = json.load(open(path, encoding="utf-8"))["cells"]
    exec("".join(next(cell["source"] for cell in cells if cell["cell_type"] == "code")), {})
    print("PATH", path)
"""


def test_the_steps_of_the_workflow_are_commands_of_the_makefile_on_three_systems():
    lines = [step["run"] for step in STEPS if "run" in step]
    commands = [match[1] for line in lines if (match := re.fullmatch(r"python tools/make\.py ([a-z]+)", line))]
    assert commands == ["lint", "check", "book"]
    assert set(commands) <= set(MAKEFILE.rules)
    others = [line for line in lines if "tools/make.py" not in line]
    assert others == ["sudo .ci/system_packages"]
    systems = WORKFLOW["jobs"]["check"]["strategy"]["matrix"]["system"]
    assert [name.partition("-")[0] for name in systems] == ["ubuntu", "macos", "windows"]
    assert MAKEFILE.expand("_build/html") in [step.get("with", {}).get("path") for step in STEPS]


def test_the_template_for_github_classroom_asks_for_each_task_of_its_exercise():
    workflow = yaml.safe_load((ROOT / "docs" / "examples" / "classroom" / "classroom.yml").read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    graders = [step for step in job["steps"] if "command" in step.get("with", {})]
    exercise = "04_scaled_dot_product_attention"
    rows = [
        row for row in progress.read(ROOT / "exercises" / exercise / f"{exercise}.ipynb") if row.points and row.tests
    ]
    assert [step["with"]["max-score"] for step in graders] == [row.points for row in rows]
    for step, row in zip(graders, rows, strict=True):
        command = f"python -m course_checks progress 04 --folder . --task {row.number}"
        assert (step["id"], step["with"]["command"]) == (f"task-{row.number}", command)
    reporter = job["steps"][-1]
    assert reporter["with"]["runners"].split(",") == [step["id"] for step in graders]
    assert [f"{step['id'].upper()}_RESULTS" for step in graders] == list(reporter["env"])


def test_what_the_dev_container_calls_is_there():
    assert os.access(ROOT / CONTAINER["onCreateCommand"], os.X_OK)
    program, command = CONTAINER["postCreateCommand"].split()
    assert program == "make"
    assert MAKEFILE.rules[command].recipe


def test_every_place_takes_a_python_that_the_course_allows():
    (binder,) = re.findall(r"python-(\S+)", (ROOT / ".binder" / "runtime.txt").read_text(encoding="utf-8"))
    (container,) = re.findall(r"python:([\d.]+)", CONTAINER["image"])
    forge = {step["with"]["python-version"] for step in STEPS if "python-version" in step.get("with", {})}
    allowed = SpecifierSet(PROJECT["requires-python"])
    assert forge == {"3.11"}
    assert all(allowed.contains(version) for version in (binder, container, *forge))


def test_binder_installs_the_list_of_everybody():
    path = ROOT / ".binder" / "requirements.txt"
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert lines == ["-r ../requirements.txt"]
    assert requirements.read((path.parent / lines[0].removeprefix("-r ")).resolve())


def test_an_exercise_imports_nothing_that_colab_lacks():
    names = {"IPython", "jupyter", "jupyterlab", "mdit_py_plugins", "mini_racer", "myst_nb", "sklearn", "sphinx"}
    (installed,) = re.findall(r"^%pip install (\w+)$", SETUP, flags=re.MULTILINE)
    names |= {need.name.replace("-", "_") for need in requirements.read(ROOT / "requirements.txt")}
    paths = sorted(map(str, ROOT.glob("exercises/*/*.ipynb")))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", IMPORTS, " ".join(names - ON_COLAB - {installed}), *paths]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert re.findall(r"^PATH (.*)$", done.stdout, flags=re.MULTILINE) == paths, done.stderr


def test_version_and_authors_are_the_same_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    book = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
    assert citation["version"] == PROJECT["version"] == newest
    assert citation["title"] == book["title"]
    assert [author["name"] for author in citation["authors"]] == [book["author"]]
    address = book["repository"]["url"]
    assert citation.get("repository-code", "") == address, "CITATION.cff and _config.yml name one address, or none"
