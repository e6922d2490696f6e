"""Notice when a student's code calls a function that the course's configuration names, and how large tensors get."""

import builtins
import os
import sys
from fnmatch import fnmatchcase

import torch
from torch.overrides import TorchFunctionMode

_TORCH = os.path.dirname(torch.__file__) + os.sep
_HERE = __file__


class Uses:
    """Watches the calls of named functions, per graded name.

    Args:
        reported: ``{graded name or "*": [dotted names]}``; a call is noted. A name with a ``*`` in it, such as
            ``torch.*softmax*``, means all functions of torch whose names fit.
        refused: the same; a call raises.
    """

    def __init__(self, reported: dict, refused: dict):
        self._reported = {name: set(functions) for name, functions in reported.items()}
        self._refused = {name: set(functions) for name, functions in refused.items()}
        names = set().union(*self._reported.values(), *self._refused.values())
        self._patterns = [name for name in names if "*" in name]
        self._functions = {function: name for name in names if (function := _find(name)) is not None}
        self._mode = _Watch(self)
        self._names: dict = {}
        self._found: set[str] = set()
        self.largest = 0  # numbers in the largest tensor since ``start``
        self._task = ""
        self._active = False
        for function, name in self._functions.items():
            if isinstance(function, type):
                _watch_class(function, name, self)

    def start(self, task: str, sizes: bool = False) -> None:
        """Watch from now on, for a graded name; also the sizes of tensors, if the tests watch them."""
        self._task = task
        self._found = set()
        self.largest = 0
        if (sizes or self._functions or self._patterns) and not self._active:
            self._active = True
            self._mode.__enter__()

    def stop(self) -> list[str]:
        """Return the names that were called since ``start``."""
        if self._active:
            self._active = False
            self._mode.__exit__(None, None, None)
        return sorted(self._found)

    def names_of(self, function) -> tuple[str, set[str]]:
        """Return a function's dotted name, and the names and patterns of the configuration that mean it."""
        try:
            known = self._names.get(function)
        except TypeError:  # cannot be looked up
            return "", set()
        if known is None:
            module = getattr(function, "__module__", None) or "torch"
            name = f"{module}.{getattr(function, '__name__', '')}".replace("torch._C._nn", "torch.nn.functional")
            rules = {pattern for pattern in self._patterns if fnmatchcase(name, pattern)}
            if function in self._functions:
                name = self._functions[function]
                rules.add(name)
            known = self._names[function] = name, rules
        return known

    def note(self, name: str, rules: set[str]) -> None:
        """Handle a call of a function that some rules mean.

        Raises:
            RuntimeError: if the function is refused.
        """
        if not _called_by_a_cell():
            return
        for which, functions in self._refused.items():
            if rules & functions and which in ("*", self._task):
                self._found.add(name)
                raise RuntimeError(f"{name} is not allowed in {self._task or 'this notebook'}")
        if any(rules & functions and which in ("*", self._task) for which, functions in self._reported.items()):
            self._found.add(name)


class _Watch(TorchFunctionMode):
    def __init__(self, uses: Uses):
        super().__init__()
        self._uses = uses

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name, rules = self._uses.names_of(function)
        if rules:
            self._uses.note(name, rules)
        result = function(*args, **(kwargs or {}))
        for each in result if isinstance(result, tuple | list) else (result,):
            if isinstance(each, torch.Tensor):
                self._uses.largest = max(self._uses.largest, each.numel())
        return result


def _watch_class(kind: type, name: str, uses: Uses) -> None:
    original = kind.__init__

    def __init__(self, *args, **kwargs):
        uses.note(name, {name})
        original(self, *args, **kwargs)

    kind.__init__ = __init__


def _find(name: str):
    parts = name.split(".")
    found = sys.modules.get(parts[0]) or getattr(builtins, parts[0], None)
    for part in parts[1:]:
        found = getattr(found, part, None)
    return found


def _called_by_a_cell() -> bool:
    frame = sys._getframe(2)
    while frame is not None:
        filename = frame.f_code.co_filename
        if filename.startswith("<cell "):
            return True
        if not filename.startswith(_TORCH) and filename != _HERE:
            return False
        if _is_of_a_cell(frame.f_locals.get("self")):  # torch's code, run for a class that inherits it
            return True
        frame = frame.f_back
    return False


def _is_of_a_cell(value) -> bool:
    """Say whether an object's class was written in a cell, if only as a class that inherits everything."""
    return any(kind.__module__ == "__main__" for kind in type(value).__mro__)
