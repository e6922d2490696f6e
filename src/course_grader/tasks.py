"""What a class as a whole says of an assignment: how hard each task was, whom it tells apart, and how scores lie."""

import statistics
from collections.abc import Sequence

from course_grader.messages import Record, Score

ENOUGH = 10  # submissions, below which a correlation says nothing
_BARS = 10


def task_statistics(records: list[Record]) -> list[dict]:
    """Return, per task, its points, the mean, how many earned all, a part, or nothing, and its discrimination.

    Args:
        records: one for each submission.

    Returns:
        Dictionaries with task, points, mean, full, part, none, and discrimination: the correlation of the task's
        points with those of all other tasks, None for fewer than `ENOUGH` submissions or where everybody has the same.
    """
    scores: dict[str, list[Score]] = {}
    others: dict[str, list[float]] = {}
    for record in records:
        graded = [
            (name, score)
            for one in record.notebooks.values()
            for name, score in one.scores.items()
            if not score.manual and score.points > 0  # a person has not read it yet; a stretch task has no points
        ]
        together = sum(score.score for _, score in graded)
        for name, score in graded:
            scores.setdefault(name, []).append(score)
            others.setdefault(name, []).append(together - score.score)
    return [
        {
            "task": name,
            "points": each[0].points,
            "mean": statistics.fmean(score.score for score in each),
            "full": sum(score.score == score.points for score in each),
            "part": sum(0 < score.score < score.points for score in each),
            "none": sum(score.score == 0 for score in each),
            "discrimination": _correlation([score.score for score in each], others[name]),
        }
        for name, each in scores.items()
    ]


def _correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    if len(first) < ENOUGH or min(first) == max(first) or min(second) == max(second):
        return None
    return statistics.correlation(first, second)


def distribution(records: list[Record]) -> list[tuple[str, int]]:
    """Count the submissions in each tenth of the points that a machine gives; the last tenth holds its upper end.

    Args:
        records: one for each submission; those that nobody could grade are left out.

    Returns:
        Ten ``(from to, how many)``, in percent; empty without a graded submission.
    """
    shares = []
    for record in records:
        points = sum(
            score.points for one in record.notebooks.values() for score in one.scores.values() if not score.manual
        )
        if points > 0:
            shares.append(record.score / points)
    if not shares:
        return []
    counts = [0] * _BARS
    for share in shares:
        counts[min(max(int(share * _BARS + 1e-9), 0), _BARS - 1)] += 1
    width = 100 // _BARS
    return [(f"{i * width} to {(i + 1) * width} %", count) for i, count in enumerate(counts)]
