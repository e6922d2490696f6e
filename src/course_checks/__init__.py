"""The checks of the exercises: a folder for each unit, in it a file for each task; here beside them, what all share.

A mistake is a wrong answer: a small function or class that a learner could have written, with the words that explain
it. A check compares what the learner's code does with an oracle (torch, or numbers worked by hand; never the library).
Only where the two differ does it run the wrong answers on the same inputs, and the one that does the same names the
cause. Start with unit 04, whose tasks are short. The framework, in the order in which it is best read:

- `task`, `cases`, `programs`: what a unit writes down, namely requirements, situations, and edits of the solution
- `outcomes`, `subject`, `watching`, `modules`, `sizes`: what an answer did, and with which functions
- `diagnose`, `explain`, `exceptions`, `repair`: from a difference to its cause
- `words`, `card`: what is said, and how it looks; `integrity`: that nobody has changed the checker meanwhile

What else stands here is used by notebooks and terminals, and no check needs it: `predictions`, `variants`, `progress`
with `progress_cell`, and `cli`.
"""

from course_checks import card, integrity, task  # noqa: F401 (what is noted of it must be there)
from course_checks.predictions import prepare_to_grade

__all__ = ["prepare_to_grade"]

integrity.remember()
if (_shell := card.ipython()) is not None:
    integrity.watch(_shell)
