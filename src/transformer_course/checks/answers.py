"""What a check requires of the learner's function: types, shapes, numbers, gradients, errors."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.calling import CarefulCall
from transformer_course.checks.causes import NEARLY, kind, shape_cause, tensors
from transformer_course.checks.reporting import CheckFailed, Mistake, describe, draw, fitting, nearly, same

_WHOLE: Callable[[Any], Any] = lambda result: result  # noqa: E731 (the default of select)


class Answer(CarefulCall):
    """The learner's function, called with care, and what can be required of its results."""

    def tensor(self, situation: str, *arguments: Any, like: Tensor, **keywords: Any) -> Tensor:
        """Call the function and require one tensor with the shape and dtype of ``like``."""
        return self.require_tensor(situation, self(situation, *arguments, **keywords), like)

    def pair(
        self, situation: str, *arguments: Any, like: Sequence[Tensor], names: Sequence[str], **keywords: Any
    ) -> list[Tensor]:
        """Call the function and require a pair of tensors, named for the message, each like its example."""
        return self.require_pair(situation, self(situation, *arguments, **keywords), like, names)

    def returns(self, situation: str, expected: Tensor | Sequence[Tensor], *arguments: Any, **keywords: Any) -> None:
        """Require what the oracle says: one tensor, or a tuple of them."""
        result = self(situation, *arguments, **keywords)
        if isinstance(expected, Tensor):
            result, expected, names = [self.require_tensor(situation, result, expected)], [expected], ["the result"]
        else:
            names = ["the first result", "the second result", "the third result"][: len(expected)]
            result = self.require_pair(situation, result, expected, names)
        for each, right, name in zip(result, expected, names, strict=True):
            self.compare(situation, each, right, f"{name} is what the task says, in this situation too")

    def require_pair(self, situation: str, result: Any, like: Sequence[Tensor], names: Sequence[str]) -> list[Tensor]:
        """Require a tuple of tensors, each with the shape and dtype of its example, and return it."""
        if type(result) is not tuple or len(result) != len(like):
            alone = isinstance(result, Tensor)
            self.fail(
                situation,
                f"it returned {kind(result)}",
                f"{len(like)} results, in this order: {', '.join(names)}",
                "only one of the results is returned" if alone else "the return statement",
                f"end the function with a return of all of them: `return {', '.join(names)}`",
            )
        return [
            self.require_tensor(situation, each, example, name)
            for each, example, name in zip(result, like, names, strict=True)
        ]

    def require_tensor(self, situation: str, result: Any, like: Tensor, what: str = "the result") -> Tensor:
        """Require a tensor with the shape and dtype of ``like``, and return it."""
        if type(result) is not Tensor:
            cause = {
                "NoneType": "there is no `return` at the end of the function, or it returns the value of `print`",
                "ndarray": "the computation left torch, for example by `.numpy()` or a numpy function",
            }.get(type(result).__name__, "the return statement")
            self.fail(
                situation, f"{what} is {kind(result)}", "a torch.Tensor", cause, "print the type of what you return"
            )
        if result.shape != like.shape:
            self.fail(
                situation,
                f"{what} has shape {tuple(result.shape)}",
                f"{what} of shape {tuple(like.shape)}",
                shape_cause(result, like),
                "write the shape at the end of each line of your code that changes it",
            )
        if result.dtype != like.dtype:
            self.fail(
                situation,
                f"{what} has dtype {result.dtype}",
                f"the dtype of the floating inputs, {like.dtype}",
                "a conversion (`.float()`, `.double()`), or a new tensor made without a dtype",
                "make new tensors with `torch.zeros_like(x)` or `dtype=x.dtype`, and convert back what you converted",
            )
        return result

    def compare(
        self,
        situation: str,
        observed: Tensor,
        expected: Tensor,
        requirement: str,
        mistakes: Sequence[Mistake] = (),
        hint: str = "work out the smallest case by hand, and compare step by step",
    ) -> None:
        """Compare with the oracle; if they differ, say which of the known mistakes gives the same result.

        Args:
            situation: what is tried, in words.
            observed: what the learner's function returned.
            expected: what the oracle says.
            requirement: the sentence of the task that is not met, in words.
            mistakes: the known ones. Where several give this same result, the message names them all.
            hint: what to try if the mistake is none of them.

        Raises:
            CheckFailed: if the two differ.
        """
        if same(observed, expected):
            return
        likely = fitting(observed, mistakes)
        if likely:
            self.fail(
                situation,
                likely[0].observed,
                requirement,
                "; or (it shows in the same way): ".join(mistake.cause for mistake in likely),
                " Or: ".join(dict.fromkeys(mistake.hint for mistake in likely)),
            )
        if nearly(observed, expected):
            self.fail(situation, "the numbers are nearly right", requirement, *NEARLY)
        self.fail(situation, describe(observed, expected), requirement, "none of the mistakes that we know", hint)

    def refuses(self, situation: str, *arguments: Any, **keywords: Any) -> None:
        """Require that the function raises ``ValueError`` for these arguments."""
        try:
            self._call(situation, arguments, keywords)
        except CheckFailed:
            raise
        except ValueError:
            return
        except Exception as error:
            observed = f"it raised {type(error).__name__}"
        else:
            observed = "it returned a result"
        self.fail(
            situation,
            observed,
            "a ValueError that names the argument, what was expected and what came",
            "the function does not look at its arguments before it computes",
            "test at the start of the function, and `raise ValueError(...)`",
        )

    def gradients(
        self,
        situation: str,
        oracle: Callable[..., Tensor],
        *inputs: Tensor,
        keywords: dict[str, Any] | None = None,
        select: Callable[[Any], Tensor] = _WHOLE,
    ) -> None:
        """Require the oracle's gradients, with respect to every input, through the learner's code.

        Args:
            situation: what is tried, in words.
            oracle: a differentiable function of the inputs with the right result.
            *inputs: floating tensors.
            keywords: passed on to the learner's function, without gradient.
            select: picks the tensor out of what the function returns.
        """
        mine, theirs = ([x.detach().clone().requires_grad_() for x in inputs] for _ in range(2))
        whole, expected = self(situation, *mine, **(keywords or {})), oracle(*theirs)
        result = self._select(situation, whole, select)
        self.require_tensor(situation, result, expected)
        if not result.requires_grad:
            self.fail(
                situation,
                "no gradient flows from the result back to the inputs",
                "a result that can be differentiated with respect to every floating input",
                "`.detach()`, `.item()`, `.tolist()`, `torch.tensor(...)`, `torch.no_grad()` or numpy on the way",
                "compute with torch operations on the tensors themselves",
            )
        upstream = draw(*expected.shape, seed=99, dtype=expected.dtype)
        wanted = torch.autograd.grad(expected, theirs, upstream)
        got = torch.autograd.grad(result, mine, upstream, allow_unused=True)
        for position, (mine_now, right) in enumerate(zip(got, wanted, strict=True), start=1):
            if mine_now is None:
                mine_now = torch.zeros_like(right)
            if not same(mine_now, right):
                if nearly(mine_now, right):
                    self.fail(situation, "the gradient is nearly right", "the derivative of the formula", *NEARLY)
                self.fail(
                    situation,
                    f"the gradient with respect to argument number {position} "
                    + ("holds NaN or infinity" if not mine_now.isfinite().all() else "differs from the right one"),
                    "the derivative of the formula, finite everywhere",
                    "a part that is cut off from the graph (`.detach()`, `torch.no_grad()`), or 0 * inf on the way "
                    "back: `torch.where` and `nan_to_num` hide a NaN of the result but not of its gradient",
                    "keep NaN and infinity from arising at all: replace the value before the dangerous operation",
                )

    def gradcheck(
        self,
        situation: str,
        *inputs: Tensor,
        keywords: dict[str, Any] | None = None,
        select: Callable[[Any], Tensor] = _WHOLE,
    ) -> None:
        """Require that the gradient is that of the learner's own function, by finite differences (float64)."""
        leaves = [x.detach().clone().requires_grad_() for x in inputs]
        self._select(situation, self(situation, *leaves, **(keywords or {})), select)  # exceptions become messages
        try:
            right = torch.autograd.gradcheck(lambda *x: select(self.function(*x, **(keywords or {}))), leaves)
        except Exception:  # torch tells in many ways that a gradient is missing or wrong
            right = False
        if not right:
            self.fail(
                situation,
                "the gradient is not that of the function, by finite differences",
                "a result that can be differentiated",
                "a part that is cut off from the graph: `.detach()`, `.item()`, `torch.no_grad()`",
                "compute with torch operations on the tensors themselves",
            )

    def _select(self, situation: str, whole: Any, select: Callable[[Any], Tensor]) -> Any:
        try:
            return select(whole)
        except Exception:
            self.fail(
                situation,
                f"it returned {kind(whole)}",
                "the results that the task names, in its order",
                "the return statement",
                "print the type of what you return",
            )

    def keeps_nothing(self, situation: str, oracle: Callable[..., Any], first: tuple, second: tuple) -> None:
        """Require that a result depends on its own call alone: not on those before, nor changed by those after."""
        results = [(tensors(self(situation, *each)), each) for each in (first, second, first)]
        for result, arguments in results:
            for observed, expected in zip(result, tensors(oracle(*arguments)), strict=True):
                if not same(observed, expected):
                    self.fail(
                        situation,
                        "a result that is right on its own comes out differently after, or before, another call",
                        "a result that depends on the arguments alone",
                        "a global variable, a default argument that is changed, or randomness",
                        "compute everything from the arguments, inside the function",
                    )
