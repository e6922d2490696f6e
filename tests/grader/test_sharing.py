"""Proxies against the same code run here: values, gradients, call-backs, modules. The oracle is torch."""

import copy
import inspect
import json
import math
import struct

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from course_grader.sharing.plain import Packer, Unpacker
from course_grader.sharing.wire import Wire, WireError

ECHO = "def echo(*args, **kwargs):\n    return args[0] if len(args) == 1 and not kwargs else [args, kwargs]"


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -(2**200),
        math.inf,
        "\u00e9\n",
        b"\x00\xff",
        3 - 4j,
        (1, [2.5, {"a": (None,), 7: {8}}], frozenset({1})),
        {(1, 2), (3, 4)},
        range(2, 9, 3),
        slice(None, 4, None),
        torch.float16,
        torch.device("cpu"),
        torch.Size([2, 0, 3]),
    ],
)
def test_plain_values_come_back_equal_and_of_the_same_type(talk, value):
    returned = talk(ECHO)["echo"](value)
    assert returned == value
    assert type(returned) is type(value)


@pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.bfloat16, torch.float64, torch.complex64])
def test_tensors_keep_dtype_shape_layout_and_every_bit(talk, dtype):
    echo = talk("def echo(x):\n    return x.clone(), x.stride(), x.is_contiguous()")["echo"]
    base = torch.arange(24).reshape(2, 3, 4).to(dtype)
    for tensor in (base, base.transpose(0, 2), base[0, 0, 0], base[:0], base[0].clone()[:, None].expand(3, 5, 4)):
        returned, stride, contiguous = echo(tensor)
        assert returned.dtype == dtype
        assert torch.equal(returned, tensor)
        assert (stride, contiguous) == (tensor.stride(), tensor.is_contiguous())


def test_nan_keeps_its_bits_and_numpy_arrays_and_scalars_cross(talk):
    import numpy as np

    echo = talk(ECHO)["echo"]
    assert torch.equal(echo(torch.tensor([math.nan, 1.0])).isnan(), torch.tensor([True, False]))
    array = np.arange(6, dtype=np.float32).reshape(2, 3).T
    assert np.array_equal(echo(array), array)
    assert type(echo(np.float32(1.5))) is np.float32


def test_an_argument_that_is_returned_is_the_same_object(talk):
    echo = talk(ECHO)["echo"]
    tensor, numbers = torch.ones(3), [1, 2]
    assert echo(tensor) is tensor
    assert echo(numbers) is numbers


def test_changes_in_place_are_seen_here(talk):
    student = talk(
        "def change(x, numbers, table, group):\n    x[1] = 7\n    numbers.append(x)\n    numbers[0] = 9\n"
        "    table['new'] = [1]\n    group.discard(1)\n"
        "def hidden(x):\n    x.data.mul_(2)\n    return None"
    )
    x, numbers, table, group = torch.zeros(3), [1, 2], {"old": 0}, {1, 2}
    student["change"](x, numbers, table, group)
    assert x.tolist() == [0.0, 7.0, 0.0]
    assert numbers[:2] == [9, 2]
    assert numbers[2] is x
    assert table == {"old": 0, "new": [1]}
    assert group == {2}
    student["hidden"](x)
    assert x.tolist() == [0.0, 14.0, 0.0]


def test_errors_keep_their_builtin_type_and_message(talk):
    student = talk(
        "class Mine(ValueError): pass\ndef fail(kind):\n    raise {'mine': Mine('a'), 'key': KeyError('b'),"
        " 'todo': NotImplementedError(), 'exit': SystemExit(3)}[kind]"
    )
    with pytest.raises(ValueError, match="^a$"):
        student["fail"]("mine")
    with pytest.raises(KeyError, match="b"):
        student["fail"]("key")
    with pytest.raises(NotImplementedError):
        student["fail"]("todo")
    with pytest.raises(RuntimeError, match="asked the process to exit"):
        student["fail"]("exit")


def test_functions_look_like_functions_of_the_notebook(talk):
    student = talk("def f(x, scale: float = 2.0, *, mask=None):\n    'Doc.'\n    return x * scale")
    f = student["f"]
    assert (f.__module__, f.__name__, f.__doc__) == ("__main__", "f", "Doc.")
    assert list(inspect.signature(f).parameters) == ["x", "scale", "mask"]
    assert inspect.signature(f).parameters["scale"].default == 2.0
    assert f(3, scale=5) == 15


@pytest.mark.parametrize(
    "source",
    [
        "class E:\n    def __eq__(self, other): return True\ndef f(): return E()",
        "import torch\nclass T(torch.Tensor): pass\ndef f(): return torch.ones(2).as_subclass(T)",
        "class L(list):\n    def __eq__(self, other): return True\ndef f(): return L()",
        "class F(float):\n    def __eq__(self, other): return True\ndef f(): return F(1)",
        "def f():\n    yield 1",
        "import math\ndef f(): return math",
    ],
)
def test_only_exact_plain_types_leave(talk, source):
    f = talk(source)["f"]
    with pytest.raises(TypeError, match=r"result of type \w+ cannot leave the sandbox"):
        f()


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


def test_no_grad_default_dtype_and_seed_are_the_tests_and_never_come_back(talk):
    student = talk("import torch\ndef f(x):\n    torch.manual_seed(1)\n    return x * 2, torch.rand(2)")
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        assert not student["f"](x)[0].requires_grad
    torch.manual_seed(5)
    expected = torch.manual_seed(5) and torch.rand(3)
    torch.manual_seed(5)
    student["f"](x)
    assert torch.equal(torch.rand(3), expected)


def test_the_same_seed_gives_the_same_dropout(talk):
    drop = talk("import torch\ndef drop(x):\n    return torch.nn.functional.dropout(x, 0.5)")["drop"]
    x = torch.ones(64)
    torch.manual_seed(3)
    first, second = drop(x), drop(x)
    torch.manual_seed(3)
    assert torch.equal(drop(x), first)
    assert not torch.equal(first, second)


def test_a_generator_moves_on_but_not_where_the_other_side_wants(talk):
    student = talk(
        "import torch\ndef draw(generator):\n    return torch.randn(3, generator=generator)\n"
        "def steer(generator):\n    generator.manual_seed(42)"
    )
    changes: list = []
    student.peer.on_changes = changes.append
    generator = torch.Generator().manual_seed(7)
    assert torch.equal(student["draw"](generator), torch.randn(3, generator=torch.Generator().manual_seed(7)))
    assert not torch.equal(student["draw"](generator), torch.randn(3, generator=torch.Generator().manual_seed(7)))
    student["steer"](generator)
    assert changes == []  # to draw from a generator is no change of an argument
    steered = torch.Generator().manual_seed(42)
    assert not torch.equal(torch.randn(3, generator=generator), torch.randn(3, generator=steered))


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
    assert torch.equal(torch.tensor(student["by_hook"](layer, lambda: layer(x).tolist())), layer.bias.detach()[None])
    assert not torch.equal(layer(x), layer.bias[None])


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


def test_a_hostile_reply_is_refused_before_it_uses_memory():
    import socket

    ours, theirs = socket.socketpair()
    wire = Wire(ours, payload_limit=1000)
    theirs.sendall(struct.pack("!IQ", 2, 2**60) + b"{}")
    with pytest.raises(WireError, match="larger than allowed"):
        wire.receive()
    for text in (b"[]", b"nan nan", b"[" * 5000):
        theirs.sendall(struct.pack("!IQ", len(text), 0) + text)
        ours2, theirs2 = socket.socketpair()
        theirs2.sendall(struct.pack("!IQ", len(text), 0) + text)
        with pytest.raises(WireError):
            Wire(ours2).receive()
        ours2.close()
        theirs2.close()
    ours.close()
    theirs.close()


@pytest.mark.parametrize(
    "form",
    [
        {"k": "tensor", "d": "float32", "s": [10**9, 10**9], "at": [0, 4]},
        {"k": "tensor", "d": "float32", "s": [1], "at": [0, 4000]},
        {"k": "tensor", "d": "float32", "s": [-1], "at": [0, 4]},
        {"k": "tensor", "d": "quint8", "s": [1], "at": [0, 1]},
        {"k": "tensor", "d": "float32", "s": [1], "e": [10**12], "at": [0, 4], "p": [5]},
        {"k": "array", "d": "|O8", "s": [1], "at": [0, 4]},
        {"k": "generator", "at": [0, 4]},
        {"k": "module", "n": "w1", "path": "os.system", "attributes": [], "content": {}},
        {"k": "tuple", "v": 5},
        {"k": "same", "i": 99},
        {"k": "yours", "r": "t:1"},
        {"k": "eval", "v": "1"},
        {},
    ],
)
def test_a_message_that_we_would_not_write_is_refused(form):
    import socket

    from course_grader.sharing.peer import Peer

    ours, theirs = socket.socketpair()
    peer = Peer(Wire(ours), trusted=True)
    with pytest.raises(WireError):
        Unpacker(peer, b"\0\0\0\0", trusted=True).decode(form)
    ours.close()
    theirs.close()


def test_what_is_expanded_stays_small_on_the_wire():
    pack = Packer(None)
    pack._references = type("None", (), {"encode_tensor": staticmethod(lambda tensor: None)})
    json.dumps(pack.encode(torch.zeros(1).expand(10**9)))
    assert len(pack.payload) == 4


def test_a_forbidden_module_is_an_error_in_a_cell_and_hollow_for_the_library(talk):
    student = talk(
        "import importlib, sys\n"
        "def direct():\n    import transformer_course.masking\n"
        "def inside():\n    from transformer_course import multi_head_attention\n"
        "    return multi_head_attention.MultiHeadAttention.__name__\n"
        "def around():\n    return importlib.import_module('transformer_course.masking').causal_mask(3)",
        forbidden=["transformer_course.masking"],
    )
    with pytest.raises(ModuleNotFoundError, match="not available while this assignment is graded"):
        student["direct"]()
    assert student["inside"]() == "MultiHeadAttention"
    with pytest.raises(ModuleNotFoundError, match="not available while this assignment is graded"):
        student["around"]()


def test_uses_of_named_functions_are_noted_or_refused(talk):
    seen = []
    student = talk(
        "import torch\nfrom torch import nn\n"
        "def soft(x):\n    return x.softmax(-1) + torch.nn.functional.softmax(x, -1)\n"
        "def other(x):\n    return torch.softmax(x, -1)\n"
        "def cell(x):\n    return nn.GRUCell(2, 2)(x)\n"
        "def allowed(x):\n    return nn.functional.scaled_dot_product_attention(x[None], x[None], x[None])\n"
        "class Heir(nn.LayerNorm):\n    pass",
        reported={"soft": ["torch.nn.functional.softmax", "torch.Tensor.softmax"], "*": ["torch.nn.GRUCell"]},
        refused={"other": ["torch.softmax"], "Heir": ["torch.nn.LayerNorm"]},
    )
    student.peer.on_reply = lambda reply: seen.append(reply.get("uses"))
    x = torch.ones(2, 2)
    for name in ("soft", "cell", "allowed"):
        student[name](x)
    assert [each for each in seen if each] == [
        ["torch.Tensor.softmax", "torch.nn.functional.softmax"],
        ["torch.nn.GRUCell"],
    ]
    with pytest.raises(RuntimeError, match="torch.softmax is not allowed in other"):
        student["other"](x)
    with pytest.raises(RuntimeError, match="torch.nn.LayerNorm is not allowed in Heir"):
        student["Heir"](2)
