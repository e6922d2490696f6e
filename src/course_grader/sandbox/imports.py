"""What cannot be imported while an assignment is graded.

A learner's cell that imports a forbidden module gets an error. Library code that imports one (the visible checks import
their oracle) gets a hollow module instead, whose functions raise when they are called, so that the library still loads.
A stand-in is there for everybody and does nothing: the checks that a notebook imports run with the tests, elsewhere.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


class ImportGuard:
    """A finder that comes before all others.

    Args:
        forbidden: the names of modules; what lies below them is forbidden too.
        stand_ins: the names of packages that can be imported, with whatever is asked of them, and do nothing.
    """

    def __init__(self, forbidden: Sequence[str], stand_ins: Sequence[str] = ()):
        self._forbidden, self._stand_ins = tuple(forbidden), tuple(stand_ins)

    def install(self) -> None:
        """Guard all imports from now on, and forget what was imported before."""
        for name in [name for name in sys.modules if _is_below(name, (*self._forbidden, *self._stand_ins))]:
            del sys.modules[name]
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path=None, target=None) -> ModuleSpec | None:
        """Raise for a cell, give library code a hollow module, and leave other modules to the other finders."""
        if _is_below(name, self._stand_ins):
            return ModuleSpec(name, self, is_package=True)
        if not _is_below(name, self._forbidden):
            return None
        if _importer().startswith("<cell "):
            raise ModuleNotFoundError(_sentence(name), name=name)
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return a module that has every name."""
        return _StandIn(spec.name) if _is_below(spec.name, self._stand_ins) else _Hollow(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave it hollow."""


class _Hollow(ModuleType):
    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        module = self.__name__

        def not_available(*args, **kwargs):
            raise ModuleNotFoundError(_sentence(module), name=module)

        return not_available


class _StandIn(ModuleType):
    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing(f"{self.__name__}.{name}")

    def __call__(self, *args, **kwargs) -> None:
        """Do nothing, and say nothing: a function that a cell imports by its name was loaded as if it were a module."""


class _Nothing:
    """A name of a stand-in, and the names below it; calling it says that nothing happens."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing(f"{self._name}.{name}")

    def __call__(self, *args, **kwargs) -> None:
        print(f"({self._name} does nothing in a submission; it runs with the tests)")


def _is_below(name: str, places: tuple[str, ...]) -> bool:
    return any(name == each or name.startswith(each + ".") for each in places)


def _sentence(name: str) -> str:
    return f"{name} is not available while this assignment is graded"


def _importer() -> str:
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return "" if frame is None else frame.f_code.co_filename
