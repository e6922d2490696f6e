"""Which functions of torch a learner's code calls, whatever way it takes.

A function mode hears every call under its public name. Where it is silent something else helps: a profile function
lets the mode enter again when torch calls the learner's code back (a tensor subclass, a hook, a backward pass); a
compiled script names the functions in its graph; a dispatch mode hears the operations of code that switched function
modes off; and a thread that begins meanwhile is heard as well. What torch calls in turn to do its work is never the
learner's call, and neither is what the course's own code calls for the learner.
"""

import _thread
import re
import sys
import threading
from collections.abc import Callable, Iterable
from types import CodeType, FrameType

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

# Calls that hide what follows them; no exercise needs them.
WAYS_ROUND = ("torch._C.DisableTorchFunction", "_thread.start_new_thread")
_STARTS = {
    (module, name): getattr(module, name)
    for module in (_thread, threading)
    for name in (
        "start_new_thread",
        "start_new",
        "start_joinable_thread",
        "_start_new_thread",
        "_start_joinable_thread",
    )
    if hasattr(module, name)
}
_RAW_STARTS = frozenset(_STARTS.values())
_SCRIPTS = {(kind, "__call__"): kind.__call__ for kind in (torch.ScriptFunction, torch.ScriptMethod)}
_compile = torch.compile
_here = threading.local()  # .ear: who hears this thread
_THIS_FILE = sys._getframe().f_code.co_filename


class TorchCalls:
    """Hears the calls in this thread, and in all that it starts, inside a ``with``; subclasses say what follows."""

    learners_at_first = False  # whether what is called right inside the ``with`` is called by the learner

    def is_learners(self, code: CodeType) -> bool | None:
        """Say whether code is the learner's; None for code that works for its caller, such as torch's."""
        raise NotImplementedError

    def called(self, name: str, function: object) -> None:
        """Hear that the learner's code called a function of torch, which may be None where only its name is known."""

    def returned(self, result: object) -> None:
        """Hear what any function of torch returned."""

    def entered(self, frame: FrameType, by_learner: bool) -> None:
        """Hear that a Python function begins that is neither the learner's nor works for its caller."""

    def otherwise(self) -> "TorchCalls | None":
        """Say who hears threads that begin after the ``with``."""
        return None

    def __enter__(self):
        self._ear = _Ear(self)
        hear_threads_and_scripts(self)
        # What is compiled runs as it was written; the compiler is asked only where it is loaded, which takes seconds.
        self._stance = torch.compiler.set_stance("force_eager") if "torch._dynamo" in sys.modules else None
        self._ear.open()
        return self

    def __exit__(self, *_) -> None:
        self._ear.close()
        if self._stance is not None:
            self._stance.__exit__(None, None, None)
        hear_threads_and_scripts(self._ear.outer.calls if self._ear.outer else self.otherwise())


class _Ear:
    """Hears one thread for a `TorchCalls`."""

    def __init__(self, calls: TorchCalls):
        self.calls = calls
        self.deaf = False  # torch, or the course's code, is at work for the learner
        self.away = False  # the modes are not there, because torch makes a call that they heard
        self.outer = getattr(_here, "ear", None)
        self.operations = _Operations(self)
        self._modes = (_Functions(self), self.operations)
        self._frames: list[tuple] = []  # where the learner's code and other code took turns, and how it was before

    def open(self) -> None:
        self._profile = sys.getprofile()
        _here.ear = self
        for mode in self._modes:
            mode.__enter__()
        sys.setprofile(self._follow)

    def close(self) -> None:
        sys.setprofile(self._profile)
        for mode in self._modes:
            mode.__exit__(None, None, None)
        _here.ear = self.outer

    def _follow(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            learners = None if frame.f_code.co_filename == _THIS_FILE else self.calls.is_learners(frame.f_code)
            if learners is None:
                return
            by_learner = self._frames[-1][1] if self._frames else self.calls.learners_at_first
            if not learners:
                self.calls.entered(frame, by_learner)
            if learners != by_learner or (learners and self.deaf):
                enter = learners and self.away
                self._frames.append((frame, learners, self.deaf, enter))
                self.deaf = not learners
                if enter:
                    self.away = False
                    for mode in self._modes:
                        mode.__enter__()
        elif event == "return":
            if self._frames and self._frames[-1][0] is frame:
                _, _, self.deaf, entered = self._frames.pop()
                if entered:
                    self.away = True
                    for mode in self._modes:
                        mode.__exit__(None, None, None)
        elif event == "c_call" and argument in _RAW_STARTS and self.calls.is_learners(frame.f_code):
            self.calls.called(WAYS_ROUND[1], None)

    def hear(self, names: Iterable[str], function: object, call: Callable, args: tuple, kwargs: dict | None):
        """Make a call, and name it if it is the learner's; what torch does in turn is not heard."""
        before, self.deaf = self.deaf, True
        try:
            for name in names:
                self.calls.called(name, function)
            result = call(*args, **(kwargs or {}))
            self.calls.returned(result)
            return result
        finally:
            self.deaf = before


class _Functions(TorchFunctionMode):
    def __init__(self, ear: _Ear):
        super().__init__()
        self._ear = ear

    def __torch_function__(self, func, types, args=(), kwargs=None):
        ear, count = self._ear, torch._C._len_torch_dispatch_stack()
        # The dispatch mode steps aside, as it would cost more than the rest together. Its own __exit__ costs as much,
        # and torch has no public way that does not.
        on_top = count and torch._C._get_dispatch_stack_at(count - 1) is ear.operations
        if on_top:
            torch._C._pop_torch_dispatch_stack(None)
        before, ear.away = ear.away, True
        try:
            name = f"{getattr(func, '__module__', None) or 'torch'}.{getattr(func, '__name__', func)}"
            return ear.hear(() if ear.deaf else (name,), func, func, args, kwargs)
        finally:
            ear.away = before
            if on_top:
                torch._C._push_on_torch_dispatch_stack(ear.operations)


class _Operations(TorchDispatchMode):
    supports_higher_order_operators = True

    def __init__(self, ear: _Ear):
        super().__init__()
        self._ear = ear

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # or torch would load its compiler

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if self._ear.deaf:
            return func(*args, **(kwargs or {}))
        hidden = WAYS_ROUND[:1] if torch._C._is_torch_function_all_disabled() else ()
        in_backward_pass = torch._C._current_graph_task_id() != -1  # what the learner calls there, `_Functions` hears
        names = () if in_backward_pass and not hidden else (*hidden, f"torch.{str(func).split('.')[1]}")
        return self._ear.hear(names, None, func, args, kwargs)


def hear_threads_and_scripts(calls: TorchCalls | None) -> None:
    """Put in place what starts threads and runs scripts for ``calls`` to hear; what was there, if it is None."""
    for (place, name), real in _STARTS.items():
        setattr(place, name, real if calls is None else _heard_start(real, calls))
    for (place, name), real in _SCRIPTS.items():
        setattr(place, name, real if calls is None else _heard_script(real))
    torch.compile = _compile if calls is None else _not_compiled


def _not_compiled(model: Callable | None = None, **_) -> Callable:
    return _not_compiled if model is None else model


def _heard_start(real: Callable, calls: TorchCalls) -> Callable:
    def start(function, *rest, **keywords):
        ear = _Ear(calls)
        ear.deaf = ear.outer is not None and ear.outer.deaf
        ear.outer = None

        def heard(*args, **kwargs):
            ear.open()
            try:
                function(*args, **kwargs)
            finally:
                ear.close()

        return real(heard, *rest, **keywords)

    return start


def _heard_script(real: Callable) -> Callable:
    def call(script, *args, **kwargs):
        ear = getattr(_here, "ear", None)
        if ear is None or ear.deaf:
            return real(script, *args, **kwargs)
        names = {f"torch.{name}": None for name in re.findall(r"aten::(\w+)", str(script.inlined_graph))}
        return ear.hear(names, None, real, (script, *args), kwargs)

    return call
