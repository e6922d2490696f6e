"""Grade a class: many workers that keep nothing, one process that records and merges.

The workers are those of Dask distributed: of this machine, or of a cluster by the address of its scheduler. They hold a
warm :class:`~course_grader.slot.Slot` each and get everything else with the task, so one that dies is replaced.
"""

import logging
import zlib
from collections.abc import Callable, Iterator

from course_grader.results import VERSION
from course_grader.settings import Course
from course_grader.submissions import Submission, read_submission
from course_grader.worker import close_slots, grade_one, itself

_WAITING_PER_WORKER = 3


def shard_of(student: str, number: int) -> int:
    """Return which of ``number`` shards (from 1) a student belongs to; it does not depend on who else is there."""
    return zlib.crc32(student.encode(errors="replace")) % number + 1


def fingerprint_of(bundle: dict, submission: Submission, isolated: bool) -> str:
    """Return what a record has to have been made from, to be still valid."""
    return f"{VERSION}:{isolated}:{bundle['fingerprint'][:32]}:{submission.fingerprint[:32]}"


def job_of(submission: Submission) -> dict:
    """Return what a worker needs to know of a submission."""
    return {
        "student": submission.student,
        "notebooks": submission.notebooks,
        "files": submission.files,
        "notes": submission.notes,
    }


def grade_here(bundle: dict, isolated: bool, jobs: Iterator[dict]) -> Iterator[tuple[str, dict]]:
    """Grade one submission after another in this process, whose slot stays warm."""
    for job in jobs:
        yield job["student"], grade_one(bundle, isolated, job)


def grade_with_dask(
    bundle: dict, isolated: bool, jobs: Iterator[dict], workers: int, scheduler: str | None
) -> Iterator[tuple[str, dict]]:
    """Grade with the workers of a cluster, or of this machine.

    Args:
        bundle: the assignment, as plain data.
        isolated: False runs students' code without the sandbox.
        jobs: what to grade; read only as fast as it is needed.
        workers: the number of processes on this machine, where no scheduler is given.
        scheduler: the address of a running Dask scheduler.

    Yields:
        The student and the result, in the order of completion.
    """
    from distributed import Client, LocalCluster, as_completed

    logging.getLogger("distributed").setLevel(logging.ERROR)  # what it has to say is in the records
    cluster = None
    if scheduler is None:
        cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
        )
    client = Client(cluster or scheduler, set_as_default=False)
    try:
        # As a task and not as scattered data: it can be made again if the worker that holds it dies.
        shared = client.submit(itself, bundle, pure=False)
        students = {}

        def submit(job: dict):
            future = client.submit(grade_one, shared, isolated, job, pure=False, retries=1)
            students[future.key] = job["student"]
            return future

        jobs = iter(jobs)
        width = max(sum(client.ncores().values()), workers, 1) * _WAITING_PER_WORKER
        first = [submit(job) for _, job in zip(range(width), jobs, strict=False)]
        futures = as_completed(first, loop=client.loop)
        for future in futures:
            student = students.pop(future.key)
            if future.status == "finished":
                yield student, future.result()
            else:
                reason = f"the worker ended while grading it ({type(future.exception()).__name__})"
                yield student, {"problems": [reason], "again": True}
            following = next(jobs, None)
            if following is not None:
                futures.add(submit(following))
        client.run(close_slots)
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def jobs_of(
    course: Course, assignment: str, students: list[str], on_read: Callable[[Submission], bool]
) -> Iterator[dict]:
    """Read submissions one by one and yield the job of each for which ``on_read`` says that it has to be graded."""
    for student in students:
        submission = read_submission(course, student, assignment)
        if on_read(submission):
            yield job_of(submission)
