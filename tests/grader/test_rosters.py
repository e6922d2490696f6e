"""Collecting and exporting with the tables that a platform or a spreadsheet wrote; no submission runs here."""

import csv
import json
import zipfile

import pytest
from grader_course import submission, submit
from traitlets.config.loader import PyFileConfigLoader

from course_grader import cli, export
from course_grader.assignment import read_assignment
from course_grader.gradebook import Merger
from course_grader.messages import NotebookResult, Result, Score
from course_grader.results import Results, record_of
from course_grader.settings import Course
from course_grader.submissions import read_submission

NOTEBOOK = json.dumps(submission())
EMPTY = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []})
NAMES = "student_id;name;mail\njmueller;Jörg Müller;joerg.mueller@uni.example\nasmith;Anna Smith;anna@uni.example\n"
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Last modified (submission)\n"
    'Participant 11,Jörg Müller,Joerg.Mueller@uni.example,-,,"Monday, 23 November 2026, 11:00 AM"\n'
    "Participant 12,Anna Smith,anna@uni.example,-,,-\n"
)


@pytest.fixture
def run(course, capsys):
    """Run a command in the course; return the exit code and what was printed."""

    def run_command(*arguments) -> tuple[int, str]:
        code = cli.main(["--course", str(course.root), *map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run_command


@pytest.fixture
def moodle(tmp_path):
    """A download of Moodle with two people."""
    path = tmp_path / "moodle.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for folder in ("Jörg Müller_11", "Anna Smith_12"):
            archive.writestr(f"{folder}_assignsubmission_file_/ps1.ipynb", NOTEBOOK)
    return path


@pytest.fixture
def names(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text(NAMES, encoding="utf-8")
    return path


def grade(course: Course, **scores: float | None) -> None:
    """Bring records into the gradebook as grading would: these points of 10, None for what could not be graded."""
    results, records = Results(course, "ps1"), []
    for student, score in scores.items():
        submit(course.root, student)
        result = Result(problems=["not a notebook"])
        if score is not None:
            points = {"test-double": 2.0, "test-mean": 3.0, "test-affine": 5.0}
            found = {name: Score(score / 10 * each, each) for name, each in points.items()}
            found["why"] = Score(0.0, 2.0)
            problems = ["one test was stopped"] if score == 5 else []
            result = Result({"ps1": NotebookResult(EMPTY, found, problems=problems)})
        records.append(record_of(student, "f", result, None, True))
        results.save(records[-1])
    merger = Merger(course, read_assignment(course, "ps1"), results)
    merger.merge(records)
    merger.close()


def column(path, name: str, delimiter: str = ",") -> list[str]:
    return [row[name] for row in csv.DictReader(path.read_text("utf-8-sig").splitlines(), delimiter=delimiter)]


def test_moodles_worksheet_finds_people_by_the_address_in_the_gradebook(course, run, moodle, names, tmp_path):
    assert run("collect", moodle, "ps1", "--names", names)[0] == 0
    grade(course, jmueller=9, asmith=8)
    roster, out = tmp_path / "roster.csv", tmp_path / "out.csv"
    roster.write_text(WORKSHEET)
    code, said = run("export", "ps1", "--format", "moodle", "--roster", roster, "-o", out)
    assert (code, column(out, "Grade")) == (0, ["9", "8"])
    assert "matched 2 of 2 rows of the roster: 2 by 'Email address'" in said


def test_a_table_of_names_finds_whom_the_gradebook_does_not_know_by_address(course, run, names, tmp_path):
    grade(course, jmueller=9, asmith=8)
    roster, out = tmp_path / "roster.csv", tmp_path / "out.csv"
    roster.write_text("Identifier,Full name,Grade\nParticipant 1,Jörg Müller,\nParticipant 2,Anna Smith,\n")
    arguments = ("export", "ps1", "--format", "moodle", "--roster", roster, "-o", out)
    code, said = run(*arguments)
    assert code == 2
    assert "matched 0 of 2 rows" in said
    assert "'Identifier', 'Full name'" in said
    assert "2 have a score that was NOT WRITTEN" in said
    code, said = run(*arguments, "--names", names)
    assert (code, column(out, "Grade")) == (0, ["9", "8"])
    assert "2 by 'Full name'" in said


def test_names_go_into_the_gradebook_also_from_one_column(course, run, moodle, names):
    run("collect", moodle, "ps1", "--names", names)
    with course.gradebook() as gradebook:
        student = gradebook.find_student("jmueller")
        assert (student.first_name, student.last_name) == ("Jörg", "Müller")
        assert student.email == "joerg.mueller@uni.example"


def test_a_table_with_semicolons_is_written_with_semicolons(course, run, tmp_path):
    grade(course, jmueller=9)
    roster, out = tmp_path / "roster.csv", tmp_path / "out.csv"
    roster.write_text("Username;ID number;Grade\njmueller;7;\n", encoding="utf-8-sig")
    assert run("export", "ps1", "--format", "moodle", "--roster", roster, "-o", out)[0] == 0
    assert out.read_text("utf-8").splitlines() == ["\ufeffUsername;ID number;Grade", "jmueller;7;9"]


def test_another_encoding_is_said_in_words(run, moodle, tmp_path):
    path = tmp_path / "names.csv"
    path.write_bytes(NAMES.encode("cp1252"))
    code, said = run("collect", moodle, "ps1", "--names", path)
    assert code == 1
    assert f"{path}: expected text in UTF-8, got the byte 0xf6 in line 2" in said
    assert "CSV UTF-8" in said


def test_canvas_column_is_found_by_its_name_or_named(course, run, tmp_path):
    grade(course, ada=9)
    roster, out = tmp_path / "roster.csv", tmp_path / "out.csv"
    rows = (
        "Student,ID,SIS Login ID,Section,{}\n    Points Possible,,,,10\n,,,,Manual Posting\n"
        '"Lovelace, Ada",1,ada,A,\n"Student, Test",2,abcdef,A,\n'
    )
    arguments = ("export", "ps1", "--format", "canvas", "--roster", roster, "-o", out)
    roster.write_text(rows.format("PS 1 (4711)"))
    code, said = run(*arguments)
    assert (code, column(out, "PS 1 (4711)")) == (0, ["10", "Manual Posting", "9", ""])
    assert "in the roster" not in said  # nobody is missing: two rows are no students
    assert "1 of 1 rows" in said

    roster.write_text(rows.format("First set (4711)"))
    code, said = run(*arguments)
    assert column(out, "ps1") == ["12", "", "9", ""]
    assert "no column 'ps1'" in said
    assert "'First set (4711)'" in said
    code, said = run(*arguments, "--column", "First set")
    assert (code, column(out, "First set (4711)")) == (0, ["10", "Manual Posting", "9", ""])
    code, said = run(*arguments, "--column", "Second set")
    assert code == 1
    assert "expected one of the roster's, got 'Second set'" in said


def test_export_names_who_was_not_or_half_graded(course, run, tmp_path):
    grade(course, ada=9, bob=5, eve=None)
    code, said = run("export", "ps1", "--format", "moodle", "-o", tmp_path / "out.csv")
    assert code == 0
    assert "1 could not be graded, and has no points until a person gives some: see the report: eve" in said
    assert "1 was graded in part, and what could not be tried counts 0: see the report: bob" in said
    assert "nobody has read" not in said


def test_what_a_person_decided_counts_as_decided_also_after_a_regrade(course, run, tmp_path):
    def said() -> str:
        return run("export", "ps1", "--format", "moodle", "-o", tmp_path / "out.csv")[1]

    grade(course, ada=9, bob=9, eve=None)
    with course.gradebook() as gradebook:
        for student in ("ada", "bob"):
            gradebook.find_grade("why", "ps1", "ps1", student).auto_score = None  # they wrote something
        gradebook.db.commit()
    assert "2 have a written answer that nobody has read: their scores are not final: ada, bob" in said()
    assert "1 could not be graded" in said()
    with course.gradebook() as gradebook:
        for student in ("ada", "eve"):
            gradebook.find_grade("why", "ps1", "ps1", student).manual_score = 1.5
        gradebook.db.commit()
    grade(course, ada=10, eve=None)  # nbgrader asks for a person again, as after every regrade
    assert "1 has a written answer that nobody has read: their scores are not final: bob" in said()
    assert "could not be graded" not in said()


def test_an_assignment_that_does_not_exist_is_refused(course, run, moodle, tmp_path):
    code, said = run("export", "ps11", "--format", "moodle", "-o", tmp_path / "out.csv")
    assert code == 1
    assert "found no notebook of it; did you mean ps1?" in said
    assert not (tmp_path / "out.csv").exists()
    code, said = run("collect", moodle, "ps11")
    assert code == 1
    assert "did you mean ps1?" in said
    assert not (course.root / "submitted").exists()


def test_new_students_of_a_download_without_names_are_a_warning(run, moodle, names):
    assert "warning" not in run("collect", moodle, "ps1", "--names", names)[1]
    code, said = run("collect", moodle, "ps1")
    assert code == 0
    assert "warning: 2 new, named as the download names them: Anna Smith, Jörg Müller" in said
    assert "--names" in said
    assert "warning" not in run("collect", moodle, "ps1")[1]  # they are known by now


def test_the_time_of_a_submission_stays_when_it_is_replaced(course, run, tmp_path):
    folder = submit(course.root, "ada")
    (folder / "timestamp.txt").write_text("2026-11-22 09:00 Europe/Zurich\n")
    loose = tmp_path / "loose"
    loose.mkdir()
    (loose / "ada.ipynb").write_text(NOTEBOOK)
    assert run("collect", loose, "ps1")[0] == 0  # the same notebook: a time is no difference
    (loose / "ada.ipynb").write_text("{}")
    code, said = run("collect", loose, "ps1", "--replace")
    assert code == 0
    assert "timestamp.txt was kept: '2026-11-22 09:00 Europe/Zurich' is the time of the submission before" in said
    assert read_submission(course, "ada", "ps1").timestamp == "2026-11-22T08:00:00"


def test_times_come_from_moodles_worksheet_and_never_from_a_student(course, run, moodle, names, tmp_path):
    with zipfile.ZipFile(moodle, "a") as archive:
        archive.writestr("Anna Smith_12_assignsubmission_file_/timestamp.txt", "2020-01-01 00:00 UTC")
    worksheet = tmp_path / "worksheet.csv"
    worksheet.write_text(WORKSHEET)
    arguments = ("collect", moodle, "ps1", "--names", names, "--times", worksheet)
    assert "expected --times and --timezone together" in run(*arguments)[1]
    assert "expected a name such as Europe/Zurich" in run(*arguments, "--timezone", "Nowhere")[1]
    code, said = run(*arguments, "--timezone", "Europe/Zurich")
    assert code == 0
    assert "a student's own file does not say when the work came" in said
    assert "the worksheet has no time for this person" in said
    assert read_submission(course, "jmueller", "ps1").stamp == "2026-11-23 10:00:00 UTC"
    assert read_submission(course, "asmith", "ps1").timestamp is None
    worksheet.write_text(WORKSHEET.replace("Monday, 23 November 2026, 11:00 AM", "Sunday, November 22, 2026, 9:05 PM"))
    code, said = run(*arguments, "--timezone", "America/New_York")
    assert "timestamp.txt was kept: '2026-11-23 10:00:00 UTC', not '2026-11-23 02:05:00 UTC'" in said
    run(*arguments, "--timezone", "America/New_York", "--replace")
    assert read_submission(course, "jmueller", "ps1").stamp == "2026-11-23 02:05:00 UTC"
    worksheet.write_text(WORKSHEET.replace("Monday, 23 November 2026, 11:00 AM", "Montag, 23. Mai 2026, 11:00"))
    assert "was not understood" in run(*arguments, "--timezone", "Europe/Zurich")[1]
    assert read_submission(course, "jmueller", "ps1").stamp == "2026-11-23 02:05:00 UTC"


@pytest.mark.parametrize("text", ["05/11/2026, 11:00", "Monday", "23 November 2026"])
def test_a_time_that_may_mean_another_day_is_not_taken(course, run, moodle, tmp_path, text):
    worksheet = tmp_path / "worksheet.csv"
    worksheet.write_text(WORKSHEET.replace("Monday, 23 November 2026, 11:00 AM", text))
    assert "was not understood" in run("collect", moodle, "ps1", "--times", worksheet, "--timezone", "UTC")[1]


def test_the_tasks_of_the_report_say_who_is_not_in_them(course, run):
    grade(course, ada=9, eve=None)
    assert "these are the tasks of 1 of 2 submissions, without eve" in run("report", "ps1")[1]


def test_a_local_file_of_settings_comes_last(tmp_path):
    from notebooks import ROOT

    (tmp_path / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text())
    (tmp_path / "local_config.py").write_text("c = get_config()\nc.CourseGrader.cell_seconds = 7\n")
    found = PyFileConfigLoader("nbgrader_config.py", str(tmp_path)).load_config()
    assert (found.CourseGrader.cell_seconds, found.CourseDirectory.course_id) == (7, "attention")
    assert Course(tmp_path).settings.cell_seconds == 7


def test_a_local_file_changes_one_unit_and_keeps_the_others(tmp_path):
    from notebooks import ROOT

    own = {"08_positional_encoding": {"sinusoidal_encoding": ["torch.sin"]}}
    (tmp_path / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text())
    before = Course(tmp_path).settings
    (tmp_path / "local_config.py").write_text(f"c = get_config()\nc.CourseGrader.refused_functions.update({own})\n")
    after = Course(tmp_path).settings
    assert set(after.refused_functions) == set(before.refused_functions)
    for unit in before.refused_functions:
        expected = own.get(unit, before.of("refused_functions", unit))
        assert after.of("refused_functions", unit) == expected


def test_what_holds_names_is_not_for_git():
    import subprocess

    from notebooks import ROOT

    private = ["names.csv", "extensions.csv", "roster.csv", "moodle.zip", "local_config.py", "gradebook.db"]
    command = ["git", "check-ignore", "--no-index", *private]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == private


def test_scores_and_addresses_that_two_students_share_find_nobody(course, tmp_path):
    grade(course, ada=9, bob=8)
    with course.gradebook() as gradebook:
        for student in ("ada", "bob"):
            gradebook.update_or_create_student(student, email="both@x.org")
    (tmp_path / "roster.csv").write_text("Email address,Grade\nboth@x.org,\n")
    done = export.write_moodle(course, ["ps1"], tmp_path / "out.csv", tmp_path / "roster.csv")
    assert done.without_row == ["ada", "bob"]


SMITHS = "student_id,first_name,last_name\nasmith,Anna,Smith\nalsmith,Anna Lena,Smith\nhaddad,Amal,Haddad\n"


def loose_notebooks(folder, *names: str):
    """Write loose notebooks, each with another content."""
    for number, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(NOTEBOOK + "\n" * number)
    return folder


@pytest.mark.parametrize("replace", [(), ("--replace",)])
@pytest.mark.parametrize(
    "files",
    [("a.smith.ipynb", "asmith.ipynb"), ("asmith.ipynb", "asmith_ps1.ipynb"), ("asmith.ipynb", "asmith/ps1.ipynb")],
)
def test_two_sources_for_one_student_are_refused_and_both_named(course, run, tmp_path, names, files, replace):
    origin = loose_notebooks(tmp_path / "loose", *files, "jmueller.ipynb")
    code, said = run("collect", origin, "ps1", "--names", names, *replace)
    assert code == 2
    assert "1 of" in said
    assert "are both for asmith" in said
    assert all(repr(source.removesuffix(".ipynb")) in said or repr(source) in said for source in files)
    assert not course.submitted("asmith", "ps1").exists()
    assert course.submitted("jmueller", "ps1").exists()


def test_two_sources_leave_what_was_collected_before(course, run, tmp_path, names):
    run("collect", loose_notebooks(tmp_path / "first", "asmith.ipynb"), "ps1", "--names", names)
    before = (course.submitted("asmith", "ps1") / "ps1.ipynb").read_bytes()
    origin = loose_notebooks(tmp_path / "loose", "jmueller.ipynb", "Anna Smith.ipynb", "asmith.ipynb")
    assert run("collect", origin, "ps1", "--names", names, "--replace")[0] == 2
    assert (course.submitted("asmith", "ps1") / "ps1.ipynb").read_bytes() == before


@pytest.mark.parametrize("name", ["Anna", "Smith", "anna"])
def test_a_name_that_fits_two_students_says_which(course, run, tmp_path, name):
    (tmp_path / "names.csv").write_text(SMITHS)
    origin = loose_notebooks(tmp_path / "loose", f"{name}.ipynb", "Haddad.ipynb", "Anna Lena.ipynb", "Lena.ipynb")
    code, said = run("collect", origin, "ps1", "--names", tmp_path / "names.csv")
    assert code == 2
    assert f"{name!r} fits two students: alsmith, asmith" in said
    assert said.count("no student_id is known for this name") == 1  # Lena, which is no column of anybody
    assert "2 of 4 saved" in said
    assert course.submitted("haddad", "ps1").exists()
    assert course.submitted("alsmith", "ps1").exists()


def test_a_student_id_is_itself_where_it_is_also_a_name_of_others(course, run, tmp_path):
    (tmp_path / "names.csv").write_text("student_id,name\nanna,Anna Smith\nanna2,Anna Lena Smith\n")
    origin = loose_notebooks(tmp_path / "loose", "anna.ipynb")
    assert run("collect", origin, "ps1", "--names", tmp_path / "names.csv")[0] == 0
    assert course.submitted("anna", "ps1").exists()


def test_collect_counts_who_handed_in_no_notebook(run, moodle, names):
    with zipfile.ZipFile(moodle, "w") as archive:
        archive.writestr("Anna Smith_12_assignsubmission_file_/ps1.pdf", "%PDF")
        archive.writestr("Jörg Müller_11_assignsubmission_file_/ps1.ipynb", NOTEBOOK)
    code, said = run("collect", moodle, "ps1", "--names", names)
    assert code == 0
    assert "2 of 2 saved, 1 without a notebook" in said


def test_what_export_says_of_one_is_in_the_singular(course, run, tmp_path):
    grade(course, jmueller=9)
    roster, out = tmp_path / "roster.csv", tmp_path / "out.csv"
    roster.write_text("Username,Grade\nzoe,\n")
    said = run("export", "ps1", "--format", "moodle", "--roster", roster, "-o", out)[1]
    assert "1 has a score that was NOT WRITTEN" in said
    assert "1 stands in the roster" in said


def test_two_notebooks_in_one_folder_are_named_when_they_are_collected(run, course, tmp_path):
    for name in ("ps1.ipynb", "ps1 (1).ipynb"):
        path = tmp_path / "loose" / "ada" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(NOTEBOOK)
    code, said = run("collect", tmp_path / "loose", "ps1")
    assert code == 0
    assert "it holds 2 notebooks, ps1 (1).ipynb, ps1.ipynb: ps1.ipynb counts" in said


def test_pages_for_moodle_have_the_names_of_its_download(run, course, moodle, names, tmp_path):
    grade(course, jmueller=9, asmith=8)
    output = tmp_path / "pages.zip"
    wanted = "feedback", "ps1", "--zip", output, "--moodle", moodle
    code, said = run(*wanted, "--names", names)
    assert code == 0
    assert "2 of 2 pages for Moodle" in said
    with zipfile.ZipFile(output) as archive:
        found = {entry: archive.read(entry).decode() for entry in archive.namelist()}
    # What Moodle's importer reads: name_number_assignsubmission_file_name-of-the-page.
    assert set(found) == {f"{who}_assignsubmission_file_ps1.html" for who in ("Jörg Müller_11", "Anna Smith_12")}
    assert "jmueller" in found["Jörg Müller_11_assignsubmission_file_ps1.html"]
    grade(course, stranger=7)
    code, said = run(*wanted, "--names", names)
    assert code == 2
    assert "not in it, since the download does not name them: stranger" in said
    assert run("feedback", "ps1", "--zip", output)[0] == 1
