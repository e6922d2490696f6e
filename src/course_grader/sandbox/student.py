"""The student's process: runs the cells, and answers the tests' calls.

Everything here can be read, changed and lied to by the student's code. Nothing here decides about a grade.
"""

import builtins
import os
import resource
import sys
import tempfile
import types

import torch

from course_grader.messages import Rules
from course_grader.sandbox import cells, uses
from course_grader.sharing.forms import Reply, Request
from course_grader.sharing.peer import Peer
from course_grader.sharing.plain import Unpacker
from course_grader.sharing.wire import Wire, WireError
from torch_watching.memory import Memory


class Student:
    """One submission in its process.

    Args:
        peer: our end of the conversation.
        rules: what the assignment decides.
    """

    def __init__(self, peer: Peer, rules: Rules):
        self._peer = peer
        self._cpu_seconds = rules.limits.cpu_seconds
        self._output = cells.Output()
        self._uses = uses.Uses(rules.reported, rules.refused)
        self._depth = 0
        self._memory: Memory | None = None
        self._asked_for: dict[int, tuple[str, object]] = {}  # by identity: whatever it calls itself, it has this name
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        self.namespace = main.__dict__
        self.namespace["__builtins__"] = builtins
        builtins.display = cells.display
        builtins.get_ipython = lambda: cells.Shell(self.namespace)
        peer.operations = {"cell": self._cell, "resolve": self._resolve, "files": self._files}
        peer.before_serving, peer.after_serving = self._before, self._after

    def serve(self) -> None:
        """Answer requests until the tests are done."""
        while True:
            try:
                message, payload = self._peer.wire.receive()
            except WireError:
                return
            self._peer.serve(message, payload)

    def _before(self, request: Request, unpack: Unpacker) -> None:
        self._depth += 1
        context = request.context
        torch.set_default_dtype(getattr(torch, context.dtype))
        if context.rng is not None:
            torch.set_rng_state(torch.frombuffer(bytearray(unpack.blob(context.rng)), dtype=torch.uint8))
        if self._depth > 1:
            return
        used = resource.getrusage(resource.RUSAGE_SELF)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft = int(used.ru_utime + used.ru_stime) + 1 + self._cpu_seconds
        resource.setrlimit(resource.RLIMIT_CPU, (min(soft, hard), hard))
        self._output.start()
        if context.memory is True:
            self._memory = Memory(*(each for each in unpack.seen if isinstance(each, torch.Tensor)))
            self._memory.__enter__()
        self._uses.start(self._name_of(request), context.sizes is True)

    def _after(self, reply: Reply) -> None:
        self._depth = max(self._depth - 1, 0)
        if self._depth == 0:
            reply.printed = self._output.stop()
            reply.uses = self._uses.stop()
            reply.largest = self._uses.largest
            if self._memory is not None:
                memory, self._memory = self._memory, None
                memory.__exit__(None, None, None)
                reply.memory = [memory.peak, memory.living, memory.largest, memory.made]

    def _name_of(self, request: Request) -> str:
        """Return the name under which the tests know what is called."""
        if request.op == "cell":
            return ""
        try:
            target = self._peer.target(request.target)
        except KeyError:
            return ""
        owner = getattr(target, "__self__", target)
        named = owner if isinstance(owner, type | types.FunctionType) else type(owner)
        for each in (target, owner, named):
            if id(each) in self._asked_for:
                return self._asked_for[id(each)][0]
        return getattr(named, "__name__", "")

    def _cell(self, args: list) -> dict:
        return cells.run(args[0], args[1], self.namespace)

    def _resolve(self, args: list):
        name = args[0]
        if name not in self.namespace:
            raise NameError(f"name {name!r} is not defined")
        value = self.namespace[name]
        self._asked_for[id(value)] = name, value
        if type(value).__module__ == "__main__":
            self._peer.encode_class(type(value))  # a name that the tests ask for may be of a class of its own
        return value

    @staticmethod
    def _files(args: list) -> None:
        for name, content in args[0].items():
            path = os.path.join(os.getcwd(), name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
        sys.path.insert(0, os.getcwd())


def run(connection, rules: Rules, isolated: bool) -> None:
    """Become the student's process: this is what the first process calls after the fork."""
    if isolated:
        os.makedirs("/tmp/work", exist_ok=True)
        os.chdir("/tmp/work")
    else:
        os.chdir(tempfile.mkdtemp(prefix="course-grader-"))
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    sys.argv = ["notebook"]
    peer = Peer(Wire(connection), trusted=False, prefixes=tuple(rules.shared), forbidden=rules.hidden)
    Student(peer, rules).serve()
