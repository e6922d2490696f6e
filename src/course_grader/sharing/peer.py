"""One end of the conversation between trusted tests and sandboxed student; both ends are the same class.

A call sends its arguments and waits for the reply. While it waits it serves the calls that the other side makes (a
call-back such as ``cell(x, hidden)``), so the two processes behave like one thread. Beside the result a reply carries
what the call changed: arguments in place, shared modules, and the handle of a graph for the backward pass.
"""

import contextlib
import copy

import torch
from torch import nn

from course_grader.sharing import proxies
from course_grader.sharing.changes import Snapshots, apply_changes
from course_grader.sharing.errors import Errors
from course_grader.sharing.forms import Context, Reply, Request
from course_grader.sharing.gradients import GraphHandle, Graphs, attach, leaves_of
from course_grader.sharing.plain import CannotCross, Packer, Unpacker
from course_grader.sharing.references import References
from course_grader.sharing.seeds import seedings, watch_seeding
from course_grader.sharing.sizes import are_watched, make_again, memory_watchers, tell_memory
from course_grader.sharing.wire import Wire, WireClosed, WireError, WireTimeout


def call(target, args: list, kwargs: dict):
    """Call what the other side asked for: the one place where a function of torch may stand in for the student's."""
    return target(*args, **kwargs)


class Peer(References):
    """Our end.

    Args:
        wire: the connection.
        trusted: True on the side of the tests.
        prefixes: packages whose module classes both sides may have.
        forbidden: modules (and what lies below them) that the student's side cannot import.
    """

    def __init__(self, wire: Wire, trusted: bool, prefixes: tuple[str, ...] = (), forbidden: tuple[str, ...] = ()):
        super().__init__(trusted, prefixes, forbidden)
        self.wire = wire
        self.graphs = Graphs()
        self.errors = Errors(trusted)
        self.operations = {}
        self.before_serving = self.after_serving = None
        self._generator_state: tuple[int, bytes] | None = None
        if trusted:
            watch_seeding()

    # What a proxy does

    def call(self, reference: str, args: tuple, kwargs: dict):
        """Call an object of the other side."""
        return self.request("call", list(args), dict(kwargs), target=reference)

    def get(self, reference: str, name: str):
        """Read an attribute of an object of the other side."""
        return self.request("get", target=reference, name=name)

    def set(self, reference: str, name: str, value) -> None:
        """Set an attribute of an object of the other side."""
        self.request("set", [value], target=reference, name=name)

    def special(self, reference: str, name: str, args: tuple):
        """Apply an operator to an object of the other side."""
        return self.request("special", list(args), target=reference, name=name)

    def copy(self, reference: str):
        """Copy an object of the other side."""
        return self.request("copy", target=reference)

    def backward(self, graph: int, gradients, keep: bool) -> list:
        """Run a backward pass on the other side, and free the graph there unless it is to be kept."""
        return self.request("backward", list(gradients), graph=graph, keep=keep)

    # Asking

    def request(self, operation: str, args: list = (), kwargs: dict | None = None, **about):
        """Send a request, serve the other side until the reply is there, and return its value.

        Args:
            operation: what is asked, as in `Request`.
            args: arguments.
            kwargs: arguments by name.
            **about: further fields of the `Request`: target, name, graph, keep.

        Raises:
            Exception: what the other side raised, as the nearest built-in exception.
            WireError: if the conversation broke.
        """
        pack = Packer(self, expanded=self.trusted)
        request = Request(operation, **about)
        request.sync = self.modules.outgoing(pack)
        request.args = [pack.encode(each) for each in args]
        request.kwargs = [[key, pack.encode(each)] for key, each in (kwargs or {}).items()]
        request.context = self._context(pack)
        self._send(request, pack)
        while True:
            message, payload = self.wire.receive()
            if message.get("op") == "reply":
                return self._finish(Reply.parse(message), payload, pack)
            self.serve(message, payload)

    def _finish(self, reply: Reply, payload: bytes, asked: Packer):
        unpack = Unpacker(self, payload, seen=asked.seen, trusted=self.trusted)
        self.on_reply(reply)
        if self.trusted:
            make_again(reply.largest)
            tell_memory(reply.memory)
        try:
            self._receive(reply, unpack)
            changes = reply.changes or []
            apply_changes(changes, unpack)
            changed = [number for number, content in changes if content is not None]  # None: a generator moved on
            if changed:
                self.on_changes(changed)
            if reply.error is not None:
                raise self.errors.decode(reply.error)
            if reply.outputs:
                values = [unpack.raw_tensor(form) for form in reply.outputs]
                leaves = [self._resolve_leaf(form, asked.seen) for form in reply.leaves]
                unpack.outputs = attach(GraphHandle(self, reply.graph), values, leaves)
            return unpack.decode(reply.value)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            if reply.error is not None:
                raise
            raise WireError(f"a reply is not in order ({type(error).__name__})") from None

    def on_reply(self, reply: Reply) -> None:
        """Look at a reply before it is used; for subclasses."""

    def on_changes(self, numbers: list[int]) -> None:
        """Hear which arguments a call changed in place; for subclasses."""

    # Serving

    def serve(self, message: dict, payload: bytes) -> None:
        """Answer one request of the other side."""
        unpack = Unpacker(self, payload, trusted=self.trusted)
        request, reply, pack, snapshots = Request.parse(message), Reply(), None, None
        try:
            args, kwargs = self._read_request(request, unpack)
            snapshots = Snapshots(unpack.seen)
            request.context = Context.parse(request.context)
            if self.before_serving is not None:
                self.before_serving(request, unpack)
            with torch.set_grad_enabled(request.context.grad is not False):
                result = self._perform(request, args, kwargs)
            pack = Packer(self, seen=unpack.seen, expanded=self.trusted)
            pack.outputs = []
            reply.sync = self.modules.outgoing(pack)
            reply.changes = snapshots.changes(pack)
            reply.value = pack.encode(result)
            self._add_graph(reply, pack, unpack.seen)
        except BaseException as error:
            if isinstance(error, WireError if self.trusted else WireClosed | WireTimeout):
                raise
            pack = Packer(self, seen=unpack.seen, expanded=self.trusted)
            reply = Reply(error=self.errors.encode(self._translated(error)))
            reply.sync = self.modules.outgoing(pack)
            with contextlib.suppress(CannotCross):
                reply.changes = snapshots.changes(pack) if snapshots else []
        if self.after_serving is not None:
            self.after_serving(reply)
        self._send(reply, pack)

    def _read_request(self, request: Request, unpack: Unpacker) -> tuple[list, dict]:
        try:
            self._receive(request, unpack)
            args = [unpack.decode(form) for form in request.args]
            return args, {key: unpack.decode(form) for key, form in request.kwargs}
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise WireError(f"a request is not in order ({type(error).__name__}: {error})") from None

    def _translated(self, error: BaseException) -> BaseException:
        if not isinstance(error, CannotCross):
            return error
        kind, way = ("argument", "enter") if self.trusted else ("result", "leave")
        return TypeError(f"{kind} of type {error} cannot {way} the sandbox")

    def _perform(self, request: Request, args: list, kwargs: dict):
        operation, name = request.op, request.name
        if operation == "backward":
            return self.graphs.run(request.graph, args, request.keep is True)
        if operation in self.operations:
            return self.operations[operation](args)
        target = self.target(request.target)
        if operation == "call":
            return call(target, args, kwargs)
        if operation == "get":
            self._check_attribute(target, name)
            return getattr(target, name)
        if operation == "set":
            self._check_attribute(target, name)
            if self.trusted and (name not in vars(target) or type(args[0]) not in (bool, int, float, str, type(None))):
                raise AttributeError(f"{name} cannot be set from the sandbox")
            return setattr(target, name, args[0])
        if operation == "copy" and isinstance(target, nn.Module):
            return copy.deepcopy(target)
        if operation == "special" and name in proxies.SPECIAL_NAMES and not isinstance(target, nn.Module):
            self._check_attribute(target, "special")
            plain = {"__iter__": list, "__bool__": bool, "__str__": str}.get(name)
            return plain(target) if plain else getattr(type(target), name)(target, *args)
        raise WireError("a request asks for something that is not offered")

    def _check_attribute(self, target, name: str) -> None:
        """On the trusted side, offer only what a test means to hand over."""
        if not self.trusted:
            return
        own = type(name) is str and not name.startswith("_")
        if own and isinstance(target, torch.optim.Optimizer):
            own = name in ("step", "zero_grad", "param_groups", "defaults", "state_dict")
        elif own and isinstance(target, nn.Module):
            inherited = hasattr(nn.Module, name) and not any(
                name in vars(kind) for kind in type(target).__mro__ if kind not in (nn.Module, object)
            )
            own = not inherited
        elif own:
            own = type(target).__module__ == "__main__" and not isinstance(target, type)
        if not own:
            raise AttributeError(f"{type(target).__name__!r} object offers no attribute {name!r} to the sandbox")

    # What all messages carry

    def _send(self, message: Request | Reply, pack: Packer) -> None:
        self.let_go()
        message.dropped, self.dropped[:] = list(self.dropped), []
        self.wire.send(message.plain(), pack.payload)

    def _receive(self, message: Request | Reply, unpack: Unpacker) -> None:
        for kind, which in message.dropped:
            if kind == "graph":
                self.graphs.drop(which)
            else:
                self.drop(kind, which)
        self.modules.incoming(message.sync, unpack)

    def _context(self, pack: Packer) -> Context:
        context = Context(grad=torch.is_grad_enabled())
        if self.trusted:
            context.sizes = are_watched()
            context.memory = bool(memory_watchers())
            context.dtype = str(torch.get_default_dtype()).removeprefix("torch.")
            state = torch.get_rng_state().numpy().tobytes()
            if (seedings(), state) != self._generator_state:
                self._generator_state = seedings(), state
                context.rng = pack.blob(state)
        return context

    def _add_graph(self, reply: Reply, pack: Packer, seen: list) -> None:
        if not pack.outputs:
            return
        outputs = pack.outputs
        leaves, forms = [], []
        for leaf in leaves_of(outputs):
            number = next((number for number, each in enumerate(seen) if each is leaf), None)
            name = self.modules.tensor_name(leaf)
            if number is not None:
                form = {"arg": number}
            elif name is not None:
                form = {"t": name}
            else:
                form = self.graphs.name_private(leaf, ours=self.trusted)
            if form is not None:
                leaves.append(leaf)
                forms.append(form)
        reply.outputs = [pack.raw_tensor(output.detach()) for output in outputs]
        reply.leaves = forms
        reply.graph = self.graphs.keep(outputs, leaves)

    def _resolve_leaf(self, form: dict, seen: list) -> torch.Tensor:
        if "arg" in form:
            leaf = seen[form["arg"]]
        elif "t" in form:
            leaf = self.modules.tensor(form["t"])
        else:
            leaf = self.graphs.resolve_private(form, ours=self.trusted)
        if not isinstance(leaf, torch.Tensor):
            raise WireError("a gradient belongs to something that is not a tensor")
        return leaf
