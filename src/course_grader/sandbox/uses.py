"""Notice when a student's code calls a function that the course's configuration names, and how large tensors get."""

import builtins
import contextlib
import os
import sys
import sysconfig
from fnmatch import fnmatchcase
from functools import cache, partialmethod
from types import CodeType

import torch

from course_grader.sharing.peer import call
from torch_watching.calls import WAYS_ROUND, TorchCalls, hear_threads_and_scripts

_NEUTRAL = (os.path.dirname(torch.__file__) + os.sep, sysconfig.get_path("stdlib") + os.sep, "<frozen ")
# Where only a name is known: `x * 2` has the name of torch.mul, and is not a call of it.
_OPERATORS = {f"torch.{name}" for name in ("add", "sub", "mul", "div", "floor_divide", "remainder", "pow", "matmul")}


class Uses(TorchCalls):
    """Watches the calls of named functions, per graded name.

    Args:
        reported: ``{graded name or "*": [dotted names]}``; a call is noted. A name with a ``*`` in it, such as
            ``torch.*softmax*``, means all functions of torch whose names fit.
        refused: the same; a call raises.
    """

    learners_at_first = True

    def __init__(self, reported: dict, refused: dict):
        self._reported = {name: set(functions) for name, functions in reported.items()}
        self._refused = {name: set(functions) for name, functions in refused.items()}
        names = set().union(*self._reported.values(), *self._refused.values())
        self._patterns = {name for name in names if "*" in name}
        self._functions = {function: name for name in names if (function := _find(name)) is not None}
        # What has to be watched: a class says itself when an object of it is made.
        self._called = names - {name for function, name in self._functions.items() if isinstance(function, type)}
        self._rules: dict = {}
        self._found: set[str] = set()
        self.largest = 0  # numbers in the largest tensor since ``start``
        self._task = ""
        self._active = False
        hear_threads_and_scripts(self)  # always: a thread of an early cell can work for a later call
        for function, name in self._functions.items():
            if isinstance(function, type):
                function.__init__ = partialmethod(_noted, self, name, function.__init__)

    def start(self, task: str, sizes: bool = False) -> None:
        """Watch from now on, if there are rules for a graded name; also the sizes of tensors, if the tests watch them.

        A cell, which has no name, is watched only where a rule holds for the whole notebook: it may train a model.
        """
        self._task = task
        self._found = set()
        self.largest = 0
        has_rules = self._called & set().union(*_rules_of(task, self._reported), *_rules_of(task, self._refused))
        if (sizes or has_rules) and not self._active:
            self._active = True
            self.__enter__()

    def stop(self) -> list[str]:
        """Return the names that were called since ``start``."""
        if self._active:
            self._active = False
            self.__exit__()
        return sorted(self._found)

    def otherwise(self) -> "Uses":
        """Go on hearing threads."""
        return self

    def is_learners(self, code: CodeType) -> bool | None:
        """Cells, and files beside the notebook, are the learner's; the rest of the grader and of the course is not."""
        if code is call.__code__:  # what it calls is what the learner wrote, or a function of torch in its place
            return True
        return None if code is _noted.__code__ else _is_learners(code.co_filename, os.getcwd())

    def called(self, name: str, function: object) -> None:
        """Handle a call of the learner's.

        Raises:
            RuntimeError: if the function is refused.
        """
        if not self._active:
            return
        name, known = name.replace("torch._C._nn", "torch.nn.functional"), None
        with contextlib.suppress(TypeError):  # it cannot be looked up
            known = self._functions.get(function)
        if known is None and function is None and name not in _OPERATORS:
            known = name
        if (known, name) not in self._rules:
            fitting = {pattern for pattern in self._patterns if fnmatchcase(known or name, pattern)}
            self._rules[known, name] = fitting | {known}
        self.note(known or name, self._rules[known, name])

    def returned(self, result: object) -> None:
        """Look at the size of what a function returned."""
        for each in result if isinstance(result, tuple | list) else (result,):
            if isinstance(each, torch.Tensor):
                self.largest = max(self.largest, each.numel())

    def note(self, name: str, rules: set[str]) -> None:
        """Handle a call of a function that some rules mean.

        Raises:
            RuntimeError: if the function is refused.
        """
        if any(rules & functions or name in WAYS_ROUND for functions in _rules_of(self._task, self._refused)):
            self._found.add(name)
            raise RuntimeError(f"{name} is not allowed in {self._task or 'this notebook'}")
        if any(rules & functions for functions in _rules_of(self._task, self._reported)):
            self._found.add(name)

    def is_called_by_learner(self) -> bool:
        """Say whether what runs now was called by the learner's code, if only through torch's."""
        frame = sys._getframe(2)
        while frame is not None and (learners := self.is_learners(frame.f_code)) is None:
            frame = frame.f_back
        return frame is not None and learners


@cache
def _is_learners(filename: str, folder: str) -> bool | None:
    is_installed = f"{os.sep}site-packages{os.sep}" in filename or f"{os.sep}dist-packages{os.sep}" in filename
    if is_installed or filename.startswith(_NEUTRAL):
        return None
    return filename.startswith(("<", folder + os.sep))  # a cell, or generated from one; or a file beside the notebook


def _rules_of(task: str, rules: dict[str, set[str]]) -> list[set[str]]:
    return [functions for which, functions in rules.items() if which in ("*", task)]


def _noted(created, uses: Uses, name: str, original, *args, **kwargs) -> None:
    """Create an object of a class that some rules mean."""
    if uses.is_called_by_learner():
        uses.note(name, {name})
    original(created, *args, **kwargs)


def _find(name: str):
    parts = name.split(".")
    found = sys.modules.get(parts[0]) or getattr(builtins, parts[0], None)
    for part in parts[1:]:
        found = getattr(found, part, None)
    return found
