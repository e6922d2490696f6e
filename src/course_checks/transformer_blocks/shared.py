"""What several tasks of exercise 09 share: modules made with known weights, and where dropout falls."""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor

from course_checks.cases import GRADIENT, Case, Draw, gradients, refuses, seeded
from course_checks.modules import built, parameter_gradients, require_parameters, shapes, unwrapped
from course_checks.outcomes import same
from course_checks.words import Finding, Wrong

UNIT = "transformer_blocks"
INSIDE = "`nn.Dropout` in `__init__`, and a call of it in `forward`: what stands inside its brackets?"
LATER = Wrong(
    "dropout works in every mode: `F.dropout` without its argument `training`, or a mask made by hand",
    "in evaluation mode the result is another than without dropout",
    "use `nn.Dropout`, which knows the mode of the module",
)
# fmt: off
DROPOUT = {  # in the place of nn.Dropout(dropout)
    "nn.Dropout(0.0)": ("dropout is not used", INSIDE),
    "lambda x: F.dropout(x, dropout)": LATER,
    "nn.Sequential(nn.Dropout(dropout), nn.Dropout(dropout))": ("dropout falls twice on the same numbers", INSIDE),
    "nn.Dropout()": ("dropout has another probability: `nn.Dropout()` without its argument drops half", INSIDE),
    "nn.Dropout(1 - dropout)": ("dropout is given the probability to keep, not to drop", INSIDE),
    "nn.Dropout(1 - dropout if dropout else 0.0)": ("dropout is given the probability to keep, not to drop", INSIDE),
    "lambda x: x * F.dropout(torch.ones_like(x[..., :1]), dropout, self.training)": (
        "whole words are dropped, not single numbers", "use `nn.Dropout`"),
}
ALONE = "call `feed_forward` alone, on one word, and follow the word through it"
WITHIN = {  # feed_forward of a block, called with z
    "z + self.feed_forward(z)": "feed_forward adds what it reads to what it says; the block adds x already",
    "self.feed_forward.linear_2(self.feed_forward.dropout(self.feed_forward.linear_1(z)))":
        "inside feed_forward there is no activation",
    "self.feed_forward.activation(self.feed_forward(z))":
        "inside feed_forward an activation stands behind linear_2 as well",
    "self.feed_forward.linear_2(self.feed_forward.activation(self.feed_forward.dropout(self.feed_forward.linear_1(z))))":
        "inside feed_forward dropout stands before the activation, not behind it",
    "self.dropout(self.feed_forward(z))":
        "what feed_forward says is dropped twice: behind linear_2 inside it, and once more by the block",
}
# fmt: on


def making(right: Callable, *sizes: Any, **options: Any) -> Callable:
    """Say how a class is made a module: with these arguments, known weights, and the parameters of the right one."""
    expected = _shapes(right, *sizes)

    def make(answer: Callable) -> Any:
        module = built(answer, *sizes, **options)
        require_parameters(module, expected)
        return module

    return make


@cache
def _shapes(right: Callable, *sizes: Any) -> dict[str, tuple[int, ...]]:
    with seeded(0):  # what is drawn for the parameters leaves torch's own generator alone
        return shapes(right(*sizes))


def observing(
    make: Callable, then: Callable | None = None, evaluate: bool = False, words: Wrong | None = None
) -> Callable:
    """Make an observation of a class.

    Args:
        make: makes a module of the class, with known weights.
        then: takes the module and the inputs, and says what is observed; without it, what the module returns.
        evaluate: whether the module is in evaluation mode.
        words: for whatever is wrong with this observation.
    """

    def observe(answer: Callable, *inputs: Any) -> Any:
        module = make(answer)
        unwrapped(module).train(not evaluate)
        if then is not None:
            return then(module, *inputs)
        result = module(*inputs)
        if not evaluate and isinstance(result, Tensor) and not same(module(*inputs), result):
            raise Finding("two calls with the same input differ, although dropout is 0 or 1",
                          "", "dropout has another probability than the argument `dropout`", INSIDE)  # fmt: skip
        return result

    if words is not None or then in (parameter_gradients, gradients_of):
        observe.words = words or GRADIENT
    return observe


def gradients_of(module: Any, *inputs: Any) -> dict[str, Tensor]:
    """Observe the gradients with respect to the inputs."""
    return gradients()(module, *inputs)


def drawn(*shape: int, scale: float = 1.0, offset: float = 0.0, dtype: torch.dtype = torch.float64) -> Callable:
    """Say how words are drawn."""
    return lambda draw: (draw(*shape, scale=scale, dtype=dtype) + offset,)


def refused(situation: str, sizes: tuple, *given: Tensor, argument: str = "x") -> Case:
    """Make the case of arguments that ``forward`` must refuse."""
    return Case(situation, given, lambda answer, *given: refuses(argument)(answer(*sizes), *given), right=True)


def words_that_move(module: Any, d_model: int) -> str | None:
    """Change the last of 2 x 5 words, and say whether another one moves."""
    x = Draw("words")(2, 5, d_model, dtype=torch.float64)
    other = x.clone()
    other[1, 4] += torch.arange(d_model)
    unwrapped(module).eval()
    before, after = module(x), module(other)
    if not isinstance(before, Tensor) or before.shape != x.shape:
        return None  # the comparison of numbers says more
    if not same(after[0], before[0]):
        return "the words of the first sentence change when the last word of the second does"
    return None if same(after[1, :4], before[1, :4]) else "a word changes when another word of its sentence does"


def set_to(module: Any, values: dict[str, float | Tensor]) -> None:
    """Set parameters by name."""
    parameters = dict(unwrapped(module).named_parameters())
    with torch.no_grad():
        for name, value in values.items():
            parameters[name].copy_(torch.as_tensor(value).expand(parameters[name].shape))


def require_dropped(seen: Tensor, said: Tensor, keep: float, what: str) -> None:
    """Require that numbers are zero or divided, and as many of them zero as chance allows.

    Args:
        seen: what came out in training mode.
        said: what comes out without dropout, at least two dimensions.
        keep: the probability with which a number is left.
        what: the numbers, in words.

    Raises:
        Finding: which says what is to be seen.
    """
    zero = seen.abs() < 1e-12
    factor = (seen / said)[~zero].median().item() if not zero.all() else 0.0
    surplus, count = int(zero.sum()) - zero.numel() * (1 - keep), zero.numel()
    observed, cause = "", "dropout falls on something else than what the task says, twice, or with another probability"
    if not zero.any() and same(seen, said):
        observed = "are all there: nothing is dropped"
    elif not same(seen, torch.where(zero, 0.0, factor * said)):
        observed = "are neither zero nor a multiple of what they are without dropout"
    elif not math.isclose(factor, 1 / keep, rel_tol=1e-6):
        observed = f"are zero, or {factor:.3g} times what they are without dropout"
        cause = "what is left is not divided by 1 - dropout" if math.isclose(factor, 1, rel_tol=1e-6) else cause
    elif (zero.all(-1) | ~zero.any(-1)).all():
        observed = "are, for each word, all zero or all there"
    elif abs(surplus) > 6.5 * math.sqrt(count * keep * (1 - keep)):  # one right answer in ten billion is farther off
        observed = f"are too {'often' if surplus > 0 else 'seldom'} zero"
    if observed:
        raise Finding(
            f"{what} {observed}", "in training each number that the task names is zero with probability `dropout`, or "
            "divided by 1 - dropout, and no others", cause, INSIDE,
        )  # fmt: skip


def forgetting(module, *inputs):
    """Call with masks, and observe a second call without them."""
    module(*inputs)
    return module(*(x for x in inputs if x is not None and x.is_floating_point()))
