"""Proxies against the same code run here: values, errors, generators, and what may not cross."""

import inspect
import json
import math
import struct

import pytest
import torch

from course_checks.sizes import largest_tensor
from course_grader.sharing.plain import Packer, Unpacker
from course_grader.sharing.wire import Wire, WireError
from transformer_course.common.memory import Memory

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
        "def many(x):\n    return nn.LogSoftmax(-1)(x) + x.log_softmax(-1)\n"
        "def fused(x):\n    return allowed(x)\n"
        "def free(x):\n    return x.exp()\n"
        "class Heir(nn.LayerNorm):\n    pass",
        reported={"soft": ["torch.nn.functional.softmax", "torch.Tensor.softmax"], "*": ["torch.nn.GRUCell"]},
        refused={
            "other": ["torch.softmax"],
            "Heir": ["torch.nn.LayerNorm"],
            "many": ["torch.*softmax*"],
            "free": ["torch.*softmax*"],
            "fused": ["torch.*dot_product*"],
        },
    )
    student.peer.on_reply = lambda reply: seen.append(reply.uses)
    x = torch.ones(2, 2)
    for name in ("soft", "cell", "allowed"):
        student[name](x)
    assert [each for each in seen if each] == [
        ["torch.Tensor.softmax", "torch.nn.functional.softmax"],
        ["torch.nn.GRUCell"],
    ]
    assert student["free"](x).shape == (2, 2)
    with pytest.raises(RuntimeError, match=r"\.log_softmax is not allowed in many"):
        student["many"](x)
    with pytest.raises(RuntimeError, match=r"functional\.scaled_dot_product_attention is not allowed"):
        student["fused"](x)
    with pytest.raises(RuntimeError, match="torch.softmax is not allowed in other"):
        student["other"](x)
    with pytest.raises(RuntimeError, match="torch.nn.LayerNorm is not allowed in Heir"):
        student["Heir"](2)


def test_a_mode_of_the_tests_sees_how_much_memory_a_call_takes_forward_and_backward(talk):
    student = talk(
        "from torch.utils.checkpoint import checkpoint\n"
        "def steps(x):\n    for _ in range(5):\n        x = x.exp()\n    return x.sum()\n"
        "def again(x):\n    return checkpoint(steps, x, use_reentrant=False)\n"
        "def views(x):\n    return x.expand(50, 10_000)[0, :1].sum()"
    )
    x, size = torch.zeros(10_000, requires_grad=True), 4 * 10_000
    with Memory(x) as kept:
        result = student["steps"](x)
    assert kept.living in range(5 * size, 6 * size)  # each exp keeps its result
    assert kept.made in range(5 * size, 8 * size)
    assert kept.largest == size
    with Memory(x) as again:
        result = student["again"](x)
        assert again.living < size
        assert again.peak in range(2 * size, 3 * size)
        again.restart()
        result.backward()
    assert again.peak > 5 * size
    with Memory(x) as views:
        student["views"](x)
    assert views.peak < size


def test_a_mode_of_the_tests_sees_how_large_the_tensors_of_a_call_were(talk):
    student = talk(
        "def square(x):\n    return (x[:, None] * x[None]).sum(-1)\n"
        "def parts(x):\n    return x.chunk(2)[0].exp()\n"
        "def wrong(x):\n    raise ValueError((x[:, None] + x).shape)"
    )
    x = torch.ones(30)
    with pytest.raises(ValueError, match="30, 30"):
        largest_tensor(student["wrong"], x)
    assert largest_tensor(student["square"], x) == 900
    assert largest_tensor(student["parts"], x) == 30  # the argument itself is the largest
    assert largest_tensor(student["square"], torch.ones(7)) == 49
    with torch.device("meta"):  # a mode too, which no call may disturb
        assert student["parts"](x).device.type == "cpu"
