"""Task `train_step` of exercise 10."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, refuses
from course_checks.task import Task
from course_checks.transformer.models import SmallModel
from course_checks.transformer.shared import UNIT
from transformer_course.common.tokens import PAD

task = Task("train_step", UNIT)
_PRINT = "print what goes into the model and what the loss compares with, for one sentence"
_PADS = "append two PAD to every target: the loss must stay"
_ORDER = "write down what is computed in which line, in the order of the six steps of the task"
_LONG = (
    "gradients exist after `backward`, and are used by `step`: where is the place to shorten them, and to which length?"
)


@task.oracle
def right(model, source, target, optimizer, smoothing=0.1, max_grad_norm=1.0):
    """Compute the loss from a distribution over the words, and shorten by hand."""
    model.train()
    log_p, labels = model(source, target[:, :-1]).log_softmax(-1), target[:, 1:]
    wanted = (1 - smoothing) * F.one_hot(labels, log_p.shape[-1]) + smoothing / log_p.shape[-1]
    loss = -(wanted * log_p).sum(-1)[labels != PAD].mean()
    parameters = list(model.parameters())
    gradients = torch.autograd.grad(loss, parameters)
    norm = sum(gradient.square().sum() for gradient in gradients).sqrt()
    for parameter, gradient in zip(parameters, gradients, strict=True):
        parameter.grad = gradient * min(1.0, float(max_grad_norm / norm))
    optimizer.step()
    return loss.item()


# fmt: off
task.edit("teacher_forcing_pair(target)", {
    "target[:, 1:], target[:, 1:]": ("the decoder reads its labels, `target[:, 1:]`", _PRINT),
    "target[:, :-1], target[:, :-1]": ("input and labels are the same words: nothing is shifted", _PRINT),
    "target, target": ("the same `target` is input and labels: nothing is shifted", _PRINT),
    "target[:, 1:], target[:, :-1]": (
        "input and labels change places: the model is asked for the word before", _PRINT)})
task.edit("model(source, decoder_input)", {
    "model(target, decoder_input)": ("the whole target goes in where the source belongs", _PRINT),
    "model(decoder_input, decoder_input)": ("the decoder's input goes in where the source belongs", _PRINT),
    "model(source, decoder_input).softmax(-1)": (
        "softmax before a loss that applies it itself", "hand the logits to the loss as they are")})
task.edit("model.train()", {
    "": ("`model.train()` is missing, or comes after the model is called",
         "a model that was just measured still stands in evaluation mode")})
task.edit(", smoothing)", {
    ", 0.0)": ("`smoothing` is not used", "call it with smoothing=0 and smoothing=0.5"),
    ", 1 - smoothing)": ("1 - smoothing in the place of smoothing", "which share do the other words get?"),
    ", 0.1)": ("`smoothing` is not handed on: it is 0.1 always", "call it with smoothing=0 and 0.5")})
_LOSSES = ("nn.functional.cross_entropy(model(source, decoder_input).mT, labels, label_smoothing=smoothing, "
           "reduction='none', ignore_index=PAD)")
task.edit("label_smoothing_loss(model(source, decoder_input), labels, smoothing)", {
    _LOSSES.replace("PAD", "-1") + ".mean()": ("labels that are padding count in the loss", _PADS),
    _LOSSES + ".mean()": ("the sum over the words is divided by the number of all labels, padding too", _PADS),
    f"({_LOSSES}.sum(1) / (labels != PAD).sum(1)).mean()": (
        "the mean over sentences of their mean losses: words of short sentences count more",
        "the mean is over all labels of the batch that are no padding"),
    _LOSSES + ".sum() / len(target)": (
        "the sum of the losses is divided by the number of sentences, not of labels", _PADS),
    _LOSSES + ".sum()": ("the sum of the losses, not their mean over the labels", _ORDER)})
task.edit("optimizer.zero_grad()", {
    "": ("the gradients of the last call are still there: nothing sets them to zero before `backward`",
         "call it twice and print `.grad` of one parameter")})
task.edit("loss.backward()", {
    "loss.backward()\noptimizer.zero_grad()": (
        "`step` finds no gradients: it comes before `backward`, they are set to zero between the two, or `step` is "
        "missing", "print `.grad` of a parameter before `optimizer.step()`", "the weights did not change"),
    "(-loss).backward()": ("the loss has the wrong sign", _ORDER, "the weights moved in the opposite direction")})
_BY = ("norm = nn.utils.clip_grad_norm_(model.parameters(), 1e9)\nfor each in model.parameters():\n"
       "    each.grad *= max_grad_norm / ")
task.edit("nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)", {
    "": ("long gradients are not shortened, or not between `backward` and `step`", _LONG),
    "nn.utils.clip_grad_norm_(model.parameters(), 1.0)": (
        "`max_grad_norm` is not handed on: gradients are shortened to 1 always", _LONG),
    "for each in model.parameters():\n    nn.utils.clip_grad_norm_([each], max_grad_norm)": (
        "each parameter's gradient is shortened on its own, not all together", _LONG),
    "nn.utils.clip_grad_value_(model.parameters(), max_grad_norm)": (
        "single numbers are cut off (`clip_grad_value_`): the step changes its direction", _LONG),
    "nn.utils.clip_grad_norm_(optimizer.param_groups[0]['params'], max_grad_norm)": (
        "only the gradients of the first group of the optimizer are shortened",
        "an optimizer may hold its parameters in several groups"),
    "length = sum(each.grad.norm() for each in model.parameters())\nfor each in model.parameters():\n"
    "    each.grad *= min(1.0, max_grad_norm / length)": (
        "the lengths of the single gradients are added up; squares add up, lengths do not", _LONG),
    _BY + "norm": ("gradients shorter than `max_grad_norm` are made longer", "a short gradient stays"),
    _BY + "max(norm**2, max_grad_norm)": (
        "gradients are shortened by their squared length, or by another norm", _LONG)})
task.edit("optimizer.step()", {
    "optimizer.step()\noptimizer.step()": ("`optimizer.step()` is called twice", "one call is one update")})
task.edit("loss.item()", {
    "label_smoothing_loss(model(source, decoder_input), labels, smoothing).item()": (
        "the loss is computed once more after the update", "return the loss of the gradient"),
    "loss": ("the result is still a tensor", "turn a tensor of one number into a Python number with `.item()`"),
    "(loss * (labels != PAD).sum()).item()": (
        "the loss is multiplied by the number of labels before it is returned", _ORDER),
    "loss.exp().item()": ("e to the loss is returned, the perplexity", _ORDER)})
# fmt: on


def sgd(parameters):
    """Make an optimizer whose steps are the gradients themselves, with its parameters in two groups."""
    first, *others = parameters
    return torch.optim.SGD([{"params": [first]}, {"params": others}], lr=0.5)


def loss_of(answer, source, target, model, make=sgd, updates=1, **options):
    """Observe the loss of the last of some updates."""
    optimizer = make(model.parameters())
    return [answer(model, source, target, optimizer, **options) for _ in range(updates)][-1]


def update_of(answer, source, target, model, *settings, **options):
    """Observe the weights after some updates."""
    loss_of(answer, source, target, model, *settings, **options)
    return torch.cat([parameter.detach().flatten() for parameter in model.parameters()]).float()


def batch(rows=slice(None), padding=0, dtype=torch.float64):
    """Make two sentences of 4 and 2 labels, and a model."""
    source, target = torch.tensor([[4, 5, 2], [3, 2, 0]])[rows], torch.tensor([[1, 6, 4, 3, 2], [1, 5, 2, 0, 0]])[rows]

    def make(draw):
        return source, F.pad(target, (0, padding)), SmallModel(str(draw.integers(0, 10**6).item()), 7, 7, dtype)

    return make


def cases(situation, observe, inputs, **options):
    """Make a case with options of the learner's function."""
    return Case(situation, inputs, lambda answer, *arguments: observe(answer, *arguments, **options))


BOTH, NO_LIMIT = "2 sentences of 4 and 2 labels", {"max_grad_norm": 1e9}
task.require("the loss is that of the labels, before the update",
    "the smoothed loss, a mean over the labels that are no padding, in training mode and before the update",
    [cases(BOTH, loss_of, batch()), cases(f"{BOTH}, smoothing 0.4", loss_of, batch(), smoothing=0.4)],
    [cases("no smoothing", loss_of, batch(), smoothing=0.0),
     cases("one sentence, much padding", loss_of, batch(slice(0, 1), 4)),
     cases("the second of two calls", loss_of, batch(), updates=2, **NO_LIMIT)],
    _PRINT)  # fmt: skip
task.require("the weights make one step against the gradient",
    "one step of the optimizer with the gradient of this loss",
    [cases(f"{BOTH}, max_grad_norm=1e9", update_of, batch(), **NO_LIMIT),
     cases("two calls, max_grad_norm=1e9", update_of, batch(), updates=2, **NO_LIMIT)],
    [cases("much padding", update_of, batch(padding=4), **NO_LIMIT),
     cases("three updates with Adam", update_of, batch(), updates=3,
           make=lambda parameters: torch.optim.Adam(parameters, lr=0.01, betas=(0.9, 0.98)))],
    "the loss is right, so the gradient was changed or cut off: print `.grad` before `optimizer.step()`")  # fmt: skip
task.require("long gradients are shortened, and short ones stay",
    "all gradients together, as one vector, are at most as long as max_grad_norm",
    [cases("gradients longer than max_grad_norm=0.3", update_of, batch(), max_grad_norm=0.3),
     cases("gradients shorter than max_grad_norm=9", update_of, batch(), max_grad_norm=9.0)],
    [cases("max_grad_norm left out", update_of, batch()),
     cases("very short gradients, much smoothing", update_of, batch(), max_grad_norm=1e-3, smoothing=0.7),
     cases("float32", update_of, batch(dtype=torch.float32), max_grad_norm=0.5)],
    _LONG)  # fmt: skip


def refusing(number):
    """Observe whether a length is refused."""

    def observe(answer, source, target, model):
        return refuses("max_grad_norm")(answer, model, source, target, sgd(model.parameters()), 0.1, number)

    return Case(f"max_grad_norm {number}", batch(), observe, right=True)


task.limits("one label, and a max_grad_norm that is not positive is refused",
    [cases("one label", update_of, batch((slice(0, 1), slice(0, 2))), **NO_LIMIT),
     *(refusing(number) for number in (0.0, -1.0, float("nan")))])  # fmt: skip
