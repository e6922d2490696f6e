"""What ran while the learner's code was called: torch functions that the task does not allow, and our own library."""

import sys
from contextlib import contextmanager
from inspect import CO_OPTIMIZED
from types import FrameType

from torch.overrides import TorchFunctionMode

from transformer_course.units import SLUGS as UNITS

# Of a unit's checks, the only modules that a learner's code may call, because a check hands their functions to it.
HANDED_OUT = ("inputs", "models")
# What else has the answers of a unit ready: a module beside it, and packages, whatever module of theirs is called.
BESIDE = {"decoding": "transformer_course.cached_decoding"}
PACKAGES = {"decoding": ("sacrebleu", "nltk", "torchmetrics", "torcheval")}


def off_limits(unit: str) -> set[str]:
    """Name the library's modules that are no help while ``unit`` is graded: its own, later ones, and the oracle."""
    later = UNITS[UNITS.index(unit) :]
    return {f"transformer_course.{name}" for name in later} | {BESIDE[name] for name in later if name in BESIDE}


class _Functions(TorchFunctionMode):
    """Notes functions by the name under which Python code called them."""

    def __init__(self, names: list[str]):
        super().__init__()
        self.names = names

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append(f"{getattr(func, '__module__', None) or 'torch'}.{getattr(func, '__name__', func)}")
        return func(*args, **(kwargs or {}))


class Watch:
    """What was seen: ``torch_functions``, full names in the order of the calls, and ``library_functions``."""

    def __init__(self):
        self.torch_functions: list[str] = []
        self.library_functions: list[str] = []

    def add(self, other: object) -> None:
        """Add what another watch saw, where the function itself ran elsewhere and carries its watch as ``watched``."""
        if type(other) is Watch:
            self.torch_functions += other.torch_functions
            self.library_functions += other.library_functions

    def forbidden(self, not_allowed: tuple[str, ...]) -> str | None:
        """Name the first function whose name contains one of the words, such as ``("softmax",)``; None if none does."""
        for full_name in self.torch_functions:
            if any(word in full_name for word in not_allowed):
                return full_name
        return None


def holds_answers(module: str) -> bool:
    """Say whether a module of ours has right or wrong answers, which a learner's code must not call."""
    parts = module.split(".")
    return parts[0] == "course_checks" and parts[1:2] != [] and parts[1] in UNITS and parts[-1] not in HANDED_OUT


@contextmanager
def watching(unit: str):
    """Note which torch functions and which off-limits functions of the library run inside the ``with``.

    Args:
        unit: the unit that is graded, as in `UNITS`.

    Yields:
        A `Watch`, complete when the ``with`` ends.
    """
    watch, modules, packages = Watch(), off_limits(unit), PACKAGES.get(unit, ())

    def note(frame: FrameType, event: str, argument: object) -> None:
        module = frame.f_globals.get("__name__") or ""
        if (
            event == "call"
            and frame.f_code.co_flags & CO_OPTIMIZED  # a function, not the body of a module or class: that is an import
            and (module in modules or holds_answers(module) or module.partition(".")[0] in packages)
        ):
            watch.library_functions.append(f"{module}.{frame.f_code.co_name}")

    before = sys.getprofile()
    with _Functions(watch.torch_functions):
        sys.setprofile(note)
        try:
            yield watch
        finally:
            sys.setprofile(before)
