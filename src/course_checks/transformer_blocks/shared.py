"""What several tasks of exercise 09 share: modules made with known weights, and where dropout falls."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_checks.cases import GRADIENT, gradients
from course_checks.modules import built, parameter_gradients, require_parameters, unwrapped
from course_checks.outcomes import same
from course_checks.words import Finding, Wrong

UNIT = "transformer_blocks"
INSIDE = "`nn.Dropout` in `__init__`, and a call of it in `forward`: what stands inside its brackets?"
LATER = Wrong(
    "dropout works in every mode: `F.dropout` without its argument `training`, or a mask made by hand",
    "in evaluation mode the result is another than without dropout",
    "use `nn.Dropout`, which knows the mode of the module",
)
DROPOUT = {
    "none": Wrong("dropout is not used", "", INSIDE),
    "always": LATER,
    "twice": Wrong("dropout falls twice on the same numbers", "", INSIDE),
    "default": Wrong("dropout has another probability: `nn.Dropout()` without its argument drops half", "", INSIDE),
    "keep": Wrong("dropout is given the probability to keep, not to drop", "", INSIDE),
    "words": Wrong("whole words are dropped, not single numbers", "", "use `nn.Dropout`"),
}


class Dropout(nn.Module):
    """Drop numbers, rightly or with one of the mistakes of `DROPOUT`."""

    def __init__(self, probability: float, mistake: str = ""):
        super().__init__()
        self.mistake = mistake
        self.probability = {"keep": 1 - probability, "default": 0.5}.get(mistake, probability)

    def forward(self, x: Tensor) -> Tensor:
        """Drop what the mode and the mistake say."""
        training = self.training or self.mistake == "always"
        if self.mistake == "none":
            return x
        if self.mistake == "words":
            return x * F.dropout(torch.ones_like(x[..., :1]), self.probability, training)
        x = F.dropout(x, self.probability, training)
        return F.dropout(x, self.probability, training) if self.mistake == "twice" else x


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
        return then(module, *inputs) if then else module(*inputs)

    if words is not None or then in (parameter_gradients, gradients_of):
        observe.words = words or GRADIENT
    return observe


def gradients_of(module: Any, *inputs: Any) -> dict[str, Tensor]:
    """Observe the gradients with respect to the inputs."""
    return gradients()(module, *inputs)


def making(*sizes: int, shapes: dict[str, tuple[int, ...]] | None = None, **options: Any) -> Callable:
    """Say how a class is made a module: with these arguments, known weights, and the parameters of the task."""

    def make(answer: Callable) -> Any:
        module = built(answer, *sizes, **options)
        if shapes is not None:
            require_parameters(module, shapes)
        return module

    return make


def set_to(module: Any, values: dict[str, float | Tensor]) -> None:
    """Set parameters by name."""
    parameters = dict(unwrapped(module).named_parameters())
    with torch.no_grad():
        for name, value in values.items():
            parameters[name].copy_(torch.as_tensor(value).expand(parameters[name].shape))


def require_dropped(seen: Tensor, said: Tensor, keep: float, times: int, what: str) -> None:
    """Require that numbers are zero or divided, and as many of them zero as chance allows.

    Args:
        seen: what came out in training mode.
        said: what comes out without dropout, at least two dimensions.
        keep: 1 - dropout.
        times: how often dropout falls on them: 2 where they go through two layers of it.
        what: the numbers, in words.

    Raises:
        Finding: which says what is to be seen.
    """
    zero = seen.abs() < 1e-12
    left, count = (seen / said)[~zero], zero.numel()
    factor = left.median().item() if len(left) else 0.0
    kept = keep**times
    spread = 6.5 * math.sqrt(count * kept * (1 - kept))  # one right answer in ten billion is farther off
    observed = ""
    if not zero.any() and same(seen, said):
        observed = f"{what} are all there: nothing is dropped"
    elif not same(seen, torch.where(zero, 0.0, factor * said)):
        observed = f"{what} are neither zero nor a multiple of what they are without dropout"
    elif not math.isclose(factor, 1 / kept, rel_tol=1e-6):
        observed = f"{what} are zero, or {factor:.3g} times what they are without dropout"
    elif (zero.all(-1) | ~zero.any(-1)).all():
        observed = f"{what} are, for each word, all zero or all there"
    elif abs(int(zero.sum()) - count * (1 - kept)) > spread:
        observed = f"too {'many' if zero.sum() > count * (1 - kept) else 'few'} of {what} are zero"
    if observed:
        raise Finding(
            observed, "in training each of the numbers that the task names is zero with probability `dropout`, or "
            "divided by 1 - dropout, and no others", "dropout falls on something else than what the task says, twice, "
            "or with another probability", INSIDE,
        )  # fmt: skip
