"""One call of the learner's function: watched, begun with one seed, and whatever goes wrong becomes a message."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import torch
from torch import Tensor

from transformer_course.checks.causes import likely_cause, where
from transformer_course.checks.reporting import CheckFailed, fail, passed
from transformer_course.checks.watching import Watch, watching
from transformer_course.common.seeding import seed_everything

SEED = 20170612  # of whatever the learner's code, or a layer with dropout, draws without a generator


class CarefulCall:
    """The learner's function, called with care.

    Every call is watched for functions that are not allowed, must leave its inputs as they are, and turns an exception
    into a message. What is drawn at random begins with one seed: the same answer gets the same points each time.

    Args:
        function: what the learner wrote.
        name: its name in the task.
        unit: the unit that is graded, as in `UNITS`.
        not_allowed: words; a torch function whose name contains one of them is not allowed.
    """

    def __init__(self, function: Callable, name: str, unit: str, not_allowed: Sequence[str] = ()):
        self.function, self.name, self.unit, self.not_allowed = function, name, unit, tuple(not_allowed)
        seed_everything(SEED)

    def fail(self, situation: str, observed: str, expected: str, cause: str, hint: str) -> NoReturn:
        """Raise `CheckFailed` in the name of this answer."""
        fail(self.name, situation, observed, expected, cause, hint)

    def passed(self, what: str) -> None:
        """Print the one line of a passed check."""
        passed(self.name, what)

    def __call__(self, situation: str, *arguments: Any, **keywords: Any) -> Any:
        """Call the learner's function.

        Args:
            situation: what is tried, in words, for the message.
            *arguments: passed on.
            **keywords: passed on.

        Returns:
            What the function returned.

        Raises:
            CheckFailed: if it raised an exception, changed an input, or used what is not allowed.
        """
        try:
            return self._call(situation, arguments, keywords)
        except CheckFailed:
            raise
        except NotImplementedError:
            self.fail(
                situation,
                "it raised NotImplementedError",
                "a result",
                "the cell still holds its first version, or was not run after the last change",
                "write your code in the place of `raise NotImplementedError` and run the cell (Shift+Enter)",
            )
        except KeyboardInterrupt:  # by the learner, or by the grader when the time is up
            self.fail(
                situation,
                "the call did not come to an end, and was interrupted",
                "a result within seconds",
                "a loop without an end: what it tests never changes, or changes in the wrong direction",
                "print what changes in the loop, or write it as one operation on tensors",
            )
        except Exception as error:  # whatever the learner's code raises becomes a message
            self.fail(
                situation,
                f"it raised {type(error).__name__}: {str(error).strip().splitlines()[0] if str(error) else ''}"
                + where(error),
                "a result",
                likely_cause(error),
                "call your function on small inputs in a cell of its own, and print the shapes before that line",
            )

    def _call(self, situation: str, arguments: tuple, keywords: dict) -> Any:
        inputs = [x for x in (*arguments, *keywords.values()) if isinstance(x, Tensor)]
        copies = [x.detach().clone() for x in inputs]
        with watching(self.unit) as watch:
            try:
                result = self.function(*arguments, **keywords)
            except Exception:
                watch.add(getattr(self.function, "watched", None))
                self._require_allowed(situation, watch)
                raise
        watch.add(getattr(self.function, "watched", None))
        self._require_allowed(situation, watch)
        for position, (now, before) in enumerate(zip(inputs, copies, strict=True), start=1):
            if now.shape != before.shape or not torch.allclose(now.detach(), before, rtol=0, atol=0, equal_nan=True):
                self.fail(
                    situation,
                    f"the call changed its tensor argument number {position}",
                    "arguments that are the same after the call as before it",
                    "an operation that works in place: `+=`, `-=`, `/=`, an assignment to `x[...]`, or a method that "
                    "ends in an underscore",
                    "write the new value to a new name: `y = x - 1` in the place of `x -= 1`",
                )
        return result

    def _require_allowed(self, situation: str, watch: Watch) -> None:
        if watch.library_functions:
            self.fail(
                situation,
                f"your code called {watch.library_functions[0]}",
                "code of your own; a ready answer is for reading afterwards",
                "the function, or a part of it, was imported: from the course's library, or from a package that has it",
                "remove the import, and write the steps of the formula",
            )
        function = watch.forbidden(self.not_allowed)
        if function:
            self.fail(
                situation,
                f"your code called {function.replace('torch._C._nn', 'torch.nn.functional')}",
                "a function built from simpler operations (the task lists what is not allowed)",
                "torch's own version of what this task asks for",
                "write the formula of the task step by step",
            )
