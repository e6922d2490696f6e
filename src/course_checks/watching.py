"""What ran while the learner's code was called: torch functions that the task does not allow, and our own library."""

import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from inspect import CO_OPTIMIZED
from os.path import dirname, sep
from types import CodeType, FrameType

import torch

import torch_watching
import transformer_course
from torch_watching.calls import WAYS_ROUND, TorchCalls
from transformer_course.common.units import SLUGS, UNITS

# Of a unit's checks, the modules whose functions a check hands over for the learner's code to call.
HANDED_OUT = ("inputs", "models")
# What else has the answers of a unit ready: a module beside it, and packages, whatever module of theirs is called.
BESIDE = {"modern_transformer": "transformer_course.published.pretrained"}
PACKAGES = {unit.slug: unit.packages for unit in UNITS}

_COURSE = tuple(path + sep for path in (dirname(__file__), *torch_watching.__path__, *transformer_course.__path__))
_INSTALLED = (dirname(torch.__file__) + sep, sysconfig.get_path("stdlib") + sep, "<frozen ")
_PACKAGES = (f"{sep}site-packages{sep}", f"{sep}dist-packages{sep}")


def off_limits(unit: str) -> set[str]:
    """Name the library's modules that are no help while ``unit`` is graded: its own, later ones, and what has theirs.

    The right answers of the checks are off limits too, in every unit; they are not named here.
    """
    later = SLUGS[SLUGS.index(unit) :]
    return {f"transformer_course.{name}" for name in later} | {BESIDE[name] for name in later if name in BESIDE}


class Watch:
    """What was seen: ``torch_functions``, full names in the order of the calls, and ``library_functions``."""

    def __init__(self):
        self.torch_functions: list[str] = []
        self.library_functions: list[str] = []

    def forbidden(self, not_allowed: tuple[str, ...]) -> str | None:
        """Name the first function whose name contains one of the words, such as ``("softmax",)``; None if none does.

        Where something is not allowed, what would hide it is not allowed either.
        """
        named = [name for name in self.torch_functions if any(word in name for word in not_allowed)]
        hiding = [name for name in self.torch_functions if not_allowed and name in WAYS_ROUND]
        return next(iter(named + hiding), None)


class _Calls(TorchCalls):
    def __init__(self, unit: str, watch: Watch):
        self._watch, self._off_limits, self._packages = watch, off_limits(unit), PACKAGES.get(unit, ())

    def is_learners(self, code: CodeType) -> bool | None:
        return _is_learners(code.co_filename, self._packages)

    def called(self, name: str, function: object) -> None:
        self._watch.torch_functions.append(name)

    def entered(self, frame: FrameType, by_learner: bool) -> None:
        module, code = frame.f_globals.get("__name__") or "", frame.f_code
        if not code.co_flags & CO_OPTIMIZED:  # the body of a module or a class: that is an import
            return
        own = holds_answers(module, "__path__" in frame.f_globals, code.co_qualname) and by_learner
        if own or module in self._off_limits or module.partition(".")[0] in self._packages:
            self._watch.library_functions.append(f"{module}.{code.co_name}")


@cache
def _is_learners(filename: str, packages: tuple[str, ...]) -> bool | None:
    if filename.startswith(_COURSE):
        return False
    if any(f"{sep}{package}{sep}" in filename for package in packages):
        return False
    is_installed = filename.startswith(_INSTALLED) or any(each in filename for each in _PACKAGES)
    return None if is_installed else True


def holds_answers(module: str, is_package: bool, name: str) -> bool:
    """Say whether a function is one of a unit's checks that a learner can only have imported.

    What a check hands to the learner's code to call is a function inside another, a lambda, a method of an object, or
    stands in a module for such things.
    """
    package, *inside = module.split(".")
    of_a_unit = package == "course_checks" and (is_package and inside or len(inside) > 1)
    return (
        of_a_unit
        and inside[-1] not in HANDED_OUT
        and name != "<lambda>"
        and ("." not in name or name.count(".") == 1 and name.endswith(".__init__"))
    )


@contextmanager
def watching(unit: str) -> Iterator[Watch]:
    """Note which torch functions and which off-limits functions of the library run inside the ``with``.

    Calls count that the learner's code makes, in whatever way and in whatever thread; not those that torch, an earlier
    part of the library, or a function that the check handed over make in turn.

    Args:
        unit: the unit that is graded, its name without the number.

    Yields:
        A `Watch`, complete when the ``with`` ends.
    """
    watch = Watch()
    with _Calls(unit, watch):
        yield watch
