"""`tools/make.py` does what make does: GNU make is the oracle, and small scripts take the place of the programs."""

import os
import shutil
import subprocess
import sys

import make
import pytest
from notebooks import ROOT

TEXT = (ROOT / "Makefile").read_text(encoding="utf-8")
COMMANDS = [name for name, rule in make.Makefile(TEXT, {}, ROOT).rules.items() if rule.help]
FILES = (
    "requirements.txt",
    "requirements.lock",
    "requirements-dev.txt",
    "requirements-weights.txt",
    "requirements-models.txt",
)
# Writes down how it was called, and fails where it is told to.
STAND_IN = """#!/bin/sh
echo "$(basename "$0") $COURSE_HUB_TRIAL $PWD" >> calls
for word in "$@"; do echo "  [$word]" >> calls; done
case "$*" in $FAILS) exit 3;; esac
"""

needs_make = pytest.mark.skipif(
    shutil.which("make") is None or os.name == "nt", reason="there is no GNU make and no sh to compare with"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The Makefile in an empty course whose environment holds stand-ins for the programs."""
    for name in ("Makefile", "pyproject.toml", "setup.py", *FILES):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in (
        "python",
        "python3",
        "jupyter",
        "jupyter-book",
        "ruff",
        "check-jsonschema",
        "zizmor",
        "git",
        "pre-commit",
        "uv",
    ):
        path = tmp_path / ".venv" / "bin" / name
        path.write_text(STAND_IN)
        path.chmod(0o755)
    monkeypatch.setattr(make, "ROOT", tmp_path)
    monkeypatch.setenv("PYTHON", ".venv/bin/python3")
    monkeypatch.setenv("FAILS", "nothing")
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # these tests are started by make themselves
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def calls(folder) -> str:
    """What was called since the last time."""
    path = folder / "calls"
    text = path.read_text() if path.exists() else ""
    path.unlink(missing_ok=True)
    return text


def start_again(folder) -> None:
    for path in (folder / ".venv").glob(".installed*"):
        path.unlink()


def with_make(folder, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(["make", *words], cwd=folder, capture_output=True, text=True, check=False)


@needs_make
@pytest.mark.parametrize("words", [*([name] for name in COMMANDS), ["test", "unit=04"], ["benchmarks", "DEVICE=cuda"]])
def test_every_command_calls_what_make_calls(folder, words, capfd):
    made = with_make(folder, *words)
    wanted, wanted_output = calls(folder), made.stdout
    assert made.returncode == 0, made.stderr
    start_again(folder)
    assert make.main(words) == 0
    assert calls(folder) == wanted
    assert capfd.readouterr().out == wanted_output
    # Now everything is installed, and what is up to date is left out.
    again = with_make(folder, "-n", *words).stdout
    assert make.main(["-n", *words]) == 0
    assert capfd.readouterr().out == again
    assert "pip install" not in again.replace("pip install --upgrade", "")


@needs_make
def test_what_is_newer_is_installed_again(folder, capfd):
    assert make.main(["lint"]) == 0
    calls(folder)
    new = (folder / ".venv" / ".installed").stat().st_mtime + 10
    os.utime(folder / "requirements.lock", (new, new))
    wanted = with_make(folder, "-n", "lint").stdout
    assert wanted.count("pip install") == 2, "what is made from what is made again is made again"
    assert make.main(["-n", "lint"]) == 0
    assert capfd.readouterr().out.endswith(wanted)


@needs_make
def test_clean_removes_what_make_removes(folder):
    for name in ("_build/html", "runs", "_scratch", "book"):
        (folder / name).mkdir(parents=True)
    twin = folder.parent / "twin"
    shutil.copytree(folder, twin, symlinks=True)
    with_make(twin, "clean")
    assert make.main(["clean"]) == 0
    assert not (folder / "_build").exists()
    assert sorted(os.listdir(folder)) == sorted(os.listdir(twin))


@needs_make
def test_the_first_failure_ends_it_as_with_make(folder, monkeypatch, capfd):
    monkeypatch.setenv("FAILS", "check*")
    assert with_make(folder, "lint").returncode == 2
    wanted = calls(folder)
    start_again(folder)
    assert make.main(["lint"]) == 3
    assert calls(folder) == wanted
    assert "lint: exit code 3 of: ruff check ." in capfd.readouterr().err


def test_the_list_names_each_command_with_its_help():
    program = [sys.executable, ROOT / "tools" / "make.py"]
    listed = subprocess.run(program, cwd=ROOT.parent, capture_output=True, text=True, check=True).stdout
    assert [line.split()[0] for line in listed.splitlines()] == COMMANDS
    assert "book          Build the book and say where it is\n" in listed


@pytest.mark.parametrize("command", COMMANDS)
def test_on_windows_only_the_folder_of_the_programs_differs(monkeypatch, command):
    makefile = make.Makefile(TEXT, {}, ROOT)
    monkeypatch.setattr(make, "WINDOWS", True)
    there = make.Makefile(TEXT, {}, ROOT)
    lines, on_windows = ([each.expand(line, "x") for line in each.rules[command].recipe] for each in (makefile, there))
    assert [line.replace(".venv/Scripts", ".venv/bin") for line in on_windows] == lines
    assert all(make.split(line) for line in on_windows), "no line needs a shell"
    assert there.expand("$(BIN)/python") == ".venv/Scripts/python"


@pytest.mark.parametrize("line", ["a | b", "a > b", "a && b", "a; b", "a `b`", "cd x&&a", "a \\"])
def test_a_line_that_needs_a_shell_is_refused(line):
    with pytest.raises(make.MakeError, match="only a shell"):
        make.split(line)


def test_what_it_cannot_read_is_refused_with_its_line(folder, capfd):
    for text, message in [
        ("x: ## y\n\techo $(shell date)\n", "cannot read $(shell date)"),
        ("include other.mk\n", "cannot read 'include other.mk'"),
        ("x: y ## z\n\techo\n", "there is no command 'y'"),
        ("x: ## z\n\tno-such-program\n", "there is no program 'no-such-program'"),
    ]:
        (folder / "Makefile").write_text(text)
        assert make.main(["x"]) == 2
        assert message in capfd.readouterr().err
