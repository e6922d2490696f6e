"""Where no known mistake fits: which one small change of the learner's own code makes the result right?

The answer is a line and a question, never the change. The search runs in a fork of this process where there is one, so
that a change that loops, fills the memory or crashes costs nothing; elsewhere in this process, where a loop is still
stopped. What a grader runs elsewhere, and code whose source cannot be found, is left alone.

`operators` says which changes there are, `changes` makes them in a program, `source` finds the learner's, `search`
tries them, and `process` keeps what happens then away from the notebook.
"""

import ast
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from course_checks.cases import Case
from course_checks.programs import programs, right_cells
from course_checks.repair.process import in_a_process_of_its_own
from course_checks.repair.search import VISIBLE, Repair, Search
from course_checks.repair.source import Source
from course_checks.words import Finding

if TYPE_CHECKING:
    from course_checks.task import Requirement, Task

_LINES = 2  # more lines than these say nothing


def repair(task: "Task", requirement: "Requirement", failing: Case, answer: Any) -> tuple[Finding | None, bool]:
    """Look for the line of an answer that one small change makes right.

    Args:
        task: the task.
        requirement: what is not met.
        failing: a case of it that is wrong.
        answer: the learner's function or class itself.

    Returns:
        The line and a question, None where nothing is found or too much; and whether all cases are right then.
    """
    source = Source.of(answer)
    if source is None:
        return None, False
    search = Search(task, requirement, failing, source)
    own_process = hasattr(os, "fork") and sys.platform == "linux"
    return told(list(in_a_process_of_its_own(search) if own_process else search.found()))


def elsewhere(task: "Task", failing: Case, answer: Any) -> Finding | None:
    """Find the mistake in another answer that this one calls: with a right one in its place all is right.

    Args:
        task: the task.
        failing: a case of it that is wrong.
        answer: the learner's function or class itself.
    """
    source = Source.of(answer)
    if source is None or not task.unit:
        return None
    used = {node.id for node in ast.walk(source.definition) if isinstance(node, ast.Name)}
    theirs = {name for name in used - {task.name} if callable(source.names.get(name))}
    others = [name for name in programs(task.unit) if name in theirs]
    for those in [*([name] for name in others), others] if others else []:
        names = source.names | {name: right_cells(task.unit)[name] for name in those}
        try:
            mended = source.run(names)
            right = all(case.outcome(mended).agrees(task.expected(case), case.within)
                        for case in (failing, *task.cases_with(failing)))  # fmt: skip
        except Exception:
            return None
        if right:
            quoted = " and ".join(f"`{name}`" for name in those)
            cause = f"the mistake is in your {quoted}: with a right one in its place this task is right"
            return Finding("", "", cause, f"run the check of {quoted} first")
    return None


def told(repairs: Sequence[Repair]) -> tuple[Finding | None, bool]:
    """Put into words what a search found: one line, or two; more would say nothing."""
    mends = max((each.mends for each in repairs), default=0)
    repairs = [each for each in repairs if each.mends == mends]
    right = "it right" if mends > VISIBLE else "this right, though not yet all the rest"
    if not all(each.adds for each in repairs):
        repairs = [each for each in repairs if not each.adds]
    elif repairs:  # what is missing can be put in at many places from some line on
        repairs = sorted((each for each in repairs if each.kind == repairs[0].kind), key=lambda each: each.line)
        if repairs[0].line < repairs[-1].line:
            cause = f"from the line `{repairs[0].text}` on, in it or further down, one small addition makes {right}"
            return Finding("", "", cause, f"in these lines: {repairs[0].question}"), mends > VISIBLE
    lines = {each.line: each.text for each in reversed(repairs)}
    if not 0 < len(lines) <= _LINES:
        return None, False
    quoted = " or in ".join(f"`{text}`" for text in reversed(lines.values()))
    cause = f"one small change in the line {quoted} makes {right}"
    return Finding("", "", cause, f"in that line: {repairs[0].question}"), mends > VISIBLE
