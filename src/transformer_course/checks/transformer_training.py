"""The checks of the learning rate and of one update, on a small model whose modes differ."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles_transformer import right_rate, right_step
from transformer_course.checks.reporting import Mistake, draw, same
from transformer_course.checks.transformer_update_mistakes import IN_LOSS, IN_UPDATE, RATE_STEPS, rate_mistakes

UNIT = "transformer"


def _number(subject: Answer, situation: str, *arguments: Any, **keywords: Any) -> float:
    """Call the learner's function and require a Python number."""
    result = subject(situation, *arguments, **keywords)
    if type(result) is not float:
        cause = (
            "a tensor in the place of a number (`.item()`)" if isinstance(result, Tensor) else "the return statement"
        )
        observed = "None" if result is None else f"an object of type {type(result).__name__}"
        subject.fail(situation, f"it returned {observed}", "a Python number", cause, "print the type of the result")
    return result


def check_noam_learning_rate(noam_learning_rate: Callable) -> None:
    """Check the rate at the first step, at the peak, far behind it, and for a small model."""
    subject = Answer(noam_learning_rate, "noam_learning_rate", UNIT)
    compare_rate(subject, "the first step, the peak, far behind it, a small model", RATE_STEPS)
    subject.passed("the rate rises in a line to its peak, and falls with the root of the step")


def compare_rate(subject: Answer, situation: str, steps: tuple[tuple[int, int, int], ...]) -> None:
    """Compare the rate at some steps with the oracle, each (step, d_model, warmup_steps)."""
    rates = [_number(subject, f"step {step}, d_model {d}, {warmup} warm-up steps", step, d, warmup)
             for step, d, warmup in steps]  # fmt: skip
    observed = torch.tensor(rates, dtype=torch.float64)
    right = torch.tensor([right_rate(*each) for each in steps], dtype=torch.float64)
    relative = observed / right  # the rates are small: compared by their ratio
    known = [Mistake(each.shows / right, each.observed, each.cause, each.hint) for each in rate_mistakes(steps)]
    subject.compare(
        situation,
        relative,
        torch.ones_like(right),
        "the formula of the task, at every step",
        known,
        "plot the rate for steps 1 to 1000 with 100 warm-up steps: a line up to a peak, then a slow fall",
    )


class SmallModel(nn.Module):
    """A model that learns: it sees the words up to a position, one vector of the source, and its own mode."""

    def __init__(self, source_size: int, target_size: int, width: int, seed: int, dtype: torch.dtype = torch.float64):
        super().__init__()
        self.read = nn.Parameter(draw(source_size, width, seed=seed, dtype=dtype))
        self.written = nn.Parameter(draw(target_size, width, seed=seed + 1, dtype=dtype))
        self.out = nn.Parameter(draw(width, target_size, seed=seed + 2, dtype=dtype))

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return logits ``(batch, target_length, target_size)``; sharper ones in training."""
        x = self.written[target].cumsum(1) + self.read[source].mean(1, keepdim=True)
        logits = torch.tanh(x) @ self.out
        return 1.5 * logits if self.training else logits


def small_model(source_size: int, target_size: int, width: int, seed: int, **options: Any) -> SmallModel:
    """Make a small model with old gradients in it, in evaluation mode."""
    model = SmallModel(source_size, target_size, width, seed, **options).eval()
    for position, parameter in enumerate(model.parameters()):
        parameter.grad = draw(*parameter.shape, seed=seed + 10 + position, dtype=parameter.dtype)
    return model


def _descent(parameters: Any) -> torch.optim.Optimizer:
    return torch.optim.SGD(parameters, lr=0.5)


def check_train_step(train_step: Callable) -> None:
    """Check loss and update with long gradients and short ones, other smoothing, and a refused length."""
    subject = Answer(train_step, "train_step", UNIT)
    source = torch.tensor([[4, 5, 2], [3, 2, 0]])
    target = torch.tensor([[1, 6, 4, 3, 2], [1, 5, 2, 0, 0]])
    compare_step(subject, "2 sentences of 4 and 2 labels, max_grad_norm 1e9", 7, source, target, max_grad_norm=1e9)
    subject.passed("the loss, and a step against the gradient")
    compare_step(subject, "gradients longer than max_grad_norm = 0.3", 7, source, target, max_grad_norm=0.3)
    subject.passed("long gradients are shortened")
    compare_step(subject, "smoothing 0.4, max_grad_norm as it is", 7, source, target, smoothing=0.4)
    subject.passed("smoothing is handed on")
    model = small_model(6, 7, 4, 1)
    subject.refuses("max_grad_norm 0", model, source, target, _descent(model.parameters()), max_grad_norm=0.0)
    subject.passed("a max_grad_norm that is not positive is refused")


def compare_step(
    subject: Answer,
    situation: str,
    target_size: int,
    source: Tensor,
    target: Tensor,
    seed: int = 20,
    make_optimizer: Callable = _descent,
    updates: int = 1,
    dtype: torch.dtype = torch.float64,
    **options: Any,
) -> None:
    """Compare the loss and the weights after one update, or several, with the oracle's.

    Args:
        subject: the learner's function.
        situation: what is tried, in words.
        target_size: of the target vocabulary.
        source: token ids below 6.
        target: token ids.
        seed: of the model.
        make_optimizer: takes parameters.
        updates: how many, of the same batch with one optimizer; only the first one's mistakes are known.
        dtype: of the model.
        **options: smoothing and max_grad_norm.
    """
    start = small_model(6, target_size, 4, seed, dtype=dtype)
    model = small_model(6, target_size, 4, seed, dtype=dtype)
    right_loss, right_weights = right_step(start, source, target, make_optimizer, **options, updates=updates)
    optimizer = make_optimizer(model.parameters())
    for _ in range(updates):
        loss = _number(subject, situation, model, source, target, optimizer, **options)
    weights = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])

    def number(x: float) -> Tensor:
        return torch.tensor(x, dtype=dtype)

    def known(table: list[tuple], place: int) -> list[Mistake]:
        found = []
        for word, observed, cause, hint in table:
            results = right_step(start, source, target, make_optimizer, **options, updates=updates, wrong=(word,))
            shows = number(results[0]) if place == 0 else results[1]
            right = number(right_loss) if place == 0 else right_weights
            if not same(shows, right):
                found.append(Mistake(shows, observed, cause, hint))
        return found

    if not same(number(loss), number(right_loss)):
        subject.compare(
            situation,
            number(loss),
            number(right_loss),
            "the smoothed loss of the labels that are no padding, in training mode and before the update",
            known(IN_LOSS, 0),
            "compute the loss of this batch by hand: model, teacher_forcing_pair, label_smoothing_loss",
        )
    if not same(weights, right_weights):
        subject.compare(
            situation,
            weights,
            right_weights,
            "one step of the optimizer with this loss's gradient, shortened to max_grad_norm",
            known(IN_UPDATE, 1),
            "the loss is right, so the gradient was changed or cut off: print `.grad` before `optimizer.step()`",
        )


def check_accumulated_step(accumulated_step: Callable) -> None:
    """Check that a batch in parts gives the update of the whole batch."""
    subject = Answer(accumulated_step, "accumulated_step", UNIT)
    source = torch.tensor([[4, 5, 2], [3, 2, 0], [5, 5, 2]])
    target = torch.tensor([[1, 6, 4, 3, 2], [1, 5, 2, 0, 0], [1, 4, 3, 2, 0]])
    situation = "three sentences in parts of two and one"
    right_loss, right = right_step(small_model(6, 7, 4, 30), source, target, _descent)
    model = small_model(6, 7, 4, 30)
    parts = [(source[:2], target[:2]), (source[2:], target[2:])]
    loss = _number(subject, situation, model, parts, _descent(model.parameters()))
    weights = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    if not same(torch.tensor(loss), torch.tensor(right_loss)) or not same(weights, right):
        subject.fail(
            situation,
            "another loss or update than that of the whole batch",
            "the loss, the gradient and the one update of the three sentences in one batch",
            "a mean of means: a part with few labels must count less. Or (it shows in the same way): a sum of means; "
            "or an update, or clipping, after each part",
            "compare with `train_step` on the whole batch",
        )
    subject.passed("a batch in parts gives the update of the whole batch")
