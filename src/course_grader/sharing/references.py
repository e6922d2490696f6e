"""Names for what is not plain: functions, classes, instances and modules that live on one of the two sides."""

import importlib
import inspect
import sys
import types
import weakref

import torch
from torch import nn

from course_grader.sharing import proxies
from course_grader.sharing.modules import Modules
from course_grader.sharing.plain import CannotCross, Packer, Unpacker
from course_grader.sharing.wire import WireError

_NEVER_LENT = (types.ModuleType, types.FrameType, types.CodeType, types.TracebackType, types.GeneratorType)


class References:
    """What we lent to the other side, and proxies of what it lent to us.

    Args:
        trusted: True on the side of the tests.
        prefixes: packages whose module classes both sides may have.
        forbidden: modules (and what lies below them) that the student's side cannot import.
    """

    def __init__(self, trusted: bool, prefixes: tuple[str, ...], forbidden: tuple[str, ...]):
        self.trusted = trusted
        self.side, self.other_side = ("t", "w") if trusted else ("w", "t")
        self.dropped: list[list] = []
        self.modules = Modules(self, prefixes)
        self._forbidden = forbidden
        self._ours: dict[str, object] = {}
        self._our_names: dict[int, str] = {}
        self._theirs: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
        self._their_names: dict[int, str] = {}
        self._exposed: set[int] = set()
        self._count = 0
        self._held: list = []

    def target(self, reference: str):
        """Return our object of a name.

        Raises:
            KeyError: if there is none.
        """
        if reference in self._ours:
            return self._ours[reference]
        return self.modules.module(reference)

    def drop(self, kind: str, which: str) -> None:
        """Forget an object that the other side no longer uses."""
        if kind == "module":
            self.modules.drop(which)
        elif kind == "object":
            self._our_names.pop(id(self._ours.pop(which, None)), None)

    def hold(self, proxy) -> None:
        """Keep a proxy or mirror alive until the next message."""
        self._held.append(proxy)

    def let_go(self) -> None:
        """Let go of proxies that nobody uses; called while a message is written.

        Only then may a proxy go: the other side hears of it before it can name the object again.
        """
        references = [weakref.ref(proxy) for proxy in self._held]
        self._held = []
        self._held = [proxy for reference in references if (proxy := reference()) is not None]

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
        if self.trusted and not isinstance(value, _NEVER_LENT):
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
            return self.target(form["r"])
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
