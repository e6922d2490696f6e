"""What a check says, in one line, and to which task a cell with tests belongs."""

import re

from course_grader.messages import NOT_ATTEMPTED, STOPPED, Failure, Score

_CAUSE = re.compile(r"\s+likely cause:\s*(\S.*)")
_OBSERVED = re.compile(r"\s+observed:\s*(\S.*)")
_UNKNOWN_CAUSES = ("no mistake that we know", "what the message says")
_PREFIX = "test-"
_PARTS = {"-hidden": "hidden test", "-limits": "rare cases", "-measured": "measurement"}


def task_of(cell: str) -> str:
    """Return the task of a test: ``softmax`` for test-softmax, test-softmax-hidden and test-softmax-limits.

    Args:
        cell: the id of the cell. In a course that names its cells otherwise, each is a task of its own.
    """
    name = cell.removeprefix(_PREFIX)
    for part in _PARTS:
        name = name.removesuffix(part)
    return name or cell


def in_words(cell: str) -> str:
    """Say which part of which task a cell tests: ``softmax: rare cases`` for test-softmax-limits.

    Args:
        cell: the id of the cell; one that is not named like this, such as that of a written answer, stays as it is.
    """
    if not cell.startswith(_PREFIX):
        return cell
    parts = [words for part, words in _PARTS.items() if cell.endswith(part)]
    return f"{task_of(cell)}: {(parts or ['visible check'])[0]}"


def likely_cause(failure: Failure) -> str:
    """Return the line "likely cause: ..." of a message; empty if there is none, or none that is known."""
    found = _labelled(_CAUSE, failure)
    return "" if found.startswith(_UNKNOWN_CAUSES) else found


def brief(failure: Failure) -> str:
    """Return what a message comes to: its likely cause, or its first line with what was observed."""
    first = next(iter(failure.message.strip().splitlines()), failure.type).strip().removesuffix(":")
    observed = _labelled(_OBSERVED, failure)
    return likely_cause(failure) or (f"{first}: {observed}" if observed else first)


def _labelled(label: re.Pattern, failure: Failure) -> str:
    found = next(filter(None, map(label.match, failure.message.splitlines())), None)
    return found[1].strip() if found else ""


def of_task(scores: list[Score]) -> list[str]:
    """Return what the tests of one task found, each cause once.

    Where one test names a cause, those that name none, and those that were not run, add nothing.

    Args:
        scores: of one learner and one task.
    """
    failures = [score.error for score in scores if score.error and score.error.type != NOT_ATTEMPTED]
    causes = list(dict.fromkeys(filter(None, map(likely_cause, failures))))
    return causes or [brief(failure) for failure in sorted(failures, key=lambda each: each.type == STOPPED)][:1]


def is_attempted(scores: list[Score]) -> bool:
    """Say whether a learner worked on a task."""
    return not any(score.error and score.error.type == NOT_ATTEMPTED for score in scores)
