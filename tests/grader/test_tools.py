"""Collecting, exporting, reporting and the command line: no submission runs here."""

import csv
import io
import json
import re
import zipfile

import numpy as np
import pytest
from grader_course import make_course, submission, submit

from course_grader import cli, doctor, export, report
from course_grader.collect import collect
from course_grader.doctor import examine, try_page
from course_grader.feedback import feedback_page, write_feedback
from course_grader.gradebook import Merger
from course_grader.messages import Failure, Limits, NotebookResult, Record, Result, Rules, Score
from course_grader.results import Results, record_of
from course_grader.sandbox import jail
from course_grader.sayings import in_words
from course_grader.settings import Course
from course_grader.standing import Standing
from course_grader.submissions import find_students, read_submission
from course_grader.tasks import distribution, task_statistics

NOTEBOOK = json.dumps(submission()).encode()


def make_zip(path, entries: dict[str, bytes], links: tuple[str, ...] = ()):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
        for name in links:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o120777 << 16
            archive.writestr(entry, "/etc/passwd")
    return path


@pytest.fixture
def names(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text(
        "student_id,first_name,last_name,moodle,canvas\n"
        "ada,Ada,Lovelace,4711,901\nzoe,Zoé,d'Été-Smith,4712,902\nkim1,Kim,Lee,4713,903\nkim2,Kim,Lee,4714,904\n"
    )
    return path


def test_a_download_of_moodle(course, tmp_path, names):
    origin = make_zip(
        tmp_path / "moodle.zip",
        {
            "Ada Lovelace_999_assignsubmission_file_/ps1.ipynb": NOTEBOOK,
            "Ada Lovelace_999_assignsubmission_file_/data.csv": b"1",
            "4712_4712_assignsubmission_file_/ps1.ipynb": NOTEBOOK,
            "Kim Lee_4714_assignsubmission_file_/ps1.ipynb": NOTEBOOK,
            "Kim Lee_5555_assignsubmission_file_/ps1.ipynb": NOTEBOOK,
        },
    )
    people = {person.key: person for person in collect(course, "ps1", origin, names)}
    assert find_students(course, "ps1") == ["ada", "kim2", "zoe"]
    assert (course.submitted("ada", "ps1") / "data.csv").read_bytes() == b"1"
    assert people["Kim Lee_4714"].student == "kim2"
    assert not people["Kim Lee_5555"].saved  # two students have this name
    assert "'Kim Lee' fits two students: kim1, kim2" in people["Kim Lee_5555"].notes[0]


def test_a_download_of_moodle_with_its_own_headings_and_groups(course, tmp_path):
    names = tmp_path / "participants.csv"
    names.write_text(
        "student_id,First name,Last name,Email address,Identifier\n"
        "ada,Ada,Lovelace,ada@x.org,Participant 100001\nbob,Bob,Lee-Smith,,Participant 100002\n"
    )
    folders = ("Group A-Ada Lovelace_7_assignsubmission_file_", "Participant 100002_100002_assignsubmission_file_")
    origin = make_zip(tmp_path / "moodle.zip", {f"{folder}/ps1.ipynb": NOTEBOOK for folder in folders})
    assert [person.student for person in collect(course, "ps1", origin, names)] == ["ada", "bob"]
    with course.gradebook() as gradebook:
        ada = gradebook.find_student("ada")
        assert (ada.first_name, ada.last_name, ada.email) == ("Ada", "Lovelace", "ada@x.org")


def test_a_download_of_canvas(course, tmp_path, names):
    origin = make_zip(
        tmp_path / "canvas.zip",
        {"lovelaceada_901_55001_ps1-2.ipynb": NOTEBOOK, "deteesmithzoe_LATE_902_55002_ps1.ipynb": NOTEBOOK},
    )
    people = {person.student: person for person in collect(course, "ps1", origin, names)}
    assert find_students(course, "ps1") == ["ada", "zoe"]
    assert [path.name for path in course.submitted("ada", "ps1").iterdir()] == ["ps1.ipynb"]
    assert people["zoe"].notes == ["Canvas marks it as late"]


def test_loose_notebooks_and_folders(course, tmp_path):
    loose = tmp_path / "loose"
    (loose / "cleo").mkdir(parents=True)
    (loose / "ada_ps1.ipynb").write_bytes(NOTEBOOK)
    (loose / "bob.ipynb").write_bytes(NOTEBOOK)
    (loose / "cleo" / "ps1.ipynb").write_bytes(NOTEBOOK)
    assert all(person.saved for person in collect(course, "ps1", loose))
    assert find_students(course, "ps1") == ["ada", "bob", "cleo"]
    assert (course.submitted("bob", "ps1") / "ps1.ipynb").read_bytes() == NOTEBOOK


def test_an_archive_cannot_write_elsewhere(course, tmp_path):
    origin = make_zip(
        tmp_path / "evil.zip",
        {
            "eve/../../../escaped.ipynb": NOTEBOOK,
            "eve/ps1.ipynb": NOTEBOOK,
            "../up/ps1.ipynb": NOTEBOOK,
            "eve/big.bin": bytes(21 * 2**20),
        },
        links=("eve/passwd",),
    )
    collect(course, "ps1", origin)
    written = sorted(
        str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.ipynb") if "source" not in path.parts
    )
    assert written == ["course/submitted/eve/ps1/ps1.ipynb"]
    assert sorted(path.name for path in course.submitted("eve", "ps1").iterdir()) == ["ps1.ipynb"]


def test_another_submission_is_not_overwritten_by_accident(course, tmp_path):
    submit(course.root, "ada")
    loose = tmp_path / "loose"
    loose.mkdir()
    (loose / "ada.ipynb").write_text("{}")
    (person,) = collect(course, "ps1", loose)
    assert not person.saved
    assert read_submission(course, "ada", "ps1").notebooks["ps1"] != "{}"
    (person,) = collect(course, "ps1", loose, replace=True)
    assert person.saved
    assert read_submission(course, "ada", "ps1").notebooks["ps1"] == "{}"


@pytest.fixture(scope="module")
def class_of_three(tmp_path_factory):
    """Records as grading would leave them, merged: 10, 3.5 and nothing readable."""
    from course_grader.assignment import read_assignment
    from course_grader.settings import Course

    course = Course(make_course(tmp_path_factory.mktemp("three") / "course"))
    assignment = read_assignment(course, "ps1")
    results = Results(course, "ps1")
    points = {"test-double": 2.0, "test-mean": 3.0, "test-affine": 5.0}
    for student, share in (("ada", 1.0), ("bob", 0.35)):
        submit(course.root, student)
        scores = {name: Score(share * each, each) for name, each in points.items()}
        scores["why"] = Score(None, 2.0, manual=True)
        if share < 1:
            scores["test-double"].error = Failure("AssertionError", "double(7): expected 14", hidden=True)
        document = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []})
        one = NotebookResult(document, scores, flags=["called torch.mul"])
        results.save(record_of(student, "f", Result({"ps1": one}, seconds=1.5), None, True))
    submit(course.root, "=eve", "{")
    results.save(record_of("=eve", "f", Result(problems=["not a notebook"]), None, True))
    merger = Merger(course, assignment, results)
    merger.merge(results.all(["=eve", "ada", "bob"]))
    merger.close()
    return course, assignment


def test_export_to_canvas_and_moodle(class_of_three, tmp_path):
    course, _ = class_of_three
    roster = tmp_path / "canvas.csv"
    roster.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,ps1 (77)\nLovelace,1,x,ada,A,\nB,2,bob,b@x.org,A,0\n"
    )
    done = export.write_canvas(course, ["ps1"], tmp_path / "out.csv", roster)
    assert (done.rows, done.without_row, done.without_score) == (2, ["=eve"], [])
    assert (done.waiting, done.failed) == (["ada", "bob"], ["=eve"])
    assert [sentence.split(":")[-1] for sentence in done.sentences()] == [" =eve", " ada, bob", " =eve"]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert [row["ps1 (77)"] for row in rows] == ["10", "3.5"]
    roster.write_text(
        "Identifier,Full name,Email address,Grade\nParticipant ada,Ada,a@x.org,\nParticipant 5,Bob,bob@x.org,\n"
    )
    roster.write_text(roster.read_text() + "Participant 6,Somebody Else,e@x.org,\n")
    done = export.write_moodle(course, ["ps1"], tmp_path / "out.csv", roster)
    assert (done.rows, done.without_score) == (3, ["e@x.org"])
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert [row["Grade"] for row in rows] == ["10", "3.5", ""]
    export.write_moodle(course, ["ps1"], tmp_path / "out.csv")
    text = (tmp_path / "out.csv").read_text()
    assert "'=eve" in text
    assert "\n=eve" not in text


def test_common_mistakes_are_counted_by_the_likely_cause_where_a_message_names_one():
    said = "f: {} rows\n  observed:      NaN\n  likely cause:  e^score of {} overflows\n  try:           a shift"
    records = [
        Record(
            str(number), "graded", "", notebooks={"ps1": NotebookResult("", {"test-f": Score(0.0, 1.0, error=error)})}
        )
        for number, error in enumerate(
            [Failure("CheckFailed", said.format(n, n)) for n in (2, 30)] + [Failure("NameError", "name 'f' is missing")]
        )
    ]
    wanted = [("f", "e^score of 2 overflows", 2), ("f", "name 'f' is missing", 1)]
    assert report.common_mistakes(records) == wanted


def _said(cause: str = "", kind: str = "CheckFailed", first: str = "f: length 4") -> Failure:
    """What a check of this course says."""
    tail = f"\n  observed:      3 rows\n  likely cause:  {cause}\n  try:           less" if cause else ""
    return Failure(kind, first + tail)


def test_mistakes_are_those_of_a_task_and_no_answer_is_none():
    unknown = "no mistake that we know gives this result"
    cells = [
        {"test-f": _said("triu"), "test-f-hidden": _said(unknown), "test-f-limits": _said("triu")},
        {"test-f": _said("triu"), "test-f-hidden": _said("or"), "test-f-limits": _said("", "Stopped", "not run")},
        {"test-f": _said("", "NotAttempted"), "test-f-hidden": _said("", "NotAttempted")},
        {"test-f": _said(unknown), "test-f-hidden": _said("what the message says, at that line")},
    ]
    records = []
    for number, errors in enumerate(cells):
        scores = {name: Score(0.0, 2.0, error=error) for name, error in errors.items()}
        scores["test-stretch"] = Score(0.0, 0.0, error=_said("a stretch"))
        records.append(record_of(str(number), "f", Result({"ps1": NotebookResult("{}", scores)}), None, True))
    assert report.common_mistakes(records) == [
        ("f", "triu", 2),
        ("f", "or", 1),
        ("f", "f: length 4: 3 rows", 1),
        ("stretch", "a stretch", 4),
    ]
    assert report.not_attempted(records) == {"f": 1}
    page = report.report_page("ps1", records, {})
    assert "no answer" in page
    assert "report on 4 submissions<" in page
    assert "Of the 4 of 4 submissions" in page
    alone = report.report_page("ps1", records[:1], {})
    assert "report on 1 submission<" in alone
    assert "Of the 1 of 1 submission that" in alone


def test_a_students_page_says_what_is_so(class_of_three):
    course, assignment = class_of_three
    record = Results(course, "ps1").load("bob")
    one = record.notebooks["ps1"]
    record.status, record.reason = "partial", "test test-mean: it was stopped (and 1 more); everything else was graded"
    one.problems = ["test test-mean: it was stopped", "test test-affine: it was stopped"]
    one.scores["why"], one.comments["why"] = Score(0.0, 2.0, manual=True), "No response."
    one.scores["test-double"] = Score(0.0, 2.0, error=_said("upper triangle in the place of the lower one"))
    one.scores["test-mean"] = Score(0.0, 3.0, error=Failure("StudentGone", "it was stopped", hidden=True))
    text = feedback_page(assignment, record, {("ps1", "why"): {"score": 0.0, "open": False}}, False)
    table = text.partition("</table>")[0]
    assert "<td>no answer</td>" in table
    assert "<td>upper triangle in the place of the lower one</td>" in table
    assert "<td>it was stopped</td>" in table
    assert "0 of 3 tests passed; not everything could be run." in table
    assert "<li>In mean: it was stopped.</li>" in table
    assert "1 more" not in text
    assert "test test-" not in text.lower()
    read = feedback_page(assignment, record, {("ps1", "why"): {"score": 0.0, "by_person": True}}, False)
    assert "<td>read by a person</td>" in read


def test_who_handed_in_no_notebook_reads_what_to_hand_in(class_of_three):
    course, assignment = class_of_three
    record = record_of("lea", "f", Result(problems=["the folder holds no notebook"]), None, True)
    text = feedback_page(assignment, record, {}, False, handed_in=["homework.pdf"])
    assert "You handed in homework.pdf; hand in ps1.ipynb." in text
    assert text.count("not graded") == 1


def test_report_and_its_statistics(class_of_three):
    course, _ = class_of_three
    records = report.load(course, "ps1")
    statistics = {each["task"]: each for each in task_statistics(records)}
    assert (statistics["test-mean"]["mean"], statistics["test-mean"]["full"], statistics["test-mean"]["part"]) == (
        pytest.approx(2.025),
        1,
        1,
    )
    assert report.common_mistakes(records) == [("double", "double(7): expected 14", 1)]
    seen = report.to_look_at(records, {"=eve": Standing(), "bob": Standing(waiting=True)})
    assert ("=eve", "failed: not a notebook") in seen
    assert ("bob", "a written answer waits for a person") in seen
    page = report.report_page("ps1", records, {})
    assert "called torch.mul" in page
    assert "double: visible check" in page
    assert "test-double" not in page
    assert "not a notebook" in page
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page


def test_the_report_has_a_line_for_each_thing_to_look_at():
    problems = ["test test-f: it was stopped", "test test-g: it was stopped"]
    one = NotebookResult("{}", {"test-f": Score(0.0, 1.0)}, notes=["cell f was edited"], flags=["g"], problems=problems)
    record = record_of("ada", "f", Result({"ps1": one}), None, True)
    standing = {"ada": Standing(waiting=True, seconds_late=212_400, penalty=16.2)}
    assert [said for _, said in report.to_look_at([record], standing)] == [
        "partial: test test-f: it was stopped",
        "partial: test test-g: it was stopped",
        "a written answer waits for a person",
        "came 2 d 11 h late, which costs 16.2 points",
        "g",
        "cell f was edited",
    ]
    missing = record_of("ada", "f", Result({"ps1": one}, problems=["the notebook b is missing"]), None, True)
    assert len(report.to_look_at([missing], {})) == 5


def _class_of(*scores_of_each):
    """Records of people with these points in the tasks a, b, ... of 2 points each."""
    records = []
    for number, points in enumerate(scores_of_each):
        scores = {name: Score(each, 2.0) for name, each in zip("abc", points, strict=False)}
        records.append(record_of(f"s{number}", "f", Result({"ps1": NotebookResult("{}", scores)}), None, True))
    return records


def test_discrimination_is_the_correlation_with_the_rest():
    points = [(2.0, 2.0, 0.0)] * 6 + [(0.0, 0.0, 2.0)] * 5 + [(2.0, 0.0, 1.0)]
    found = {each["task"]: each for each in task_statistics(_class_of(*points))}
    a, b, c = ([p[i] for p in points] for i in range(3))
    rest = [y + z for y, z in zip(b, c, strict=True)]
    assert found["a"]["discrimination"] == pytest.approx(np.corrcoef(a, rest)[0, 1])
    assert found["c"]["discrimination"] < -0.9
    assert task_statistics(_class_of(*points[:9]))[0]["discrimination"] is None
    assert task_statistics(_class_of(*[(2.0, 0.0)] * 12))[0]["discrimination"] is None


def test_stretch_tasks_and_answers_that_wait_are_no_task_of_the_statistics():
    (record,) = _class_of((2.0, 1.0))
    record.notebooks["ps1"].scores |= {
        "why": Score(None, 2.0, manual=True),
        "empty": Score(0.0, 2.0, manual=True),
        "stretch": Score(0.0, 0.0),
    }
    assert [each["task"] for each in task_statistics([record])] == ["a", "b"]


def test_a_regrade_says_whose_score_changed(course, capsys):
    submit(course.root, "ada")
    submit(course.root, "bob")
    arguments = ["--course", str(course.root), "grade", "ps1", "--workers", "0"]
    assert cli.main(arguments) == 0
    assert "changed" not in capsys.readouterr().out
    path = course.source("ps1") / "ps1.ipynb"
    path.write_text(path.read_text().replace("== 2 * secret", "== 3 * secret"))
    submit(course.root, "cleo")
    assert cli.main([*arguments, "--students", "bob", "cleo"]) == 0
    assert "changed: bob: 10 -> 8\n" in capsys.readouterr().out
    (row,) = csv.DictReader((course.state("ps1") / "changes.csv").read_text().splitlines())
    assert (row["student"], row["before"], row["after"]) == ("bob", "10", "8")


def test_the_distribution_counts_everybody_once():
    found = dict(distribution(_class_of((2.0, 2.0), (2.0, 1.8), (0.0, 0.0), (1.0, 1.0), (1.2, 1.2))))
    assert {share: count for share, count in found.items() if count} == {
        "0 to 10 %": 1,
        "50 to 60 %": 1,
        "60 to 70 %": 1,
        "90 to 100 %": 2,
    }
    assert distribution([]) == []


def test_feedback_says_of_visible_checks_only_what_is_so(class_of_three):
    course, assignment = class_of_three
    record = Results(course, "ps1").load("bob")
    scores = record.notebooks["ps1"].scores
    scores["test-double"] = Score(0.0, 2.0, error=Failure("AssertionError", "seven is wrong", hidden=True))
    assert "the checks that you see passed, this one did not" in feedback_page(assignment, record, {}, False)
    hidden = {cell.id: cell for cell in assignment.notebooks["ps1"].cells}
    assert hidden["test-double"].kind == "test"


def test_the_time_of_a_submission_goes_where_nbgrader_looks_for_it(course):
    folder = submit(course.root, "ada")
    (course.submitted("ada", "ps1") / "timestamp.txt").write_text("2026-11-22 09:00:00.123456 UTC\n")
    found = read_submission(course, "ada", "ps1")
    assert found.stamp == "2026-11-22 09:00:00.123456 UTC"
    assert found.timestamp.startswith("2026-11-22T09:00:00")
    assert folder is None or folder.exists()


@pytest.mark.parametrize("secret", [b"0f" * 64, None, b"\xff\n", b"../../bob"], ids=["own", "none", "bytes", "path"])
def test_feedback_has_what_nbgraders_release_of_it_reads(class_of_three, secret):
    course, _ = class_of_three
    handed_in = course.submitted("ada", "ps1") / "submission_secret.txt"
    if secret is not None:
        handed_in.write_bytes(secret)
    write_feedback(course, "ps1", ("ada",))
    folder = course.feedback("ada", "ps1")
    written = (folder / "submission_secret.txt").read_text()
    assert (written.encode() == secret) == (secret == b"0f" * 64)
    assert re.fullmatch(r"[0-9a-f]{128}", written)
    assert (folder / "timestamp.txt").is_file()
    handed_in.unlink(missing_ok=True)


def test_feedback_hides_the_message_of_a_hidden_test_unless_asked(class_of_three):
    course, assignment = class_of_three
    record = Results(course, "ps1").load("bob")
    assert "expected 14" not in feedback_page(assignment, record, {}, show_hidden_messages=False)
    assert "expected 14" in feedback_page(assignment, record, {}, show_hidden_messages=True)
    assert "secret" not in feedback_page(assignment, record, {}, show_hidden_messages=True)


def test_doctor_and_the_command_line(course, capsys, tmp_path):
    submit(course.root, "ada")
    found = {what: (is_well, sentence) for what, is_well, sentence in examine(course)}
    assert found["course"][0]
    assert found["memory limit"][0], found["memory limit"]
    assert found["assignments"] == (True, "ps1")
    assert found["  ps1"] == (True, "1 submissions")
    assert cli.main(["--course", str(course.root), "doctor"]) == 0
    assert cli.main(["--course", str(course.root), "report", "ps1"]) == 0
    assert "not graded yet" in capsys.readouterr().out
    assert cli.main(["--course", str(course.root), "grade", "nothing", "--workers", "0"]) == 1
    assert "expected an assignment of this course" in capsys.readouterr().err
    assert cli.main(["--course", str(course.root), "grade", "ps1", "--students", "bob"]) == 1
    assert "expected names of folders" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["grade", "ps1", "--shard", "3/2"])
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert "--shard 3/16" in capsys.readouterr().out


def test_doctor_notices_that_notebooks_do_not_become_pages(monkeypatch):
    assert try_page()[0]

    def broken(*_):
        raise ValueError("Invalid character 'i' position 0")

    monkeypatch.setattr("nbconvert.HTMLExporter.from_notebook_node", broken)
    is_well, said = try_page()
    assert not is_well
    assert "Invalid character" in said


def test_all_assignments_are_released_by_one_command(tmp_path, capsys):
    course = Course(make_course(tmp_path / "course"))
    second = course.root / "source" / "ps2"
    second.mkdir()
    (second / "ps2.ipynb").write_text((course.root / "source" / "ps1" / "ps1.ipynb").read_text())
    assert cli.main(["--course", str(course.root), "release", "ps3"]) == 1
    assert "expected assignments" in capsys.readouterr().err
    assert cli.main(["--course", str(course.root), "release"]) == 0
    assert capsys.readouterr().out.splitlines() == ["ps1: written", "ps2: written"]
    for name in ("ps1", "ps2"):
        text = (course.root / "release" / name / f"{name}.ipynb").read_text()
        assert "NotImplementedError" in text
        assert "HIDDEN" not in text
    with course.gradebook() as gradebook:
        assert {each.name for each in gradebook.assignments} >= {"ps1", "ps2"}


@pytest.mark.parametrize(
    ("allowed", "limit", "said"),
    [(2048, 64, "was refused 1024 MiB; memory_mib allows 2048 MiB"), (64, 4096, "got 1024 MiB; memory_mib allows 64")],
)
def test_doctor_notices_a_memory_limit_that_does_not_hold(monkeypatch, allowed, limit, said):
    real = jail.Sandbox
    monkeypatch.setattr(jail, "Sandbox", lambda rules: real(Rules(limits=Limits(memory_mib=limit))))
    is_well, sentence = doctor.try_memory(Limits(memory_mib=allowed))
    assert not is_well
    assert said in sentence


def test_an_empty_folder_is_not_a_course(tmp_path, monkeypatch):
    from course_grader.settings import Course

    monkeypatch.setattr(doctor, "try_memory", lambda limits: (True, "not tried"))
    found = {what: is_well for what, is_well, _ in examine(Course(tmp_path))}
    assert not found["course"]
    assert not found["assignments"]


def test_ids_are_names_and_never_patterns(tmp_path):
    from course_grader.settings import Course

    course = Course(make_course(tmp_path / "course"))
    for student in ("a*b", "a+b", "[ab]", "a?b"):
        submit(course.root, student, student)
    assert find_students(course, "ps1") == ["[ab]", "a*b", "a+b", "a?b"]
    assert read_submission(course, "a*b", "ps1").notebooks == {"ps1": "a*b"}


def test_cells_have_names_in_words():
    said = {
        cell: in_words(cell) for cell in ("test-f", "test-f-hidden", "test-f-limits", "test-f-measured", "why-f", "f")
    }
    assert list(said.values()) == [
        "f: visible check",
        "f: hidden test",
        "f: rare cases",
        "f: measurement",
        "why-f",
        "f",
    ]
