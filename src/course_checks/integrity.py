"""Whether the checker is still what it was when it was imported.

A notebook shares its process with the checks, so a cell may bind `checks` to something else, replace `torch.allclose`,
or silence a function of ours: by accident or not. What a verdict rests on is noted at the import, which stands in the
first cell. When a check starts, or a cell that calls one, what has changed is put back and named. Where points are at
stake, `course-grader` runs learners' code in another process, and none of this is needed.
"""

import inspect
import re
import sys
from types import FunctionType, ModuleType
from typing import Any, NoReturn

import torch

_TORCH = {torch: ("equal", "allclose", "isclose", "zeros_like"), torch.testing: ("assert_close",)}
_OURS = ("task", "subject", "cases", "outcomes", "words", "watching", "explain", "predictions")
_OPEN = {"diagnose", "holds_answers"}  # say something in words, or are set by our own tools; no verdict rests on them
_known: dict[tuple[int, str], tuple[Any, str, Any]] = {}  # where, its name in words, and what stood there
_units: dict[str, ModuleType] = {}  # what the notebook calls the checks of its unit
_noticed: list[str] = []


def remember() -> None:
    """Note what stands at each place that a verdict rests on."""
    for place, names in _TORCH.items():
        for name in names:
            _note(place, name, place.__name__)
    for module in [sys.modules[f"course_checks.{each}"] for each in _OURS]:
        for name, value in list(vars(module).items()):
            ours = getattr(value, "__module__", "").startswith("course_checks")
            if ours and name not in _OPEN and isinstance(value, FunctionType | type):
                _note(module, name, module.__name__)
                if isinstance(value, type) and value.__module__ == module.__name__:
                    for inner, method in list(vars(value).items()):
                        if isinstance(method, FunctionType | property):
                            _note(value, inner, f"{module.__name__}.{value.__name__}")


def _note(place: Any, name: str, where: str) -> None:
    _known[id(place), name] = place, f"{where}.{name}", inspect.getattr_static(place, name)


def changed() -> list[str]:
    """Put back what has been replaced, and name it."""
    found = []
    for (_, name), (place, words, before) in _known.items():
        if inspect.getattr_static(place, name, None) is not before:
            setattr(place, name, before)
            found.append(words)
    return found


def require_untouched(task: Any) -> None:
    """Require that everything is what it was at the import.

    Raises:
        CheckFailed: which names what was replaced, after it was put back.
    """
    _noticed.extend(changed() + _shadowed(task))
    if _noticed:
        _tell(task.name)


def _tell(name: str) -> NoReturn:
    from course_checks.words import fail

    seen = ", ".join(f"`{each}`" for each in dict.fromkeys(_noticed[:4]))
    _noticed.clear()
    fail(name, "before the check began", f"{seen}: replaced since the checks were imported; now it is put back",
         "the checker and torch as they are installed", "a cell gives one of these names another meaning, perhaps "
         "without meaning to", "take that line out, and run the cell again, then this one")  # fmt: skip


def _shadowed(task: Any) -> list[str]:
    """Take away what hides a method of a task, and name it."""
    names = [name for name in list(vars(task)) if isinstance(vars(type(task)).get(name), FunctionType | property)]
    for name in names:
        del vars(task)[name]
    return [f"checks.{task.name}.{name}" for name in names]


def watch(shell: Any) -> None:
    """Look at the notebook around its cells: one that calls a check gets the checks that were imported.

    Args:
        shell: the IPython shell.
    """

    def before(info: Any) -> None:
        used = [name for name in _units if re.search(rf"\b{name}\.\w+\.(check|grade|check_limits)\(", info.raw_cell)]
        for name in used:
            now = shell.user_ns.get(name)
            if _is_ours(now) and now is not _units[name]:  # the checks of another unit were imported
                _keep(name, now)
            if now is not _units[name]:
                shell.user_ns[name] = _units[name]
                _noticed.append(name)
            _noticed.extend(_module_changes(name, _units[name]))
        if used:
            _noticed.extend(changed())

    def after(result: Any) -> None:
        for name, value in list(shell.user_ns.items()):
            if _is_ours(value) and name not in _units and not name.startswith("_"):
                _keep(name, value)

    shell.events.register("pre_run_cell", before)
    shell.events.register("post_run_cell", after)


_tasks: dict[str, dict[str, Any]] = {}


def _is_ours(value: Any) -> bool:
    """Say whether it is the checks of a unit, as they were imported."""
    named = isinstance(value, ModuleType) and re.fullmatch(r"course_checks\.\w+", value.__name__)
    return bool(named) and sys.modules.get(value.__name__) is value


def _keep(name: str, module: ModuleType) -> None:
    _units[name] = module
    _tasks[name] = {key: each for key, each in vars(module).items() if hasattr(each, "check")}


def _module_changes(name: str, module: ModuleType) -> list[str]:
    """Put back the tasks of a unit's checks, and name those that were replaced or silenced."""
    found = []
    for key, task in _tasks[name].items():
        if vars(module).get(key) is not task:
            setattr(module, key, task)
            found.append(f"{name}.{key}")
        found.extend(_shadowed(task))
    return found
