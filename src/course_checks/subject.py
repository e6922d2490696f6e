"""The learner's function or class, called with care: what goes wrong in a call becomes a `Finding`."""

import contextlib
import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

from torch import Tensor, nn

from course_checks.outcomes import same
from course_checks.watching import Watch, watching
from course_checks.words import Finding

PATIENCE = 20.0  # seconds, after which a learner is told how to stop a call that may be endless
_STILL_RUNNING = (
    "\n... your code still runs, longer than an answer should need. If it has a loop that may never end, interrupt the "
    "kernel (the square in the toolbar); the check then says what it saw."
)


class Subject:
    """Calls what the learner wrote as if it were called directly.

    Every call is watched for functions that are not allowed, and must leave its tensors as they are. A module that a
    call makes comes back as a `Subject` too, and so do the methods of its own class. What a grader runs in another
    process says so with an attribute ``runs_elsewhere``, and is watched there.

    Args:
        function: what the learner wrote.
        unit: the unit that is graded; where it is empty, nothing is watched.
        not_allowed: words; a torch function whose name contains one of them is not allowed.
    """

    def __init__(self, function: Callable, unit: str, not_allowed: Sequence[str] = ()):
        self._function, self._unit, self._not_allowed = function, unit, tuple(not_allowed)

    @property
    def module(self) -> Any:
        """The learner's object itself, for what is no call of the learner's code: parameters, modes, devices."""
        return self._function

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._function, name)
        own = callable(value) and not hasattr(nn.Module, name) and not isinstance(value, nn.Module)
        return Subject(value, self._unit, self._not_allowed) if own else value

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call it.

        Raises:
            Finding: if it changed an input, used what is not allowed, never ends, or holds its first version.
        """
        inputs = [*arguments, *keywords.values()]
        copies = [_copy(x) for x in inputs]
        elsewhere = getattr(self._function, "runs_elsewhere", False)
        with (
            nullcontext(Watch()) if elsewhere or not self._unit else watching(self._unit) as watch,
            nullcontext() if elsewhere else _patience(),
        ):
            try:
                result = self._function(*arguments, **keywords)
            except NotImplementedError:
                raise _FIRST_VERSION from None
            except KeyboardInterrupt:  # by the learner, or by the grader when the time is up
                raise _ENDLESS from None
            except Exception:
                self._require_allowed(watch)
                raise
        self._require_allowed(watch)
        for place, (now, before) in enumerate(zip(inputs, copies, strict=True), start=1):
            if not same(_copy(now), before, within=0):
                raise _changed(_named(self._function, arguments, keywords, now) or f"argument number {place}", now)
        return Subject(result, self._unit, self._not_allowed) if isinstance(result, nn.Module) else result

    def _require_allowed(self, watch: Watch) -> None:
        if watch.library_functions:
            raise Finding(
                f"your code called {watch.library_functions[0]}",
                "code of your own; a ready answer is for reading afterwards",
                "the function, or a part of it, was imported: from the course, or from a package that has it",
                "remove the import, and write the steps of the formula",
                final=True,
            )
        function = watch.forbidden(self._not_allowed)
        if function:
            raise Finding(
                f"your code called {function.replace('torch._C._nn', 'torch.nn.functional')}",
                "a function built from simpler operations (the task lists what is not allowed)",
                "torch's own version of what this task asks for",
                "write the formula of the task step by step",
                final=True,
            )


@contextlib.contextmanager
def _patience() -> Iterator[None]:
    """Say once, when a call takes long, how to stop it."""
    timer = threading.Timer(PATIENCE, print, [_STILL_RUNNING], {"flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # so that no thread is left when a process is forked


def unwrapped(answer: Any) -> Any:
    """Give the object itself, where the learner's code is looked at and not called."""
    return answer.module if isinstance(answer, Subject) else answer


_FIRST_VERSION = Finding(
    "it raised NotImplementedError",
    "a result",
    "the cell still holds its first version, or was not run after the last change",
    "write your code in the place of `raise NotImplementedError` and run the cell (Shift+Enter)",
    final=True,
)
_ENDLESS = Finding(
    "the call did not come to an end, and was interrupted",
    "a result within seconds",
    "a loop without an end: what it tests never changes, or changes in the wrong direction",
    "print what changes in the loop, or write it as one operation on tensors",
    final=True,
)


def _copy(value: Any) -> Any:
    """Copy the tensors of an argument, in whatever lists, tuples and dictionaries they lie."""
    if isinstance(value, Tensor):
        return value.detach().clone()
    if isinstance(value, list | tuple):
        return [_copy(each) for each in value]
    return {key: _copy(each) for key, each in value.items()} if isinstance(value, dict) else None


def _named(function: Callable, arguments: tuple, keywords: dict, value: Any) -> str:
    """Name the parameter that has a value; an empty text where that is not known."""
    with contextlib.suppress(ValueError, TypeError):
        bound = inspect.signature(function).bind(*arguments, **keywords).arguments
        return next((f"argument `{name}`" for name, each in bound.items() if each is value), "")
    return ""


def _changed(what: str, value: Any) -> Finding:
    inside = isinstance(value, Tensor)
    return Finding(
        f"the call changed its {what}" if inside else f"the call changed its {what}, or a tensor inside it",
        "arguments that are the same after the call as before it",
        "an operation that works in place: `+=`, `/=`, `&=` or the like, an assignment to `x[...]`, or a method that "
        "ends in an underscore, or `inplace=True`"
        + (
            ", on the argument itself or on a second name or a view of it (`y = x` and `y = x[0]` copy nothing, nor do "
            "`.long()` and `.to(...)` where nothing has to change)"
            if inside
            else "; or `pop`, `append`, `update` and their like"
        ),
        "write the new value to a new tensor: `y = x - 1` in the place of `x -= 1`; or change a copy, `y = x.clone()`"
        if inside
        else f"make a new {type(value).__name__} for the result, and leave the one that comes in as it is",
        final=True,
    )
