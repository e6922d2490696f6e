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

from course_grader.sandbox.torch_calls import WAYS_ROUND, TorchCalls
from course_grader.sharing.peer import call

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
        self._rules: dict = {}
        self._found: set[str] = set()
        self.largest = 0  # numbers in the largest tensor since ``start``
        self._task = ""
        self._active = False
        for function, name in self._functions.items():
            if isinstance(function, type):
                function.__init__ = partialmethod(_noted, self, name, function.__init__)

    def start(self, task: str, sizes: bool = False) -> None:
        """Watch from now on, for a graded name; also the sizes of tensors, if the tests watch them."""
        self._task = task
        self._found = set()
        self.largest = 0
        if (sizes or self._functions or self._patterns) and not self._active:
            self._active = True
            self.__enter__()

    def stop(self) -> list[str]:
        """Return the names that were called since ``start``."""
        if self._active:
            self._active = False
            self.__exit__()
        return sorted(self._found)

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
        for which, functions in self._refused.items():
            if which in ("*", self._task) and (rules & functions or name in WAYS_ROUND):
                self._found.add(name)
                raise RuntimeError(f"{name} is not allowed in {self._task or 'this notebook'}")
        if any(rules & functions and which in ("*", self._task) for which, functions in self._reported.items()):
            self._found.add(name)


@cache
def _is_learners(filename: str, folder: str) -> bool | None:
    is_installed = f"{os.sep}site-packages{os.sep}" in filename or f"{os.sep}dist-packages{os.sep}" in filename
    if is_installed or filename.startswith(_NEUTRAL):
        return None
    return filename.startswith(("<", folder + os.sep))  # a cell, or generated from one; or a file beside the notebook


def _noted(created, uses: Uses, name: str, original, *args, **kwargs) -> None:
    """Create an object of a class that some rules mean."""
    if uses.is_learners_turn():
        uses.note(name, {name})
    original(created, *args, **kwargs)


def _find(name: str):
    parts = name.split(".")
    found = sys.modules.get(parts[0]) or getattr(builtins, parts[0], None)
    for part in parts[1:]:
        found = getattr(found, part, None)
    return found
