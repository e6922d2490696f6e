"""Task `require_bos` of exercise 01: an error that says what is wrong."""

import torch

from course_checks.cases import Case
from course_checks.sequence_transduction.shared import UNIT
from course_checks.task import Task
from course_checks.words import Finding

task = Task("require_bos", UNIT)
# fmt: off
_READ = "read your message as somebody who sees nothing else: which argument is it, what should it be, what is it?"
_ROWS = "try a batch whose first row is right, and one whose last row is"
task.edit("raise ValueError(", {
    "raise AssertionError(": (
        "another exception than ValueError (`assert` raises AssertionError)", "`raise ValueError(message)`"),
    "return ValueError(": ("the error is made or printed, and not raised", "`raise` in front of it")})
_GOT = ", got {target[row, 0]} in row {row}"
task.edit("{name}: expected BOS = {BOS} in front of each row" + _GOT, {
    "expected BOS = {BOS}" + _GOT: ("the message does not name the argument, which `name` holds", _READ),
    "target: expected BOS = {BOS}" + _GOT: ("the message always says `target`, whatever `name` is", _READ),
    "{name}" + _GOT: ("the message does not say what was expected: BOS", _READ),
    "{name}: expected BOS = {BOS}": ("the message does not say what came in the place of BOS", _READ),
    "{name}: expected BOS = {BOS}, got {target[0, 0]}": (
        "the message shows another row than the one that is wrong", _READ),
    "wrong input": ("the message says nothing that helps: neither which argument, nor what came", _READ)})
task.edit("target[:, 0] != BOS", {
    "target[:1, 0] != BOS": ("only the first row is looked at", _ROWS),
    "(target != BOS).all(dim=1)": ("it looks for BOS anywhere in the row, not in front", _ROWS),
    "target[:, 0] == BOS": ("the condition is turned around: right rows are refused", _ROWS),
    "target[:, -1] != BOS": ("it looks at the last column, not at the first", _ROWS)})
task.edit("wrong.any()", {"wrong.all()": (
    "it refuses only if all rows are wrong (`all` in the place of `any`)", _ROWS)})
# fmt: on


def says(answer, name, target, came):
    """Observe what the message says."""
    seen = "it raised nothing"
    try:
        answer(name, target)
    except Finding:
        raise
    except ValueError as error:
        text = str(error)
        missing = [part for part in (name, "BOS", str(came)) if part not in text]
        if not missing:
            return True
        seen = f"the message does not say {', '.join(missing)}:\n{text!r}"  # the first line is what is compared
    except Exception as error:
        seen = f"it raised {type(error).__name__}"
    raise Finding(seen, EXPECTED, "an error that leaves out what its reader needs, or does not come", _READ)


def no_alarm(answer, name, target):
    """Observe whether right rows pass."""
    try:
        return answer(name, target)
    except ValueError:
        raise Finding("it raised a ValueError for rows that all begin with BOS", "nothing happens for a right target",
                      "the condition looks at another column, or at more than the first", _ROWS) from None  # fmt: skip


EXPECTED = "a ValueError that names the argument (`name`), what was expected (BOS), and what came (the token)"


def refused(situation, name, came, *rows):
    """Make the case of rows of which one does not begin with BOS."""
    return Case(situation, (name, torch.tensor(rows), came), says, right=True)


def accepted(situation, *rows):
    """Make the case of rows that all begin with BOS."""
    return Case(situation, ("target", torch.tensor(rows)), no_alarm, right=None)


task.require("right rows pass", "nothing happens for a right target",
             [accepted("two rows, one with padding", [1, 7, 2, 0], [1, 5, 6, 2])],
             [accepted("one row, cut", [1, 8, 9]), accepted("BOS twice", [1, 1, 2], [1, 4, 1]),
              accepted("BOS alone", [1])])  # fmt: skip
task.require("the error names the argument, what was expected and what came", EXPECTED,
             [refused("`target`, token 57 in front of its only row", "target", 57, [57, 6, 2]),
              refused("`target`, token 57 in front of row 1", "target", 57, [1, 5, 2], [57, 6, 2]),
              refused("`translation`, token 83 in front of row 0", "translation", 83, [83, 5, 1], [1, 6, 2])],
             [refused("a third name, token 94", "french", 94, [1, 5, 2], [1, 1, 2], [94, 1, 2]),
              refused("no row is right", "target", 77, [77, 4, 1], [77, 1, 2])])  # fmt: skip
