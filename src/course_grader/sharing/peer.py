"""One end of the conversation between trusted tests and sandboxed student; both ends are the same class.

A call sends its arguments and waits for the reply. While it waits it serves the calls that the other side makes (a
call-back such as ``cell(x, hidden)``), so the two processes behave like one thread. Beside the result a reply carries
what the call changed: arguments in place, shared modules, and the handle of a graph for the backward pass.
"""

import builtins
import contextlib
import copy
import importlib
import inspect
import sys
import traceback
import weakref

import torch
from torch import nn

from course_grader.sharing import proxies
from course_grader.sharing.gradients import GraphHandle, Graphs, attach, leaves_of
from course_grader.sharing.modules import Modules
from course_grader.sharing.plain import CannotCross, Packer, Snapshots, Unpacker, apply_changes
from course_grader.sharing.wire import Wire, WireClosed, WireError, WireTimeout

_EXCEPTIONS = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, UnicodeError | StopIteration)
}
_MESSAGE_LIMIT = 4000


class Peer:
    """Our end.

    Args:
        wire: the connection.
        trusted: True on the side of the tests.
        prefixes: packages whose module classes both sides may have.
        forbidden: modules (and what lies below them) that the student's side cannot import.
    """

    def __init__(self, wire: Wire, trusted: bool, prefixes: tuple[str, ...] = (), forbidden: tuple[str, ...] = ()):
        self.wire = wire
        self.trusted = trusted
        self.side, self.other_side = ("t", "w") if trusted else ("w", "t")
        self.dropped: list[list] = []
        self.modules = Modules(self, prefixes)
        self.graphs = Graphs()
        self.operations = {}
        self.before_serving = self.after_serving = None
        self._forbidden = forbidden
        self._ours: dict[str, object] = {}
        self._our_names: dict[int, str] = {}
        self._theirs: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
        self._their_names: dict[int, str] = {}
        self._exceptions: dict[int, BaseException] = {}
        self._exposed: set[int] = set()
        self._generator_state: bytes | None = None
        self._count = 0
        self._held: list = []

    # What a proxy does

    def call(self, reference: str, args: tuple, kwargs: dict):
        """Call an object of the other side."""
        return self.request({"op": "call", "r": reference}, list(args), dict(kwargs))

    def get(self, reference: str, name: str):
        """Read an attribute of an object of the other side."""
        return self.request({"op": "get", "r": reference, "name": name})

    def set(self, reference: str, name: str, value) -> None:
        """Set an attribute of an object of the other side."""
        self.request({"op": "set", "r": reference, "name": name}, [value])

    def special(self, reference: str, name: str, args: tuple):
        """Apply an operator to an object of the other side."""
        return self.request({"op": "special", "r": reference, "name": name}, list(args))

    def copy(self, reference: str):
        """Copy an object of the other side."""
        return self.request({"op": "copy", "r": reference})

    def backward(self, graph: int, gradients) -> list:
        """Run a backward pass on the other side."""
        return self.request({"op": "backward", "graph": graph}, list(gradients))

    # Asking

    def request(self, header: dict, args: list = (), kwargs: dict | None = None):
        """Send a request, serve the other side until the reply is there, and return its value.

        Raises:
            Exception: what the other side raised, as the nearest built-in exception.
            WireError: if the conversation broke.
        """
        pack = Packer(self, expanded=self.trusted)
        header["sync"] = self.modules.outgoing(pack)
        header["args"] = [pack.encode(each) for each in args]
        header["kwargs"] = [[key, pack.encode(each)] for key, each in (kwargs or {}).items()]
        header["context"] = self._context(pack)
        self._send(header, pack)
        while True:
            reply, payload = self.wire.receive()
            if reply.get("op") == "reply":
                return self._finish(reply, payload, pack)
            self.serve(reply, payload)

    def _finish(self, reply: dict, payload: bytes, asked: Packer):
        unpack = Unpacker(self, payload, seen=asked.seen, trusted=self.trusted)
        self.on_reply(reply)
        try:
            self._receive(reply, unpack)
            changes = reply.get("changes") or []
            apply_changes(changes, unpack)
            if changes:
                self.on_changes([number for number, _ in changes])
            if "error" in reply:
                raise self._exception(reply["error"])
            if reply.get("outputs"):
                values = [unpack.raw_tensor(form) for form in reply["outputs"]]
                leaves = [self._resolve_leaf(form, asked.seen) for form in reply["leaves"]]
                unpack.outputs = attach(GraphHandle(self, reply["graph"]), values, leaves)
            return unpack.decode(reply.get("value"))
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            if "error" in reply:
                raise
            raise WireError(f"a reply is not in order ({type(error).__name__})") from None

    def on_reply(self, reply: dict) -> None:
        """Look at a reply before it is used; for subclasses."""

    def on_changes(self, numbers: list[int]) -> None:
        """Hear which arguments a call changed in place; for subclasses."""

    # Serving

    def serve(self, header: dict, payload: bytes) -> None:
        """Answer one request of the other side."""
        unpack = Unpacker(self, payload, trusted=self.trusted)
        reply, pack, snapshots = {"op": "reply"}, None, None
        try:
            args, kwargs = self._read_request(header, unpack)
            snapshots = Snapshots(unpack.seen)
            context = header.get("context", {})
            if self.before_serving is not None:
                self.before_serving(header, context, unpack)
            with torch.set_grad_enabled(context.get("grad") is not False):
                result = self._perform(header, args, kwargs)
            pack = Packer(self, seen=unpack.seen, expanded=self.trusted)
            pack.outputs = []
            reply["sync"] = self.modules.outgoing(pack)
            reply["changes"] = snapshots.changes(pack)
            reply["value"] = pack.encode(result)
            self._add_graph(reply, pack, unpack.seen)
        except BaseException as error:
            if isinstance(error, WireError if self.trusted else WireClosed | WireTimeout):
                raise
            pack = Packer(self, seen=unpack.seen, expanded=self.trusted)
            reply = {"op": "reply", "error": self._error_form(self._translated(error))}
            reply["sync"] = self.modules.outgoing(pack)
            with contextlib.suppress(CannotCross):
                reply["changes"] = snapshots.changes(pack) if snapshots else []
        if self.after_serving is not None:
            self.after_serving(reply)
        self._send(reply, pack)

    def _read_request(self, header: dict, unpack: Unpacker) -> tuple[list, dict]:
        try:
            self._receive(header, unpack)
            args = [unpack.decode(form) for form in header.get("args", ())]
            return args, {key: unpack.decode(form) for key, form in header.get("kwargs", ())}
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise WireError(f"a request is not in order ({type(error).__name__}: {error})") from None

    def _translated(self, error: BaseException) -> BaseException:
        if not isinstance(error, CannotCross):
            return error
        kind, way = ("argument", "enter") if self.trusted else ("result", "leave")
        return TypeError(f"{kind} of type {error} cannot {way} the sandbox")

    def _perform(self, header: dict, args: list, kwargs: dict):
        operation = header["op"]
        if operation == "backward":
            return self.graphs.run(header["graph"], args)
        if operation in self.operations:
            return self.operations[operation](header, args)
        target = self._target(header["r"])
        name = header.get("name")
        if operation == "call":
            return target(*args, **kwargs)
        if operation == "get":
            self._check_attribute(target, name)
            return getattr(target, name)
        if operation == "set":
            self._check_attribute(target, name)
            return setattr(target, name, args[0])
        if operation == "copy" and isinstance(target, nn.Module):
            return copy.deepcopy(target)
        if operation == "special" and name in proxies.SPECIAL_NAMES and not isinstance(target, nn.Module):
            self._check_attribute(target, "special")
            plain = {"__iter__": list, "__bool__": bool, "__str__": str}.get(name)
            return plain(target) if plain else getattr(type(target), name)(target, *args)
        raise WireError("a request asks for something that is not offered")

    def _target(self, reference: str):
        if reference in self._ours:
            return self._ours[reference]
        return self.modules.module(reference)

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

    def hold(self, proxy) -> None:
        """Keep a proxy or mirror alive until the next message."""
        self._held.append(proxy)

    def _let_go(self) -> None:
        # Only now, while we hold the word, may a proxy go: the other side hears of it before it names the object again.
        references = [weakref.ref(proxy) for proxy in self._held]
        self._held = []
        self._held = [proxy for reference in references if (proxy := reference()) is not None]

    def _send(self, header: dict, pack: Packer) -> None:
        self._let_go()
        header["dropped"], self.dropped[:] = list(self.dropped), []
        self.wire.send(header, pack.payload)

    def _receive(self, header: dict, unpack: Unpacker) -> None:
        for kind, which in header.get("dropped", ()):
            if kind == "graph":
                self.graphs.drop(which)
            elif kind == "module":
                self.modules.drop(which)
            elif kind == "object":
                self._our_names.pop(id(self._ours.pop(which, None)), None)
        self.modules.incoming(header.get("sync", {}), unpack)

    def _context(self, pack: Packer) -> dict:
        """The tests' settings that a function of the student should see; nothing travels the other way."""
        context = {"grad": torch.is_grad_enabled()}
        if self.trusted:
            context["dtype"] = str(torch.get_default_dtype()).removeprefix("torch.")
            state = torch.get_rng_state().numpy().tobytes()
            if state != self._generator_state:
                self._generator_state = state
                context["rng"] = pack.blob(state)
        return context

    def _add_graph(self, reply: dict, pack: Packer, seen: list) -> None:
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
        reply["outputs"] = [pack.raw_tensor(output.detach()) for output in outputs]
        reply["leaves"] = forms
        reply["graph"] = self.graphs.keep(outputs, leaves)

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

    # Exceptions

    def _error_form(self, error: BaseException) -> dict:
        known = getattr(error, "_course_grader_number", None)
        kind = next((each for each in type(error).__mro__ if each.__name__ in _EXCEPTIONS and each in _BUILTIN), None)
        message = error.args[0] if error.args and type(error.args[0]) is str else _safe_text(error)
        if isinstance(error, SystemExit):
            message = "the code asked the process to exit"
        form = {
            "type": kind.__name__ if kind else "RuntimeError",
            "name": type(error).__name__[:200],
            "message": message[:_MESSAGE_LIMIT],
            "traceback": "" if self.trusted else _traceback_of_cells(error),
        }
        if known is not None and not self.trusted:
            form["known"] = known
        if self.trusted:
            self._exceptions[id(error)] = error
            form["number"] = id(error)
        return form

    def _exception(self, form: dict) -> BaseException:
        original = self._exceptions.get(form.get("known")) if self.trusted else None
        if original is not None:
            return original
        message = form.get("message")
        kind = _EXCEPTIONS.get(form.get("type"), RuntimeError)
        error = kind(message if type(message) is str else "")
        if self.trusted:
            error.student_traceback = str(form.get("traceback", ""))[:_MESSAGE_LIMIT]
        else:
            error._course_grader_number = form.get("number")
        return error

    # References

    def encode_tensor(self, tensor: torch.Tensor) -> dict | None:
        """Name a tensor that both sides have; None if it has to be copied."""
        name = self.modules.tensor_name(tensor)
        return None if name is None else {"k": "shared", "t": name}

    def encode_reference(self, value, pack: Packer) -> dict:
        """Name a function, class, module or offered object."""
        if id(value) in self._their_names:
            return {"k": "yours", "r": self._their_names[id(value)]}
        if isinstance(value, nn.Module):
            return self.modules.encode(value, pack)
        if isinstance(value, type):
            return self.encode_class(value)
        if id(type(value)) in self._exposed and not isinstance(value, BaseException):
            return {"k": "ours", "r": self._name(value), "as": "object", "class": self.encode_class(type(value))}
        if inspect.isroutine(value) or type(value).__module__ == "functools":
            about = proxies.describe_callable(value)
            return {"k": "ours", "r": self._name(value), "as": "function", "about": about}
        if self.trusted and (
            isinstance(value, torch.optim.Optimizer) or type(value).__module__ == "__main__" or callable(value)
        ):
            return {"k": "ours", "r": self._name(value), "as": "object", "class": self.encode_class(type(value))}
        raise CannotCross(type.__getattribute__(type(value), "__name__"))

    def encode_class(self, kind: type) -> dict:
        """Name a class; from now on its instances may be exchanged."""
        if id(kind) in self._their_names:
            return {"k": "yours", "r": self._their_names[id(kind)]}
        if kind.__module__ == "builtins":
            raise CannotCross(kind.__name__)
        self._exposed.add(id(kind))
        form = {"k": "ours", "r": self._name(kind), "as": "class", "module": issubclass(kind, nn.Module)}
        return form | {"about": proxies.describe_callable(kind)}

    def decode_reference(self, form: dict, unpack: Unpacker):
        """Return the object that a form names; a proxy if it is theirs."""
        if form["k"] == "shared":
            return self.modules.tensor(form["t"])
        if form["k"] == "yours":
            return self._target(form["r"])
        if form["k"] == "module":
            return self.modules.decode(form, unpack)
        if form["k"] != "ours":
            raise WireError("a message holds a value of an unknown kind")
        if form["as"] == "class":
            return self.decode_class(form)
        known = self._theirs.get(form["r"])
        if known is not None:
            return known
        if form["as"] == "function":
            proxy = proxies.make_function(self, form["r"], form["about"])
        else:
            kind = self.decode_class(form["class"])
            if issubclass(kind, nn.Module):
                raise WireError("a module came as a plain object")
            proxy = object.__new__(kind)
        return self._add_proxy(form["r"], proxy)

    def decode_class(self, form: dict, is_module: bool | None = None) -> type:
        """Return the class that a form names; a proxy class if it is theirs."""
        if form["k"] == "yours":
            return self._ours[form["r"]]
        kind = self._theirs.get(form["r"])
        if kind is None:
            kind = proxies.make_class(self, form["r"], form["about"], form["module"] is True)
            self._add_proxy(form["r"], kind)
        if is_module is not None and issubclass(kind, nn.Module) != is_module:
            raise WireError("a class is not of the kind that was announced")
        return kind

    def reference_of(self, proxy) -> str:
        """Return the name under which the other side knows what a proxy stands for."""
        name = self._their_names.get(id(proxy))
        return name if name is not None else self.modules.name_of(proxy)

    def _add_proxy(self, reference: str, proxy):
        self._theirs[reference] = proxy
        self._their_names[id(proxy)] = reference
        self.hold(proxy)
        weakref.finalize(proxy, self._forget, reference, id(proxy))
        return proxy

    def _forget(self, reference: str, address: int) -> None:
        if self._their_names.get(address) == reference:
            del self._their_names[address]
        self.dropped.append(["object", reference])

    def _name(self, value) -> str:
        name = self._our_names.get(id(value))
        if name is None:
            self._count += 1
            name = self._our_names[id(value)] = f"{self.side}:{self._count}"
            self._ours[name] = value
        return name

    # Classes that both sides have

    def may_share_class(self, kind: type) -> bool:
        """Say whether the other side can import a class of the shared packages."""
        found = getattr(sys.modules[kind.__module__], kind.__name__, None)
        return found is kind and not self._is_forbidden(kind.__module__)

    def import_shared(self, package: str):
        """Return a module of the shared packages; the trusted side imports nothing because of a message."""
        if self.trusted or self._is_forbidden(package):
            return sys.modules.get(package)
        return importlib.import_module(package)

    def _is_forbidden(self, package: str) -> bool:
        return any(package == each or package.startswith(each + ".") for each in self._forbidden)


_BUILTIN = frozenset(_EXCEPTIONS.values())


def _safe_text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        return ""
    return text if type(text) is str else ""


def _traceback_of_cells(error: BaseException) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith("<cell ")]
    return "".join(traceback.format_list(frames))[-_MESSAGE_LIMIT:]
