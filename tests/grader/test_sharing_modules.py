"""Modules through proxies against the same code run here. The oracle is torch."""

import copy
import inspect

import pytest
import torch
from torch import nn
from torch.testing import assert_close

MODULE = """
import torch
from torch import nn
class Block(nn.Module):
    '''A block.'''
    def __init__(self, size, dropout=0.0):
        super().__init__()
        if size < 1:
            raise ValueError(f"size: expected at least 1, got {size}")
        self.size, self.linear, self.dropout = size, nn.Linear(size, size), nn.Dropout(dropout)
        self.gain = nn.Parameter(torch.ones(size))
        self.register_buffer("table", torch.arange(size).float())
        self.inner = nn.ModuleList([Part(size), Part(size)])
        self.calls = 0
    def forward(self, x, mask=None):
        self.calls += 1
        for part in self.inner:
            x = part(x)
        return self.dropout(self.linear(x)) * self.gain + self.table, self.training
    def divided(self, x, by=2):
        return x / by
class Part(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(size))
    def forward(self, x):
        return x + self.bias
"""


@pytest.fixture
def block(talk):
    student = talk(MODULE)
    here: dict = {}
    exec(MODULE, here)
    ours, theirs = student["Block"](3, dropout=0.5), here["Block"](3, dropout=0.5)
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs, student


def test_modules_are_modules(block):
    ours, theirs, student = block
    kind = student["Block"]
    assert isinstance(ours, kind)
    assert issubclass(kind, nn.Module)
    assert isinstance(ours.linear, nn.Linear)
    assert type(ours.inner) is nn.ModuleList
    assert isinstance(ours.inner[1], student["Part"])
    assert [name for name, _ in ours.named_parameters()] == [name for name, _ in theirs.named_parameters()]
    assert list(ours.state_dict()) == list(theirs.state_dict())
    assert (ours.size, ours.calls, ours.divided(torch.tensor(3.0)).item()) == (3, 0, 1.5)
    assert not hasattr(ours, "nothing")
    assert list(inspect.signature(kind).parameters) == ["size", "dropout"]
    with pytest.raises(ValueError, match="size: expected at least 1, got 0"):
        kind(0)


def test_module_forward_backward_optimizer_mode_and_dtype(block):
    ours, theirs, _ = block
    ours.eval()
    theirs.eval()
    x = torch.randn(2, 3)
    optimizers = [torch.optim.Adam(each.parameters(), lr=0.1) for each in (ours, theirs)]
    for _ in range(3):
        for each, optimizer in zip((ours, theirs), optimizers, strict=True):
            optimizer.zero_grad()
            each(x)[0].pow(2).sum().backward()
            optimizer.step()
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert_close(mine, other)
    assert_close(ours(x)[0], theirs(x)[0])
    assert ours(x)[1] is False
    ours.train()
    assert ours(x)[1] is True
    assert ours.double().eval()(x.double())[0].dtype == torch.float64
    assert ours.calls == 7


def test_parameters_set_here_are_used_there(block):
    ours, _, _ = block
    ours.eval()
    with torch.no_grad():
        ours.linear.weight.copy_(torch.eye(3))
        ours.linear.bias.zero_()
    ours.gain.data.fill_(2.0)
    ours.inner[0].bias.data.fill_(1.0)
    ours.table = torch.zeros(3)
    assert ours(torch.ones(1, 3))[0].tolist() == [[4.0, 4.0, 4.0]]
    assert torch.autograd.gradcheck(lambda x: ours.double()(x)[0], torch.randn(2, 3).double().requires_grad_())
    other = copy.deepcopy(ours)
    ours.gain.data.fill_(0.0)
    assert other(torch.ones(1, 3).double())[0].abs().sum() > 0


TRAIN = """
import torch
def train_step(model, x, optimizer, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()
def mode(model):
    return model.training, next(model.parameters()).dtype, model.answer, model.twice(3)
def importance(heads, evaluate):
    results = []
    for layer, index in heads:
        before = layer.weight.detach().clone()
        try:
            with torch.no_grad():
                layer.weight[:, index] = 0
            results.append(evaluate())
        finally:
            with torch.no_grad():
                layer.weight.copy_(before)
    return results
def by_hook(layer, evaluate):
    hook = layer.register_forward_pre_hook(lambda module, args: (args[0] * 0,))
    try:
        return evaluate()
    finally:
        hook.remove()
"""


class Model(nn.Module):
    """A module of the test, which the student's side does not have."""

    answer = 42

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.rows = []

    def forward(self, x):
        self.rows.append(len(x))
        return torch.tanh(self.linear(x))

    def twice(self, number):
        return 2 * number


def test_a_module_of_the_test_is_trained_there_as_here(talk):
    student = talk(TRAIN)
    here: dict = {}
    exec(TRAIN, here)
    ours, x = Model(), torch.randn(4, 3)
    ours.linear.weight.grad = torch.full((2, 3), 100.0)  # left over: zero_grad has to be called
    theirs = copy.deepcopy(ours)
    optimizers = [torch.optim.AdamW(each.parameters(), lr=0.1) for each in (ours, theirs)]
    for _ in range(3):
        assert student["train_step"](ours, x, optimizers[0]) == here["train_step"](theirs, x, optimizers[1])
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.equal(mine, other)
        assert torch.equal(mine.grad, other.grad)
    assert ours.rows == [4, 4, 4]
    ours.eval()
    assert student["mode"](ours) == (False, torch.float32, 42, 6)


def test_a_module_changed_for_a_call_back_and_put_back(talk):
    student, layer = talk(TRAIN), nn.Linear(3, 2)
    before = layer.weight.detach().clone()

    def evaluate():
        return layer.weight.detach().abs().sum(0).tolist()

    first, second = student["importance"]([(layer, 0), (layer, 2)], evaluate)
    assert (first[0], second[2]) == (0.0, 0.0)
    assert_close(torch.tensor(first[1:]), before.abs().sum(0)[1:])
    assert torch.equal(layer.weight, before)

    def failing():
        assert layer.weight[:, 1].abs().sum() == 0
        raise KeyError("stop")

    with pytest.raises(KeyError):
        student["importance"]([(layer, 1)], failing)
    assert torch.equal(layer.weight, before)


def test_hooks_put_on_a_module_of_the_test_run_where_it_runs(talk):
    student, layer = talk(TRAIN), nn.Linear(3, 2)
    x = torch.ones(1, 3)
    assert_close(torch.tensor(student["by_hook"](layer, lambda: layer(x).tolist())), layer.bias.detach()[None])
    assert not torch.allclose(layer(x), layer.bias[None])


def test_classes_of_a_shared_package_arrive_as_they_are(talk):
    from transformer_course.multi_head_attention import MultiHeadAttention

    student = talk(
        "from transformer_course.multi_head_attention import MultiHeadAttention\n"
        "def look(attention, x):\n    return isinstance(attention, MultiHeadAttention), attention(x, x, x)[0]",
        shared=["transformer_course"],
    )
    attention, x = MultiHeadAttention(6, 3), torch.randn(1, 4, 6)
    is_one, output = student["look"](attention, x)
    assert is_one is True
    assert_close(output, attention(x, x, x)[0])
    output.sum().backward()
    assert attention.w_value.weight.grad is not None


ASK = """
def ask(thing, name):
    cells = dict(zip(evaluate.__code__.co_freevars, evaluate.__closure__))
    peer = cells["peer"].cell_contents
    return peer.get(peer.reference_of(thing), name)
def keep(function):
    global evaluate
    evaluate = function
"""


def test_only_what_a_test_hands_over_can_be_asked_for(talk):
    student, model = talk(ASK), Model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def evaluate():
        return 1

    student["keep"](evaluate)
    things = [(evaluate, "__globals__"), (evaluate, "__code__"), (model, "_modules"), (model, "__class__")]
    things += [(model, "register_forward_hook"), (model, "apply"), (optimizer, "state"), (Model, "__init__")]
    for thing, name in things:
        with pytest.raises((AttributeError, TypeError)):
            student["ask"](thing, name)
    assert student["ask"](model, "rows") == []
    assert student["ask"](optimizer, "defaults")["lr"] == 0.1
