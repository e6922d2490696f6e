"""The command ``course-grader``."""

import contextlib
import os
import sys
from pathlib import Path

from course_grader.arguments import parser
from course_grader.messages import Record

# The sandbox, and the fork of each submission, are Linux's; the locks of the records are those of any Unix.
_ONLY_LINUX = (
    "course-grader: this needs Linux, which isolates the submissions. On Windows it runs in WSL 2, on macOS in a Linux "
    "container or virtual machine."
)


def main(arguments: list[str] | None = None) -> int:
    """Run a command. Exit codes: 0 all is well, 1 something could not be done, 2 some submissions failed."""
    options = parser().parse_args(arguments)
    if sys.platform == "win32" or (sys.platform != "linux" and options.command in ("grade", "doctor")):
        print(_ONLY_LINUX, file=sys.stderr)
        return 1
    with contextlib.suppress(AttributeError):  # where it is no stream of text, such as in a notebook
        sys.stdout.reconfigure(errors="replace")  # names of folders and files may be no text
    try:
        from course_grader.assignment import AssignmentError
        from course_grader.results import Busy
        from course_grader.settings import Course
    except ModuleNotFoundError as error:
        print(
            f'course-grader: {error}; in the folder of the course, pip install ".[grader]" brings it', file=sys.stderr
        )
        return 1
    try:
        code = _COMMANDS[options.command](Course(options.course), options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # whoever reads it, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (AssignmentError, Busy, ValueError, OSError) as error:
        print(f"course-grader: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("course-grader: stopped; the same command goes on where it was", file=sys.stderr)
        return 130


def _release(course, options) -> int:
    from course_grader.release import release

    failed = 0
    for assignment, problem in release(course, options.assignment):
        print(f"{assignment}: {problem or 'written'}", file=sys.stderr if problem else sys.stdout)
        failed += problem is not None
    return 2 if failed else 0


def _collect(course, options) -> int:
    from course_grader.collect import collect, counted, known_students, strangers

    before = known_students(course)
    times = (options.times, options.timezone) if options.times or options.timezone else None
    people = collect(course, options.assignment, options.origin, options.names, options.replace, times)
    for person in people:
        state = "saved" if person.saved else "NOT SAVED"
        print(f"{state:9}  {person.student or '?':20}  {person.key}  {'; '.join(person.notes)}")
    saved = sum(person.saved for person in people)
    print(counted(people))
    warning = "" if options.names else strangers(people, before)
    if warning:
        print(f"warning: {warning}", file=sys.stderr)
    return 0 if saved == len(people) else 2


def _grade(course, options) -> int:
    from course_grader import report
    from course_grader.grading import NoSandbox, Options, grade
    from course_grader.standing import standings

    course.require(options.assignment)
    workers = options.workers if options.workers is not None else len(os.sched_getaffinity(0))
    wanted = Options(
        students=tuple(options.students),
        workers=workers,
        scheduler=options.scheduler,
        shard=options.shard,
        isolated=not options.no_sandbox,
        force=options.force,
    )
    if options.no_sandbox:
        print(report.NOT_ISOLATED, file=sys.stderr)
    bar = _Progress()
    before = {record.student: record.score for record in report.load(course, options.assignment) if record.graded_at}
    standing_before = standings(course, options.assignment)
    try:
        records = grade(course, options.assignment, wanted, bar)
    except NoSandbox as error:
        print(f"course-grader: no sandbox: {error}. --no-sandbox grades without it.", file=sys.stderr)
        return 1
    finally:
        bar.close()
    print(f"{bar.kept} kept (up to date), {bar.graded} graded")
    for student, old, new in report.note_changes(course, options.assignment, before, records):
        print(f"changed: {student}: {old:g} -> {new:g}")
    return _finish(course, options.assignment, records, standing_before, options.shard is None)


def _merge(course, options) -> int:
    from course_grader import report
    from course_grader.grading import merge
    from course_grader.standing import standings

    standing_before = standings(course, options.assignment)
    merge(course, options.assignment)
    return _finish(course, options.assignment, report.load(course, options.assignment), standing_before)


def _finish(course, assignment: str, records: list[Record], standing_before: dict, is_whole: bool = True) -> int:
    """Say what came of a run; the gradebook is left to ``merge`` where the run was a part of many."""
    from course_grader import report
    from course_grader.outdated import notes_on_pages
    from course_grader.standing import standings

    changed = _count_lateness(course, assignment, standing_before) if is_whole else set()
    notes = _notes(course, assignment) if is_whole else []
    path = report.write_report(course, assignment, notes)
    if is_whole:
        _say(notes_on_pages(course, assignment, changed))
    print("\n".join(report.summary_lines(records, standings(course, assignment))))
    print(f"report: {path}")
    return 0 if all(record.status == "graded" for record in records) else 2


def _count_lateness(course, assignment: str, before: dict | None = None) -> set[str]:
    """Bring what lateness costs up to date, print whose total is another for it, and return them."""
    from course_grader import report
    from course_grader.late_penalties import renew_penalties

    changes = renew_penalties(course, assignment, before)
    for change in changes:
        print(f"changed: {change.sentence()}")
    totals = [(change.student, change.before.total, change.after.total) for change in changes]
    report.add_changes(course, assignment, totals, "total")
    return {change.student for change in changes}


def _notes(course, assignment: str) -> list[str]:
    """Print what an instructor should know of extra time and of grades that are out of date, and return it."""
    from course_grader.late_penalties import notes_on_extensions
    from course_grader.outdated import notes_on_grades
    from course_grader.submissions import notes_on_folders

    notes = [
        each for find in (notes_on_folders, notes_on_grades, notes_on_extensions) for each in find(course, assignment)
    ]
    _say(notes)
    return notes


def _say(notes: list[str]) -> None:
    for note in notes:
        print(f"note: {note}", file=sys.stderr)


def _feedback(course, options) -> int:
    from course_grader.feedback import write_feedback, zip_for_moodle

    if (options.zip is None) != (options.moodle is None):
        raise ValueError("expected --zip and --moodle together: the zip has the names of Moodle's download")
    _count_lateness(course, options.assignment)
    _notes(course, options.assignment)
    written = write_feedback(course, options.assignment, tuple(options.students))
    for path in written:
        print(path)
    if options.zip is None:
        return 0 if written else 1
    left_out = zip_for_moodle(course, options.assignment, written, options.zip, options.moodle, options.names)
    print(f"{len(written) - len(left_out)} of {len(written)} pages for Moodle: {options.zip}")
    if left_out:
        print(f"not in it, since the download does not name them: {', '.join(left_out)}", file=sys.stderr)
    return 2 if left_out else 0


def _report(course, options) -> int:
    from course_grader import report
    from course_grader.sayings import in_words
    from course_grader.standing import standings
    from course_grader.tasks import task_statistics

    _count_lateness(course, options.assignment)
    path = report.write_report(course, options.assignment, _notes(course, options.assignment))
    records = report.load(course, options.assignment)
    if not report.is_isolated(records):
        print(report.NOT_ISOLATED)
    print("\n".join(report.summary_lines(records, standings(course, options.assignment))))
    for each in task_statistics(records):
        earned = f"mean {each['mean']:.2f} of {each['points']:g}; all {each['full']}, part {each['part']}"
        print(f"{in_words(each['task'])}: {earned}, none {each['none']}")
    missing = [record.student for record in records if not record.notebooks]
    if 0 < len(missing) < len(records):
        counted = f"{len(records) - len(missing)} of {len(records)} submissions"
        print(f"these are the tasks of {counted}, without {', '.join(missing)}")
    for task, message, count in report.common_mistakes(records, limit=5):
        print(f"{count} x {task}: {message[:150]}")
    for record in records:
        for flag in report.flags_of(record):
            print(f"flag: {record.student}: {flag}")
    print(f"report: {path}")
    return 0


def _similarity(course, options) -> int:
    from course_grader import similarity, similarity_page

    threshold = similarity.THRESHOLD if options.threshold is None else options.threshold
    works, left_out = similarity.read_works(course, options.assignment)
    print(f"compared in: {', '.join(works[0].cells) or 'no task: all are too short'}")
    pairs = similarity.similar_pairs(works, threshold)
    found = pairs, left_out, len(works) - len(left_out), threshold
    print("\n".join(similarity_page.lines(*found)))
    path = course.state(options.assignment) / "similarity.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(similarity_page.page(options.assignment, *found), encoding="utf-8")
    print(f"page: {path}")
    return 0


def _export(course, options) -> int:
    from course_grader import export
    from course_grader.outdated import notes_on_grades

    write = export.write_moodle if options.format == "moodle" else export.write_canvas
    for assignment in options.assignment:
        course.require(assignment)
        _count_lateness(course, assignment)
        _say(notes_on_grades(course, assignment))
    done = write(course, options.assignment, options.output, options.roster, options.names, options.column)
    print(f"{done.rows} rows: {options.output}")
    if done.matched:
        print(done.matched)
    for sentence in done.sentences():
        print(sentence, file=sys.stderr)
    return 2 if done.without_row else 0


def _gradescope(course, options) -> int:
    from course_grader.gradescope import write_zip

    course.require(options.assignment)
    output = options.output or Path(f"{options.assignment}-gradescope.zip")
    files = write_zip(course, options.assignment, output)
    print(f"{output}: {files} files, {output.stat().st_size / 2**20:.1f} MiB; it holds the tests, so it is not public")
    return 0


def _variant(course, options) -> int:
    from course_grader.variant import GUESSED, write_variant

    path, notes = write_variant(course, options.assignment, options.seed, options.suffix)
    print(path)
    for note in notes:
        print(f"  {note}")
    if len(options.seed) < GUESSED:
        print(
            "a short seed can be guessed, and with it the variant drawn again by whoever has the course",
            file=sys.stderr,
        )
    print(f"next: course-grader release {path.parent.name}")
    return 0


def _doctor(course, options) -> int:
    from course_grader.doctor import examine

    found = examine(course)
    for what, is_well, sentence in found:
        print(f"{'ok' if is_well else 'MISSING':8} {what:14} {sentence}")
    return 0 if all(is_well for _, is_well, _ in found) else 1


_COMMANDS = {
    "release": _release,
    "collect": _collect,
    "grade": _grade,
    "merge": _merge,
    "feedback": _feedback,
    "report": _report,
    "similarity": _similarity,
    "export": _export,
    "gradescope": _gradescope,
    "variant": _variant,
    "doctor": _doctor,
}


class _Progress:
    """A bar with rate and time left, of what has to be graded; it says for whom the run waits."""

    def __init__(self):
        self._bar = None
        self.kept = self.graded = 0

    def __call__(self, step) -> None:
        from tqdm import tqdm

        self.kept, self.graded = step.kept, step.graded
        if self._bar is None and step.total > step.kept:
            self._bar = tqdm(total=step.total - step.kept, unit="submission", file=sys.stderr)
        if self._bar is not None:
            self._bar.set_postfix_str(f"waiting for {step.waiting[:30]}" if step.waiting else "", refresh=False)
            self._bar.update(step.graded - self._bar.n)
            self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
