"""What stands for an object of the other side: a function, an instance, a module, or a class of them.

A proxy of a function is a Python function, and a proxy of a class is a class, so that ``inspect.signature``,
``isinstance`` and ``issubclass`` say what they say in a notebook. Comparisons are never asked of the other side, except
between two of its own objects. A proxy says of itself that it ``runs_elsewhere``, for checks that would watch it here.
"""

import inspect

from torch import nn

_UNARY = {f"__{name}__" for name in ("len", "neg", "abs", "int", "float", "bool", "str")}
_CONTAINER = {f"__{name}__" for name in ("getitem", "setitem", "delitem", "contains", "enter", "exit")}
# Asked only between two objects of the other side: what decides about "result - expected" decides about its grade.
_BINARY = {f"__{name}__" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")}
_BINARY |= {f"__{name}__" for name in ("eq", "lt", "le", "gt", "ge")}


def make_function(peer, reference: str, about: dict):
    """Return a function that runs on the other side."""

    def remote(*args, **kwargs):
        return peer.call(reference, args, kwargs)

    remote.__name__ = remote.__qualname__ = _text(about.get("name"), "function")
    remote.__module__ = _text(about.get("module"), "__main__")
    remote.__doc__ = _text(about.get("doc"), None)
    remote.runs_elsewhere = True
    signature = _signature(peer, about.get("parameters"))
    if signature is not None:
        remote.__signature__ = signature
    return remote


def describe_callable(function) -> dict:
    """Say of a function or class what a proxy needs to look like it."""
    about = {
        "name": str(getattr(function, "__name__", type(function).__name__))[:200],
        "module": str(getattr(function, "__module__", "__main__"))[:200],
        "doc": str(getattr(function, "__doc__", None) or "")[:2000],
    }
    try:
        parameters = inspect.signature(function).parameters.values()
        about["parameters"] = [
            [each.name, int(each.kind), _plain_default(each.default), each.default is not inspect.Parameter.empty]
            for each in parameters
        ]
    except (TypeError, ValueError):
        pass
    return about


class RemoteClass(type):
    """The class of every proxy class: calling it creates the object on the other side."""

    def __call__(cls, *args, **kwargs):  # noqa: D102
        return cls._peer.call(cls._reference, args, kwargs)

    def __getattr__(cls, name):
        if name.startswith("__") or "_peer" not in cls.__dict__:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        return cls._peer.get(cls._reference, name)


def make_class(peer, reference: str, about: dict, is_module: bool) -> type:
    """Return a class whose instances live on the other side."""
    base = RemoteModule if is_module else RemoteObject
    name = _text(about.get("name"), "Class")
    members = {
        "_peer": peer,
        "_reference": reference,
        "__module__": _text(about.get("module"), "__main__"),
        "__doc__": _text(about.get("doc"), None),
    }
    signature = _signature(peer, about.get("parameters"))
    if signature is not None:
        members["__signature__"] = signature
    return RemoteClass(name, (base,), members)


class RemoteObject(metaclass=RemoteClass):
    """An instance that lives on the other side."""

    runs_elsewhere = True

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(self)._peer.get(type(self)._peer.reference_of(self), name)

    def __setattr__(self, name, value):
        type(self)._peer.set(type(self)._peer.reference_of(self), name, value)

    def __call__(self, *args, **kwargs):  # noqa: D102
        peer = type(self)._peer
        return peer.call(peer.reference_of(self), args, kwargs)

    def __iter__(self):
        peer = type(self)._peer
        return iter(peer.special(peer.reference_of(self), "__iter__", ()))

    def __hash__(self):
        return object.__hash__(self)

    def __repr__(self):
        return f"<{type(self).__name__} in the sandbox>"


def _forward(name):
    def special(self, *args):
        peer = type(self)._peer
        if name in _BINARY and not all(isinstance(other, RemoteObject) for other in args):
            return self is args[0] if name == "__eq__" else NotImplemented
        return peer.special(peer.reference_of(self), name, args)

    special.__name__ = name
    return special


for _name in _UNARY | _CONTAINER | _BINARY:
    setattr(RemoteObject, _name, _forward(_name))


class RemoteModule(nn.Module, metaclass=RemoteClass):
    """A module that lives on the other side; parameters, buffers, gradients and mode are mirrored here."""

    runs_elsewhere = True

    def forward(self, *args, **kwargs):
        """Run the module, hooks included, where it lives."""
        peer = type(self)._peer
        return peer.call(peer.reference_of(self), args, kwargs)

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("__"):
                raise
        peer = type(self)._peer
        return peer.get(peer.reference_of(self), name)

    def __setattr__(self, name, value):
        mirrored = name == "training" or isinstance(value, nn.Module | nn.Parameter) or name.startswith("_")
        known = any(name in self.__dict__.get(kind, ()) for kind in ("_parameters", "_buffers", "_modules"))
        if mirrored or known:
            super().__setattr__(name, value)
        else:
            peer = type(self)._peer
            peer.set(peer.reference_of(self), name, value)

    def __deepcopy__(self, memo):
        peer = type(self)._peer
        return peer.copy(peer.reference_of(self))

    def extra_repr(self):
        """Say where the module lives."""
        return "in the sandbox"


SPECIAL_NAMES = _UNARY | _CONTAINER | _BINARY | {"__iter__"}


def _text(value, default):
    return value if type(value) is str and len(value) <= 2000 else default


def _plain_default(value):
    return value if value is None or type(value) in (bool, int, float, str) and len(str(value)) < 200 else "..."


def _signature(peer, parameters) -> inspect.Signature | None:
    if type(parameters) is not list:
        return None
    try:
        return inspect.Signature(
            [
                inspect.Parameter(
                    name, inspect._ParameterKind(kind), default=default if given else inspect.Parameter.empty
                )
                for name, kind, default, given in parameters
            ]
        )
    except (ValueError, TypeError):
        return None
