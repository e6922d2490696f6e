"""Task `FeedForward` of exercise 09."""

from collections import OrderedDict

import torch
from torch import nn

from course_checks.cases import Case, refusal
from course_checks.modules import parameter_gradients
from course_checks.task import Task
from course_checks.transformer_blocks.shared import (
    DROPOUT,
    LATER,
    UNIT,
    drawn,
    gradients_of,
    making,
    observing,
    refused,
    require_dropped,
    set_to,
    words_that_move,
)

task = Task("FeedForward", UNIT, ("multi_head_attention", "transformer_encoder_layer"))

_ORDER = "the order is linear_1, activation, dropout, linear_2"
_EXACT = "see the argument `approximate` of torch's gelu; the exact form uses erf"
_EARLY = "dropout falls on what comes before the activation: on x, or on what linear_1 says"
_BIASES = "`nn.Linear` holds a weight and a bias: count what your formula uses"
_KEPT = "print what `__init__` has kept, and compare with the task"
# fmt: off
_NAMES = {"relu": "F.relu", "gelu": "F.gelu", "leaky relu": "F.leaky_relu", "sigmoid": "torch.sigmoid",
          "tanh": "torch.tanh", "silu": "F.silu"}
task.edit("= F.relu", {
    f"= {made}": (f"`activation='relu'` gives {name}", _KEPT) for name, made in _NAMES.items() if name != "relu"})
task.edit("else F.gelu", {
    f"else {made}": (f"`activation='gelu'` gives {name}", _KEPT)
    for name, made in _NAMES.items() if name not in ("gelu", "leaky relu")
} | {
    "else lambda z: F.gelu(z, approximate='tanh')": ("gelu with tanh, which is an approximation", _EXACT),
    "else lambda z: z * torch.sigmoid(1.702 * z)": ("gelu with a sigmoid, which is an approximation", _EXACT),
    "else lambda z: z * (1 + torch.erf(z)) / 2": (
        "erf takes z itself, without the root of 2 of the normal distribution",
        "at z = 1 the normal distribution function is 0.841: what is yours?")})
task.edit('str = "relu"', {
    'str = "gelu"': ("the default of `activation` is not relu", "compare the signature with the task")})
_HIDDEN, _RESULT = "self.activation(self.linear_1(x))", "self.linear_2(self.dropout(hidden))"
task.edit(_HIDDEN, {
    "self.linear_1(x)": ("there is no activation: two linear maps in a row are one linear map", _ORDER),
    f"self.activation({_HIDDEN})": ("the activation is applied twice", _ORDER),
    "self.activation(F.linear(x, self.linear_1.weight))": ("the bias of linear_1 is not used", _BIASES),
    "self.activation(self.linear_1(self.dropout(x)))": (_EARLY, _ORDER),
    "self.linear_1(self.activation(x))": ("the activation stands before linear_1", _ORDER),
    f"{_HIDDEN}\nhidden = hidden - hidden.mean(-2, keepdim=True) if hidden.dim() > 1 else hidden": (
        "something between the two maps runs over the words", "every word is worked on by itself")})
task.edit(_RESULT, {
    f"self.activation({_RESULT})": ("an activation stands behind linear_2 as well", _ORDER),
    f"{_RESULT} + x": ("x is added to the result: the residual connection belongs to the block", _ORDER),
    "F.linear(self.dropout(hidden), self.linear_2.weight)": ("the bias of linear_2 is not used", _BIASES),
    "self.dropout(hidden)": ("linear_2 is not used", _ORDER),
    "self.dropout(self.linear_2(hidden))": ("dropout stands behind linear_2, on the result", _ORDER),
    f"self.dropout({_RESULT})": ("dropout stands behind linear_2 as well as on the activations", _ORDER)})
task.edit_places({_HIDDEN: "self.linear_1(x)", _RESULT: f"self.activation({_RESULT})"},
                 "the activation stands behind linear_2, not between the two", _ORDER)
task.edit_places({_HIDDEN: "self.activation(self.dropout(self.linear_1(x)))", _RESULT: "self.linear_2(hidden)"},
                 _EARLY, _ORDER)
task.edit_places({_HIDDEN: "self.activation(self.linear_1(self.dropout(x)))", _RESULT: "self.linear_2(hidden)"},
                 "dropout falls on x", _ORDER)
task.edit("nn.Dropout(dropout)", DROPOUT)
for _name, _sizes in (("linear_1", "(d_model, d_ff)"), ("linear_2", "(d_ff, d_model)")):
    task.edit(_sizes, {f"{_sizes[:-1]}, bias=False)": (f"{_name} has no bias", "leave `bias` at its default")})
for _widen, _narrow, *_words in (
    ("d_model, d_ff, bias=False", "d_ff, d_model, bias=False", "the two maps have no bias",
     "leave `bias` at its default"),
    ("d_ff, d_model", "d_model, d_ff", "d_model and d_ff change places in linear_1 and linear_2",
     "nn.Linear takes the number of inputs first, then that of outputs"),
    ("d_model, d_model", "d_model, d_model", "d_ff is not used", "linear_1 widens to d_ff, linear_2 narrows back"),
):
    task.edit_places({"(d_model, d_ff)": f"({_widen})", "(d_ff, d_model)": f"({_narrow})"}, *_words)
task.edit_places({"self.linear_1 = nn.Linear(d_model, d_ff)": "self.maps = [nn.Linear(d_model, d_ff)]",
                  "self.linear_2 = nn.Linear(d_ff, d_model)": "self.maps += [nn.Linear(d_ff, d_model)]",
                  "self.linear_1(x)": "self.maps[0](x)", "self.linear_2(": "self.maps[1]("},
                 "the layers stand in a plain list, where nn.Module does not find them",
                 "set each layer as an attribute of its own")
# fmt: on


@task.oracle
def right(d_model, d_ff, dropout=0.0, activation="relu"):
    """Put torch's layers in a row."""
    bend = {"relu": nn.ReLU, "gelu": nn.GELU}[activation]()
    layers = nn.Linear(d_model, d_ff), bend, nn.Dropout(dropout), nn.Linear(d_ff, d_model)
    return nn.Sequential(OrderedDict(zip(("linear_1", "activation", "dropout", "linear_2"), layers, strict=True)))


def network(d_model, d_ff, *more, then=None, evaluate=False, words=None, **options):
    """Observe a network with known weights."""
    return observing(making(right, d_model, d_ff, *more, **options), then, evaluate, words)


def dropped(dropout):
    """Observe which activations are dropped: behind an identity and a shift by 1 all of them show."""

    def look(module, x):
        set_to(module, {"linear_2.weight": torch.eye(20, 16), "linear_2.bias": 1.0})
        seen = module(x)[..., :16] - 1
        require_dropped(seen, module.eval()(x)[..., :16] - 1, 1 - dropout, "the activations")

    observe = network(20, 16, then=look, dropout=dropout, activation="gelu")
    return Case(f"dropout = {dropout}, training mode", drawn(12, 5, 20, scale=0.5), observe, right=None)


@task.probe("every word is worked on by itself", "the result of a word depends on this word alone",
            "something runs over the words, such as a norm or a softmax over another dimension", _ORDER)  # fmt: skip
def alone(answer):
    """2 sentences of 5 words, of which the last is changed."""
    return words_that_move(making(right, 8, 13)(answer), 8)


task.require("two linear maps with relu or gelu between them",
    "linear_2 of the activation of linear_1, of each word on its own",
    [Case("relu, 2 sentences of 5 words, d_model = 8", drawn(2, 5, 8, scale=5.0), network(8, 13, activation="relu")),
     Case("gelu, 3 words, d_model = 6, d_ff = 4", drawn(3, 6, scale=2.0), network(6, 4, activation="gelu")),
     Case("activation left out of the call, one word", drawn(7), network(7, 9)),
     Case("all arguments by position", drawn(3, 5), network(5, 11, 0.0, "gelu"))],
    [Case("relu, four dimensions", drawn(2, 3, 4, 6), network(6, 9, activation="relu")),
     Case("gelu, as many of everything", drawn(4, 4, 4), network(4, 4, activation="gelu")),
     Case("one word, float32", drawn(10, dtype=torch.float32), network(10, 6, activation="gelu", dtype=torch.float32))],
    "print the shape after each of the steps, and compare with the formula")  # fmt: skip
task.require("dropout falls on the activations, in training alone",
    "with probability `dropout` an activation is zero in training, otherwise divided by 1 - dropout",
    [Case("dropout = 0.5, evaluation mode", drawn(6, 8), network(8, 13, evaluate=True, dropout=0.5, words=LATER)),
     dropped(0.2), Case("dropout = 1, training mode", drawn(6, 8), network(8, 13, dropout=1.0))],
    [Case("dropout = 0.3, evaluation mode", drawn(9, 4), network(4, 5, evaluate=True, dropout=0.3, words=LATER)),
     dropped(0.4)])  # fmt: skip
task.require("gradients reach x and every parameter", "the derivative of the formula",
    [Case("the gradients of the parameters", drawn(2, 5, 8), network(8, 13, then=parameter_gradients)),
     Case("the gradient of x, gelu", drawn(5, 8), network(8, 7, then=gradients_of, activation="gelu"))],
    [Case("the gradients of the parameters, 4 words", drawn(4, 6), network(6, 9, then=parameter_gradients)),
     Case("the gradient of x, relu", drawn(2, 4, 6), network(6, 9, then=gradients_of))])  # fmt: skip
task.limits("one feature, d_ff = 1, and wrong input",
    [Case("one feature", drawn(2, 3, 1), network(1, 5)), Case("d_ff = 1", drawn(2, 3, 4), network(4, 1)),
     refusal("d_model = 0", (0, 6), "d_model"), refusal("d_ff = 0", (4, 0), "d_ff"),
     refusal("another activation", (4, 6, 0.0, "tanh"), "activation"),
     refusal("a dropout above 1", (4, 6, 1.5), "dropout"),
     refused("three features in the place of four", (4, 6), torch.ones(2, 5, 3))])  # fmt: skip
