"""Ways to call a function that is not allowed, and honest code that must not be taken for it; both as source.

`tests/test_watching.py` tries them as a notebook's checks see them, `tests/grader/test_uses.py` in the sandbox. Each
defines ``answer(x)`` for a matrix ``x``; where ``softmax`` is not allowed, a way in `CALLS` is one that is noticed.
"""

START = """
import _thread, asyncio, concurrent.futures, functools, io, multiprocessing.dummy, operator, threading
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

def plain(x):
    return torch.softmax(x, -1)

class Layer(nn.Module):
    def forward(self, x):
        return torch.softmax(x, -1)

def in_a_thread(function, *arguments):
    results = []
    thread = threading.Thread(target=lambda: results.append(function(*arguments)))
    thread.start()
    thread.join()
    return results[0]

def loaded(script):
    file = io.BytesIO()
    torch.jit.save(script, file)
    file.seek(0)
    return torch.jit.load(file)
"""

CALLS = {
    "torch": "answer = plain",
    "the function itself": "answer = torch.softmax\nanswer = functools.partial(answer, dim=-1)",
    "method": "def answer(x):\n    return x.softmax(-1)",
    "functional": "def answer(x):\n    return F.softmax(x, -1)",
    "log": "def answer(x):\n    return F.log_softmax(x, -1).exp()",
    "special": "def answer(x):\n    return torch.special.softmax(x, -1)",
    "aten": "def answer(x):\n    return torch.ops.aten.softmax.int(x, -1)",
    "aten, lower": "def answer(x):\n    return torch.ops.aten._softmax.default(x, -1, False)",
    "out": "def answer(x):\n    return torch.softmax(x, -1, out=torch.empty_like(x))",
    "module": "answer = nn.Softmax(dim=-1)",
    "module of one's own": "answer = Layer()",
    "inherits everything": "class Mine(nn.Softmax):\n    pass\nanswer = Mine(-1)",
    "partial": "def answer(x):\n    return functools.partial(torch.softmax, dim=-1)(x)",
    "map": "def answer(x):\n    return next(map(operator.methodcaller('softmax', -1), [x]))",
    "by name": "def answer(x):\n    return getattr(torch, 'soft' + 'max')(x, -1)",
    "exec": "def answer(x):\n    exec('y = torch.softmax(x, -1)', globals(), found := {'x': x})\n    return found['y']",
    "vmap": "answer = torch.func.vmap(lambda row: torch.softmax(row, 0))",
    "derivative": "def answer(x):\n    return torch.func.jacrev(lambda y: torch.softmax(y, -1).sum())(x)",
    "traced graph": "answer = torch.fx.symbolic_trace(Layer())",
    "checkpoint": "def answer(x):\n    return checkpoint(plain, x.clone().requires_grad_(), use_reentrant=True)",
    "jit script": "answer = torch.jit.script(plain)",
    "jit trace": "answer = torch.jit.trace(plain, (torch.ones(2, 3),))",
    "jit module": "answer = torch.jit.script(Layer())",
    "jit, saved and loaded": "answer = loaded(torch.jit.script(Layer()))",
    "jit inside": "def answer(x):\n    return torch.jit.trace(plain, (x,))(x)",
    "jit in a thread": "script = torch.jit.script(plain)\ndef answer(x):\n    return in_a_thread(script, x)",
    "compile": "answer = torch.compile(plain, backend='eager')",
    "compile, used before": "answer = torch.compile(plain, backend='eager')\nanswer(torch.ones(2, 3))",
    "compile inside": "def answer(x):\n    return torch.compile(backend='eager')(plain)(x)",
    "modes off": "def answer(x):\n    with torch._C.DisableTorchFunction():\n        return torch.softmax(x, -1)",
    "modes off, partial": (
        "def answer(x):\n    with torch._C.DisableTorchFunction():\n"
        "        return functools.partial(torch.softmax, dim=-1)(x)"
    ),
    "subclasses off": (
        "def answer(x):\n    with torch._C.DisableTorchFunctionSubclass():\n        return torch.softmax(x, -1)"
    ),
    "subclass": "class Mine(torch.Tensor):\n    pass\ndef answer(x):\n    return x.as_subclass(Mine).softmax(-1)",
    "inside a subclass": """
class Mine(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return torch.softmax(args[0].as_subclass(torch.Tensor), -1)
def answer(x):
    return torch.exp(x.as_subclass(Mine))
""",
    "inside a subclass, modes off": """
class Mine(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunction():
            return torch.softmax(args[0].as_subclass(torch.Tensor), -1)
def answer(x):
    return torch.exp(x.as_subclass(Mine))
""",
    "own gradient, forward": """
class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.softmax(x, -1)
answer = Mine.apply
""",
    "own gradient, backward": """
class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clone()
    @staticmethod
    def backward(ctx, gradient):
        return torch.softmax(ctx.saved_tensors[0], -1)
def answer(x):
    x = x.clone().requires_grad_()
    Mine.apply(x).sum().backward()
    return x.grad
""",
    "hook": """
def answer(x):
    y = torch.zeros_like(x).requires_grad_()
    y.register_hook(lambda gradient: torch.softmax(x, -1))
    (y * 1).sum().backward()
    return y.grad
""",
    "thread": "def answer(x):\n    return in_a_thread(plain, x)",
    "thread without code of one's own": """
def answer(x):
    y = torch.empty_like(x)
    thread = threading.Thread(target=torch.softmax, args=(x, -1), kwargs={'out': y})
    thread.start()
    thread.join()
    return y
""",
    "thread in a thread": "def answer(x):\n    return in_a_thread(in_a_thread, plain, x)",
    "raw thread": """
def answer(x):
    lock, results = _thread.allocate_lock(), []
    def work():
        try:
            results.append(torch.softmax(x, -1))
        finally:
            lock.release()
    lock.acquire()
    _thread.start_new_thread(work, ())
    lock.acquire()
    return results[0]
""",
    "futures": (
        "def answer(x):\n    with concurrent.futures.ThreadPoolExecutor(2) as pool:\n"
        "        return next(pool.map(plain, [x]))"
    ),
    "pool": "def answer(x):\n    with multiprocessing.dummy.Pool(2) as pool:\n        return pool.map(plain, [x])[0]",
    "asyncio": (  # in a thread of its own: a browser's test may have left an event loop running in this one
        "def answer(x):\n    with concurrent.futures.ThreadPoolExecutor(1) as pool:\n"
        "        return pool.submit(lambda: asyncio.run(asyncio.to_thread(plain, x))).result()"
    ),
}

HONEST = {
    "a function with that name": """
def softmax(x, dim):
    y = (x - x.amax(dim, keepdim=True)).exp()
    return y / y.sum(dim, keepdim=True)
def answer(x):
    return softmax(x, -1)
""",
    "a module with that name": """
class Softmax(nn.Module):
    def forward(self, x):
        return x.exp() / x.exp().sum(-1, keepdim=True)
answer = Softmax()
""",
    "torch's attention": "def answer(x):\n    return F.scaled_dot_product_attention(x[None], x[None], x[None])[0]",
    "torch's heads": "heads = nn.MultiheadAttention(3, 1)\ndef answer(x):\n    return heads(x, x, x)[0]",
    "torch's loss": "def answer(x):\n    return F.cross_entropy(x, torch.tensor([0, 1]))",
    "torch's loss, compiled": """
@torch.jit.script
def answer(x):
    return F.cross_entropy(x, torch.tensor([0, 1]))
""",
    "torch's loss in a thread": "def answer(x):\n    return in_a_thread(F.cross_entropy, x, torch.tensor([0, 1]))",
    "torch's loss in a hook": """
def answer(x):
    y = torch.zeros_like(x).requires_grad_()
    y.register_hook(lambda gradient: gradient * F.cross_entropy(x, torch.tensor([0, 1])))
    (y * 1).sum().backward()
    return y.grad
""",
    "backward pass": """
def answer(x):
    x = x.clone().requires_grad_()
    F.cross_entropy(x, torch.tensor([0, 1])).backward()
    return x.grad
""",
    "backward pass twice": """
def answer(x):
    x = x.clone().requires_grad_()
    (first,) = torch.autograd.grad(F.cross_entropy(x, torch.tensor([0, 1])), x, create_graph=True)
    torch.autograd.backward(first.square().sum())
    return x.grad
""",
    "derivative": "def answer(x):\n    return torch.func.jacrev(lambda y: F.cross_entropy(y, torch.tensor([0, 1])))(x)",
}
