"""The command ``grade``: what is to do, who does it, and what came of it."""

from collections.abc import Callable
from dataclasses import dataclass

from course_grader import engine
from course_grader.assignment import read_assignment
from course_grader.gradebook import Merger
from course_grader.messages import Assignment, Record, Result, Submission
from course_grader.results import Results, record_of
from course_grader.sandbox.jail import why_unavailable
from course_grader.settings import Course
from course_grader.submissions import find_students, read_submission

_MERGE_AT = 20


class NoSandbox(RuntimeError):
    """There is no sandbox, and it was not said that this is acceptable."""


@dataclass
class Options:
    """How to grade.

    Args:
        students: only these; all if empty.
        workers: processes on this machine; 0 grades in this one.
        scheduler: the address of a Dask scheduler.
        shard: ``(i, N)`` grades the i-th of N parts and leaves merging to ``merge``.
        isolated: False runs students' code without the sandbox.
        force: grade again what is graded.
    """

    students: tuple[str, ...] = ()
    workers: int = 1
    scheduler: str | None = None
    shard: tuple[int, int] | None = None
    isolated: bool = True
    force: bool = False


@dataclass
class Step:
    """How far a run has come.

    Args:
        total: how many submissions it is about.
        kept: how many of them were up to date and are kept as they are.
        graded: how many were graded.
        waiting: the student for whom it has been waiting longest; empty if for nobody.
    """

    total: int
    kept: int = 0
    graded: int = 0
    waiting: str = ""


def grade(
    course: Course, assignment: str, options: Options, progress: Callable[[Step], None] | None = None
) -> list[Record]:
    """Grade an assignment and return one record per submitted folder.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        options: how to grade.
        progress: called at the start, and whenever a submission is done.

    Raises:
        NoSandbox: if there is no sandbox and ``options.isolated`` asks for it.
        AssignmentError: if the assignment cannot be read.
        Busy: if another run works on it.
        ValueError: if a student is named who handed in nothing.
    """
    if options.isolated and options.scheduler is None and (reason := why_unavailable()):
        raise NoSandbox(reason)
    students = find_students(course, assignment)
    missing = sorted(set(options.students) - set(students))
    if missing:
        raise ValueError(f"students: expected names of folders with a submission, got {', '.join(missing)}")
    if options.students:
        students = [student for student in students if student in options.students]
    if options.shard:
        students = [each for each in students if engine.shard_of(each, options.shard[1]) == options.shard[0]]
    results = Results(course, assignment)
    lock = "grade" if options.shard is None else f"shard-{options.shard[0]}-{options.shard[1]}"
    with results.locked(lock):
        _Run(course, read_assignment(course, assignment), results, options, students, progress).run()
    return results.all(students)


def merge(course: Course, assignment: str) -> list[Record]:
    """Merge the records of all shards into the gradebook and return them."""
    results = Results(course, assignment)
    with results.locked("grade"):
        records = results.all(find_students(course, assignment))
        merger = Merger(course, read_assignment(course, assignment), results)
        try:
            waiting = [record for record in records if not merger.is_merged(record)]
            for start in range(0, len(waiting), _MERGE_AT):
                merger.merge(waiting[start : start + _MERGE_AT])
        finally:
            merger.close()
    return records


class _Run:
    def __init__(self, course, assignment: Assignment, results, options, students, progress):
        self._course, self._assignment, self._results, self._options = course, assignment, results, options
        self._students, self._progress = students, progress or (lambda step: None)
        self._read: dict[str, tuple[str, str | None]] = {}
        self._waiting: list[Record] = []
        self._step = Step(len(students))
        self._merger = None if options.shard else Merger(course, assignment, results)

    def run(self) -> None:
        options = self._options
        try:
            to_do = [student for student in self._students if not self._is_finished(student)]
            self._step.kept = len(self._students) - len(to_do)
            self._say()
            submissions = engine.read_those_to_grade(self._course, self._assignment.name, to_do, self._take)
            if to_do and (options.workers == 0 and options.scheduler is None):
                found = engine.grade_here(self._assignment, options.isolated, submissions)
            elif to_do:
                workers = min(options.workers, len(to_do))
                found = engine.grade_with_dask(
                    self._assignment, options.isolated, submissions, workers, options.scheduler
                )
            else:
                found = ()
            for student, result in found:
                fingerprint, timestamp = self._read.pop(student)
                if result.again:
                    fingerprint = ""
                self._record(record_of(student, fingerprint, result, timestamp, options.isolated))
            self._flush()
        finally:
            if self._merger is not None:
                self._flush()
                self._merger.close()

    def _is_finished(self, student: str) -> bool:
        """Keep a record that is still valid; merge it if that is missing."""
        record = None if self._options.force else self._results.load(student)
        if record is None:
            return False
        submission = read_submission(self._course, student, self._assignment.name)
        if record.fingerprint != engine.fingerprint_of(self._assignment, submission, self._options.isolated):
            return False
        if self._merger is not None and not self._merger.is_merged(record):
            self._waiting.append(record)
        return True

    def _take(self, submission: Submission) -> bool:
        fingerprint = engine.fingerprint_of(self._assignment, submission, self._options.isolated)
        if submission.problem is None:
            self._read[submission.student] = (fingerprint, submission.timestamp)
            self._say()
            return True
        result = Result(problems=[submission.problem], notes=submission.notes)
        self._record(record_of(submission.student, fingerprint, result, submission.timestamp, self._options.isolated))
        return False

    def _record(self, record: Record) -> None:
        self._results.save(record)
        self._waiting.append(record)
        self._step.graded += 1
        self._say()
        if len(self._waiting) >= _MERGE_AT:
            self._flush()

    def _flush(self) -> None:
        if self._merger is not None and self._waiting:
            waiting, self._waiting = self._waiting, []
            self._merger.merge(waiting)

    def _say(self) -> None:
        self._step.waiting = next(iter(self._read), "")  # they are handed out in this order
        self._progress(self._step)
