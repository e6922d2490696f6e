"""Gradients through proxies against the same code run here. The oracle is torch."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close


def test_gradients_equal_torch(talk):
    source = (
        "import torch\ndef attend(query, key, value):\n"
        "    weights = torch.softmax(query @ key.transpose(-2, -1), -1)\n"
        "    return weights @ value, weights.detach(), 3"
    )
    attend = talk(source)["attend"]
    here: dict = {}
    exec(source, here)
    inputs = [torch.randn(*shape, dtype=torch.float64) for shape in ((2, 5, 4), (2, 7, 4), (2, 7, 6))]
    ours = [x.clone().requires_grad_() for x in inputs]
    theirs = [x.clone().requires_grad_() for x in inputs]
    output, weights, number = attend(*ours)
    expected, _, _ = here["attend"](*theirs)
    assert_close(output, expected)
    assert (output.requires_grad, weights.requires_grad, number) == (True, False, 3)
    upstream = torch.randn_like(expected)
    for mine, other in zip(
        torch.autograd.grad(output, ours, upstream), torch.autograd.grad(expected, theirs, upstream), strict=True
    ):
        assert_close(mine, other)


def test_gradcheck_and_inputs_that_are_not_leaves(talk):
    f = talk("import torch\ndef f(x, y):\n    return (x.exp() * y).cumsum(-1)")["f"]
    x, y = (torch.randn(2, 3, dtype=torch.float64, requires_grad=True) for _ in range(2))
    assert torch.autograd.gradcheck(f, (x, y))
    f(x * 2, y.detach()).sum().backward()
    assert_close(x.grad, 2 * (2 * x).exp() * y * torch.tensor([3.0, 2.0, 1.0], dtype=torch.float64))


CELLS = """
import torch
def encode(embedded, cell, hidden):
    outputs = []
    for position in range(embedded.shape[1]):
        hidden = cell(embedded[:, position], hidden)
        outputs.append(hidden)
    return torch.stack(outputs, 1), hidden
"""


def test_call_backs_carry_gradients_to_arguments_and_to_what_the_test_captured(talk):
    encode = talk(CELLS)["encode"]
    here: dict = {}
    exec(CELLS, here)
    weight = torch.randn(4, 4, dtype=torch.float64, requires_grad=True)
    scale = nn.Linear(4, 4).double()

    def cell(x, hidden):
        return torch.tanh(scale(x) + hidden @ weight)

    embedded = torch.randn(2, 3, 4, dtype=torch.float64, requires_grad=True)
    hidden = torch.randn(2, 4, dtype=torch.float64, requires_grad=True)
    wanted = [embedded, hidden, weight, *scale.parameters()]
    found = []
    for function in (encode, here["encode"]):
        outputs, final = function(embedded, cell, hidden)
        found.append(torch.autograd.grad(outputs.pow(2).sum() + final.sum(), wanted))
    for mine, other in zip(*found, strict=True):
        assert_close(mine, other)


def test_an_error_in_a_call_back_comes_through_as_itself(talk):
    class Stop(Exception):
        pass

    def evaluate():
        raise Stop

    student = talk("def run(evaluate, log):\n    try:\n        evaluate()\n    finally:\n        log.append(1)")
    log: list = []
    with pytest.raises(Stop):
        student["run"](evaluate, log)
    assert log == [1]


def test_functions_of_the_student_handed_back_to_the_student(talk):
    student = talk(CELLS + "def step(x, hidden):\n    return x + 2 * hidden")
    embedded, hidden = torch.ones(1, 3, 2), torch.zeros(1, 2)
    _, final = student["encode"](embedded, student["step"], hidden)
    assert final.tolist() == [[7.0, 7.0]]  # 1, 1 + 2, 1 + 6
    _, final = student["encode"](embedded, lambda x, hidden: student["step"](x, hidden) + 1, hidden)
    assert final.tolist() == [[14.0, 14.0]]  # 2, 1 + 4 + 1, 1 + 12 + 1


SCORES = """
import torch
def scores(x, w):
    return (x @ w).softmax(-1)
def two(x, w):
    return x @ w, x.exp()
def shifted(x, w):
    return x + w
def rows_kept(model, x):
    y = model(x)
    return [torch.autograd.grad(y[0, i], x, retain_graph=True)[0] for i in range(2)]
def rows_lost(model, x):
    y = model(x)
    return [torch.autograd.grad(y[0, i], x)[0] for i in range(2)]
"""


@pytest.fixture(params=["here", "there"])
def scores(talk, request):
    """The same functions without and with a wire: torch says when a graph is freed."""
    if request.param == "there":
        return talk(SCORES)
    here: dict = {}
    exec(SCORES, here)
    return here


def test_a_graph_is_freed_after_its_first_pass_unless_it_is_kept(scores):
    x, w = torch.randn(2, 3, requires_grad=True), torch.randn(3, 4, requires_grad=True)
    y = scores["scores"](x, w)
    kept = torch.autograd.grad(y[0, 0], x, retain_graph=True)[0]
    assert_close(torch.autograd.grad(y[0, 0], x)[0], kept)
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(y[0, 0], x)


def test_what_torch_does_not_free_is_not_freed(scores):
    x, w = torch.randn(2, 3, requires_grad=True), torch.randn(2, 3, requires_grad=True)
    first, second = scores["two"](x, w.T)
    assert torch.autograd.grad(first.sum(), w)[0].shape == (2, 3)
    assert_close(torch.autograd.grad(second.sum(), x)[0], x.exp())
    total = scores["shifted"](x, w)
    for _ in range(2):  # a sum keeps nothing that could be freed
        assert torch.autograd.grad(total.sum(), w)[0].eq(1).all()


def test_a_student_has_to_keep_the_graph_of_the_tests_too(scores):
    w = torch.randn(3, 4)
    x = torch.randn(1, 3, requires_grad=True)
    for row, column in zip(scores["rows_kept"](lambda x: (x @ w).exp(), x), range(2), strict=True):
        assert_close(row, ((x @ w).exp()[0, column] * w[:, column])[None].detach())
    with pytest.raises(RuntimeError, match="second time"):
        scores["rows_lost"](lambda x: (x @ w).exp(), x)
