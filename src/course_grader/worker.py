"""What runs in a worker. It needs nothing of nbgrader, which takes seconds to load."""

import atexit

from course_grader.judge.process import JudgeError, JudgeProcess
from course_grader.messages import Assignment, Result, Submission

_judges: dict[tuple, JudgeProcess] = {}


def hand_out(assignment: Assignment) -> Assignment:
    """Give an assignment to the workers that need it."""
    return assignment


def grade_one(assignment: Assignment, isolated: bool, submission: Submission) -> Result:
    """Grade one submission with this process's judge. This is the task that workers run."""
    key = (assignment.fingerprint, isolated)
    for attempt in (1, 2):
        try:
            if key not in _judges:
                close_judges()
                _judges[key] = JudgeProcess(assignment, isolated)
            return _judges[key].grade(submission)
        except JudgeError as error:
            close_judges()
            if attempt == 2:
                return Result(problems=[f"the grader failed twice on it: {error}"], again=True)
    raise AssertionError("two attempts return or raise")


def close_judges() -> None:
    """End the warm processes of this worker."""
    while _judges:
        _judges.popitem()[1].close()


atexit.register(close_judges)
