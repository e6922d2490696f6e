"""Grade a class: many workers that keep nothing, one process that records and merges.

The workers are those of Dask distributed: of this machine, or of a cluster by the address of its scheduler. Each
holds a warm `JudgeProcess` and gets everything else with the task, so one that dies is replaced.
"""

import logging
import signal
import threading
import zlib
from collections.abc import Callable, Iterator

from course_grader.messages import Assignment, Result, Submission
from course_grader.results import VERSION
from course_grader.settings import Course
from course_grader.submissions import read_submission
from course_grader.worker import close_judges, grade_one, hand_out

_WAITING_PER_WORKER = 3


def shard_of(student: str, number: int) -> int:
    """Return which of ``number`` shards (from 1) a student belongs to; it does not depend on who else is there."""
    return zlib.crc32(student.encode(errors="replace")) % number + 1


def fingerprint_of(assignment: Assignment, submission: Submission, isolated: bool) -> str:
    """Return what a record has to have been made from, to be still valid."""
    return f"{VERSION}:{isolated}:{assignment.fingerprint[:32]}:{submission.fingerprint[:32]}"


def grade_here(
    assignment: Assignment, isolated: bool, submissions: Iterator[Submission]
) -> Iterator[tuple[str, Result]]:
    """Grade one submission after another with one warm judge of this process."""
    for submission in submissions:
        yield submission.student, grade_one(assignment, isolated, submission)


def grade_with_dask(
    assignment: Assignment, isolated: bool, submissions: Iterator[Submission], workers: int, scheduler: str | None
) -> Iterator[tuple[str, Result]]:
    """Grade with the workers of a cluster, or of this machine.

    Args:
        assignment: the assignment.
        isolated: False runs students' code without the sandbox.
        submissions: what to grade; read only as fast as it is needed.
        workers: the number of processes on this machine, where no scheduler is given.
        scheduler: the address of a running Dask scheduler.

    Yields:
        The student and the result, in the order of completion.
    """
    from distributed import Client, LocalCluster, as_completed

    logging.getLogger("distributed").setLevel(logging.ERROR)  # what it has to say is in the records
    cluster = None
    if scheduler is None:
        is_main = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None  # workers inherit it
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.CRITICAL,  # of workers that are stopped with Ctrl-C
        )
        if is_main:
            signal.signal(signal.SIGINT, before)
    client = Client(cluster or scheduler, set_as_default=False)
    try:
        # As a task and not as scattered data: it can be made again if the worker that holds it dies.
        shared = client.submit(hand_out, assignment, pure=False)
        students = {}

        def submit(submission: Submission):
            future = client.submit(grade_one, shared, isolated, submission, pure=False, retries=1)
            students[future.key] = submission.student
            return future

        submissions = iter(submissions)
        width = max(sum(client.ncores().values()), workers, 1) * _WAITING_PER_WORKER
        first = [submit(each) for _, each in zip(range(width), submissions, strict=False)]
        futures = as_completed(first, loop=client.loop)
        for future in futures:
            student = students.pop(future.key)
            if future.status == "finished":
                yield student, future.result()
            else:
                reason = f"the worker ended while grading it ({type(future.exception()).__name__})"
                yield student, Result(problems=[reason], again=True)
            following = next(submissions, None)
            if following is not None:
                futures.add(submit(following))
        client.run(close_judges)
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def read_those_to_grade(
    course: Course, assignment: str, students: list[str], on_read: Callable[[Submission], bool]
) -> Iterator[Submission]:
    """Read submissions one by one and yield each for which ``on_read`` says that it has to be graded."""
    for student in students:
        submission = read_submission(course, student, assignment)
        if on_read(submission):
            yield submission
