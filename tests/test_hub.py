"""The hub of hub/ on this machine: real accounts, the whole round of an exercise, rights, limits, and a browser."""

import re
import stat
from pathlib import Path

import chromium
import pytest
from notebooks import exercise_path, read, role_of, source_path, written_out
from playwright.sync_api import expect, sync_playwright

machine = pytest.importorskip("hub_machine", reason="the hub makes accounts of Linux")
trial = pytest.importorskip("hub_trial", reason="the hub makes accounts of Linux")
REASON = machine.why_not()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.exhaustive,
    pytest.mark.xdist_group("hub"),
    pytest.mark.skipif(REASON is not None, reason=str(REASON)),
]
UNIT = "04_scaled_dot_product_attention"
NOTEBOOK = f"attention/{UNIT}/{UNIT}.ipynb"


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """One hub for all tests of this file."""
    with trial.Trial() as running:
        yield running


@pytest.fixture(scope="module")
def lecturer(hub):
    return hub.sign_in(machine.LECTURER)


@pytest.fixture(scope="module")
def amal(hub):
    return hub.sign_in(machine.STUDENTS[0])


@pytest.fixture(scope="module")
def boris(hub):
    return hub.sign_in(machine.STUDENTS[1])


@pytest.fixture(scope="module")
def solved() -> str:
    """What a student who solved everything hands in."""
    notebook, solutions = read(exercise_path(UNIT)), {cell.id: cell.source for cell in read(source_path(UNIT)).cells}
    for cell in notebook.cells:
        if role_of(cell) in ("solution", "written"):
            cell.source = solutions[cell.id]
    return written_out(notebook)


@pytest.fixture(scope="module")
def released(lecturer):
    lecturer.does("nbgrader", "generate_assignment", UNIT, "--force", folder="attention")
    lecturer.does("nbgrader", "release_assignment", UNIT, folder="attention")


@pytest.fixture(scope="module")
def submitted(released, amal, boris, solved):
    for student in (amal, boris):
        student.does("nbgrader", "fetch_assignment", UNIT)
    (amal.home / NOTEBOOK).write_text(solved, encoding="utf-8")  # into the file that amal owns
    for student in (amal, boris):
        student.does("nbgrader", "submit", UNIT)


@pytest.fixture(scope="module")
def graded(submitted, lecturer):
    """The lecturer's part of the round."""
    lecturer.does("nbgrader", "collect", UNIT, folder="attention")
    said = lecturer.does("course-grader", "grade", UNIT, folder="attention")
    lecturer.does("course-grader", "feedback", UNIT, folder="attention")
    lecturer.does("nbgrader", "release_feedback", UNIT, folder="attention")
    return said


def test_in_a_browser_a_student_signs_in_and_finds_the_unit(hub, released):
    path = chromium.find()
    if path is None:
        pytest.skip(chromium.MISSING)
    name = machine.STUDENTS[1]
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, args=chromium.arguments()) as it,
    ):
        page = it.new_page()
        page.goto(hub.address)
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill(hub.passwords[name])
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"**/user/{name}/lab**", timeout=60_000)
        page.get_by_role("menuitem", name="Nbgrader").click(timeout=60_000)
        expect(page.get_by_role("menuitem", name="Formgrader")).to_have_count(0)
        page.get_by_role("menuitem", name="Assignment List").click()
        expect(page.get_by_text(UNIT).first).to_be_visible(timeout=30_000)


def test_the_whole_round_from_release_to_feedback(graded, amal, boris):
    for student, points in ((amal, "94"), (boris, "0")):
        assert re.search(rf"{student.name} +graded +{points} ", graded), graded
        student.does("nbgrader", "fetch_feedback", UNIT)
        (page,) = (student.home / "attention" / UNIT / "feedback").rglob("*.html")
        assert re.search(rf"\b{points} (of|/) 100", page.read_text(encoding="utf-8"))


def test_accounts_are_made_once_and_only_for_students(hub, tmp_path):
    group, table = "nbgrader-attention", hub.folder / "class.csv"
    again = trial.make_users.make(trial.make_users.read_class(table), group, tmp_path / "passwords.csv")
    assert again == "0 made, 0 renamed, 2 there already; 0 given a password"
    assert not (tmp_path / "passwords.csv").exists()
    with pytest.raises(trial.make_users.Problem, match="not students of this course: daemon"):
        trial.make_users.make([trial.make_users.Student("daemon", "Daemon")], group, None)


def test_a_student_sees_neither_solutions_nor_what_others_handed_in(hub, graded, lecturer, amal, boris):
    inbound, feedback = (hub.exchange / "attention" / name for name in ("inbound", "feedback"))
    assert sorted(path.name.split("+")[0] for path in inbound.iterdir()) == sorted(machine.STUDENTS)
    closed = [
        inbound,
        feedback,
        lecturer.home,
        lecturer.home / "attention" / "solutions",
        amal.home,
        hub.folder / "state",
    ]
    for place in closed:
        assert place.is_dir()
        assert "Permission denied" in boris.run("ls", place).stderr, place
    for place in (lecturer.home / "attention" / "gradebook.db", hub.folder / "passwords.csv", amal.home / NOTEBOOK):
        assert place.is_file()
        assert "Permission denied" in boris.run("cat", place).stderr, place


def test_a_student_cannot_change_the_exchange(hub, submitted, boris):
    course = hub.exchange / "attention"
    for command in (["mv", course, f"{course}-away"], ["touch", course / "outbound" / UNIT / f"{UNIT}.ipynb"]):
        assert boris.run(*command).returncode != 0
    assert stat.S_IMODE(hub.exchange.stat().st_mode) == 0o1777


def test_only_the_lecturer_has_the_lecturers_tools(amal, lecturer):
    assert amal.page(f"/user/{amal.name}/formgrader")[0] == 404
    assert lecturer.page(f"/user/{lecturer.name}/formgrader")[0] == 200
    assert amal.page(f"/user/{lecturer.name}/lab")[0] == 403


def test_a_terminal_finds_the_commands(amal):
    assert amal.page(f"/user/{amal.name}/api/terminals", b"")[0] == 200
    (shell,) = machine.processes(amal.name, "/bin/bash")
    assert (
        Path(f"/proc/{shell}/cmdline").read_text(encoding="utf-8") == "/bin/bash\0"
    )  # a login shell would forget the path
    assert amal.run("which", "nbgrader").stdout.strip() == str(amal.hub.prefix / "env" / "bin" / "nbgrader")


def test_a_students_server_has_limits_that_nobody_raises(hub, amal, lecturer):
    soft, hard = amal.limits["Max address space"]
    assert soft == hard
    assert 3.2 * 2**30 < int(hard) < 8 * 2**30  # 3 GiB beside what PyTorch takes; tests/test_hub_limits.py
    assert amal.limits["Max processes"] == ["400", "400"]
    assert lecturer.limits["Max address space"] == ["unlimited"] * 2
    assert (amal.environment["CPU_LIMIT"], amal.environment["OMP_NUM_THREADS"]) == ("1.0", "1")
    assert "OMP_NUM_THREADS" not in lecturer.environment


def test_idle_servers_are_looked_for(hub):
    commands = [Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8") for process in hub.processes()]
    assert any("jupyterhub_idle_culler\0--timeout=1800" in command for command in commands)
