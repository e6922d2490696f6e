"""What runs in a worker. It needs nothing of nbgrader, which takes seconds to load."""

import atexit

from course_grader.slot import Slot, SlotError

_slots: dict[tuple, Slot] = {}


def itself(bundle: dict) -> dict:
    """Hand an assignment to the workers that need it."""
    return bundle


def grade_one(bundle: dict, isolated: bool, job: dict) -> dict:
    """Grade one submission in this process's slot. This is the task that workers run."""
    key = (bundle["fingerprint"], isolated)
    for attempt in (1, 2):
        try:
            if key not in _slots:
                close_slots()
                _slots[key] = Slot(bundle, isolated)
            return _slots[key].grade(job)
        except SlotError as error:
            close_slots()
            if attempt == 2:
                return {"problems": [f"the grader failed twice on it: {error}"], "again": True}
    return {}


def close_slots() -> None:
    """End the warm processes of this worker."""
    while _slots:
        _slots.popitem()[1].close()


atexit.register(close_slots)
