"""Task `accumulated_step` of exercise 10, the stretch."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case
from course_checks.task import Task
from course_checks.transformer.models import SmallModel
from course_checks.transformer.shared import UNIT
from course_checks.transformer.train_step import right as whole
from course_checks.transformer.train_step import sgd, shorten
from course_checks.words import Wrong
from transformer_course.common.tokens import PAD

task = Task("accumulated_step", UNIT)
_WHOLE = "compare with `train_step` on the whole batch"


@task.oracle
def right(model, parts, optimizer, smoothing=0.1, max_grad_norm=1.0):
    """Put the parts together again."""
    source, target = (torch.cat(side) for side in zip(*parts, strict=True))
    return whole(model, source, target, optimizer, smoothing, max_grad_norm)


@task.pipeline(
    mean={
        "means": Wrong("the mean of the parts' losses: a part with few labels must count less", "", _WHOLE),
        "sum of means": Wrong("the sum of the parts' mean losses", "", _WHOLE),
        "sum": Wrong("the sum of all losses, divided by nothing", "", _WHOLE),
        "padding": Wrong("the sum of all losses is divided by the number of all labels, padding included", "", _WHOLE),
    },
    update={
        "each": Wrong("an update after each part; the gradients of all parts make one", "", _WHOLE),
        "last": Wrong("the gradients are set to zero for each part, so that only the last one counts", "", _WHOLE),
    },
    clip={"each": Wrong("the gradients are shortened after each part, not once at the end", "", _WHOLE),
          "none": Wrong("the gradients are not shortened", "", _WHOLE)},
    mode={"eval": Wrong("`model.train()` is missing", "", _WHOLE)},
)  # fmt: skip
def accumulated_step(
    model, parts, optimizer, smoothing=0.1, max_grad_norm=1.0, *, mean="labels", update="end", clip="end", mode="train"
):
    """Accumulate with one choice for each step."""
    model.train(mode == "train")
    counts = [(target[:, 1:] != PAD).sum() for _, target in parts]
    all_labels, total = sum(target[:, 1:].numel() for _, target in parts), 0.0
    optimizer.zero_grad()
    for (source, target), count in zip(parts, counts, strict=True):
        if update == "last":
            optimizer.zero_grad()
        logits = model(source, target[:, :-1])
        loss = F.cross_entropy(logits.mT, target[:, 1:], ignore_index=PAD, label_smoothing=smoothing, reduction="sum")
        loss = loss / {"means": count * len(parts), "sum of means": count, "sum": 1, "padding": all_labels}.get(
            mean, sum(counts)
        )
        loss.backward()
        total += loss.item()
        if clip == "each" or update == "each":
            shorten(list(model.parameters()), max_grad_norm, "together")
        if update == "each":
            optimizer.step()
            optimizer.zero_grad()
    left = [each for each in model.parameters() if each.grad is not None]
    shorten(left, max_grad_norm, "none" if clip == "none" else "together")
    optimizer.step()
    return total


def after(answer, source, target, model):
    """Observe the loss and the weights after an update in parts of two and one."""
    loss = answer(model, [(source[:2], target[:2]), (source[2:], target[2:])], sgd(model.parameters()))
    return [loss, torch.cat([parameter.detach().flatten() for parameter in model.parameters()]).float()]


def inputs(draw):
    """Make three sentences and a model."""
    source, target = torch.tensor([[4, 5, 2], [3, 2, 0], [5, 5, 2]]), torch.tensor([[1, 6, 4, 3, 2], [1, 5, 2, 0, 0],
                                                                                   [1, 4, 3, 2, 0]])  # fmt: skip
    return source, target, SmallModel(str(draw.integers(0, 10**6).item()), 7, 7, torch.float64)


task.require(
    "a batch in parts gives the update of the whole batch",
    "the loss, the gradient and the one update of all sentences in one batch",
    [Case(f"three sentences in parts of two and one{more}", inputs, after) for more in ("", ", another model")],
    hint=_WHOLE,
)
