"""Task `accumulated_step` of exercise 10, the stretch."""

import torch

from course_checks.cases import Case, Draw
from course_checks.task import Task
from course_checks.transformer.models import SmallModel
from course_checks.transformer.shared import UNIT
from course_checks.transformer.train_step import right as whole
from course_checks.transformer.train_step import sgd

task = Task("accumulated_step", UNIT)
_WHOLE = "compare with `train_step` on the whole batch"


@task.oracle
def right(model, parts, optimizer, smoothing=0.1, max_grad_norm=1.0):
    """Put the parts together again."""
    source, target = (torch.cat(side) for side in zip(*parts, strict=True))
    return whole(model, source, target, optimizer, smoothing, max_grad_norm)


# fmt: off
_EACH = ("an update after each part; the gradients of all parts make one", _WHOLE)
task.edit("int((labels != PAD).sum()) / num_labels", {
    "1 / len(parts)": ("the mean of the parts' losses: a part with few labels must count less", _WHOLE),
    "1": ("the sum of the parts' mean losses", _WHOLE),
    "int((labels != PAD).sum())": ("the sum of all losses, divided by nothing", _WHOLE),
    "int((labels != PAD).sum()) / sum(target[:, 1:].numel() for _, target in parts)": (
        "the sum of all losses is divided by the number of all labels, padding included", _WHOLE),
    "len(target) / sum(len(target) for _, target in parts)": (
        "the parts are weighed by their sentences; the mean is over labels", _WHOLE),
    "int((target != PAD).sum()) / sum(int((target != PAD).sum()) for _, target in parts)": (
        "the parts are weighed by their tokens, BOS included; the mean is over labels, and BOS is none", _WHOLE)})
_CLIP = "nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)"
task.edit_places({"total += loss.item()": f"total += loss.item()\n{_CLIP}\noptimizer.step()",
                  f"{_CLIP}\noptimizer.step()": ""}, *_EACH)
task.edit("total += loss.item()", {
    f"total += loss.item()\n{_CLIP}\noptimizer.step()\noptimizer.zero_grad()": _EACH,
    f"total += loss.item()\n{_CLIP}": ("the gradients are shortened after each part, not once at the end", _WHOLE)})
task.edit("num_labels = sum(int((target[:, 1:] != PAD).sum())", {"num_labels = sum(int((target != PAD).sum())": (
    "BOS is counted in the number by which all is divided; it is no label", _WHOLE)})
task.edit("loss.backward()", {
    "optimizer.zero_grad()\nloss.backward()": (
        "the gradients are set to zero for each part, so that only the last one counts", _WHOLE)})
task.edit(_CLIP, {"": ("the gradients are not shortened", _WHOLE)})
task.edit("model.train()", {"": ("`model.train()` is missing", _WHOLE)})
# fmt: on


def after(answer, source, target, model):
    """Observe the loss and the weights after an update in parts of two and one."""
    loss = answer(model, [(source[:2], target[:2]), (source[2:], target[2:])], sgd(model.parameters()))
    return [loss, torch.cat([parameter.detach().flatten() for parameter in model.parameters()]).float()]


def inputs(draw):
    """Make three sentences and a model."""
    # Labels in the two parts: 6 and 2. Sentences, 2 and 1, and tokens with BOS, 8 and 3, are not in this proportion.
    source, target = torch.tensor([[4, 5, 2], [3, 2, 0], [5, 5, 2]]), torch.tensor([[1, 6, 4, 3, 2], [1, 5, 2, 0, 0],
                                                                                   [1, 4, 2, 0, 0]])  # fmt: skip
    return source, target, SmallModel(str(draw.integers(0, 10**6).item()), 7, 7, torch.float64)


task.require("a batch in parts gives the update of the whole batch",
    "the loss, the gradient and the one update of all sentences in one batch",
    [Case(f"three sentences in parts of two and one{more}", inputs, after) for more in ("", ", another model")],
    hint=_WHOLE)  # fmt: skip


@task.probe("one part after the other, and none of its graph is kept",
            "the gradient of a part is computed before the next part goes through the model",
            "all parts go through the model first, and `backward` comes at the end: all their graphs live until then",
            "when is the last moment at which the loss of a part is needed?")  # fmt: skip
def one_at_a_time(answer):
    """Three parts."""
    source, target, model = inputs(Draw("parts"))
    forward, alive = model.forward, []

    def watched(source, target):
        logits = forward(source, target)
        if logits.requires_grad:
            alive.append(len(alive) - len(backward))
            logits.register_hook(lambda gradient: backward.append(1))
        return logits

    backward, model.forward = [], watched
    answer(model, [(source[i : i + 1], target[i : i + 1]) for i in range(3)], sgd(model.parameters()))
    return "the graph of a part is still there when the next one begins" if any(alive) else None
