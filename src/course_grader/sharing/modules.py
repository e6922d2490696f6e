"""``nn.Module`` across the wire: each module lives on one side and has a mirror on the other.

A mirror is a real ``nn.Module`` with real parameters and buffers, so that ``state_dict``, optimizers, ``.grad``,
``isinstance`` and ``named_parameters`` work on it. Its methods run where the module lives, unless its class is one that
both sides have (``torch.nn``, and on the student's side the course's library): then they run here. What changed in
parameters, buffers, gradients, mode or structure since the last message travels with every message.
"""

import sys
import weakref
from collections import OrderedDict

import torch
from torch import nn

from course_grader.sharing.plain import CannotCross, tensor_bytes
from course_grader.sharing.wire import WireError

_BASE_ATTRIBUTES = frozenset(nn.Module().__dict__)
_HOOKS = ("_forward_pre_hooks", "_forward_hooks")


class _Node:
    """One shared module: held strongly where it lives, weakly where it is mirrored."""

    def __init__(self, module: nn.Module, is_ours: bool):
        self.get = (lambda: module) if is_ours else weakref.ref(module)
        self.is_ours = is_ours
        self.signature = None
        self.training = module.training


class _Shared:
    """One shared parameter or buffer, and what both sides last knew of it."""

    def __init__(self, tensor: torch.Tensor, module: str):
        self.tensor = tensor
        self.module = module  # as long as this one lives, the tensor may be put back into it
        self.remember()

    def remember(self) -> None:
        self.data, self.gradient, self.requires_grad = self._now()

    def changed(self) -> bool:
        return (self.data, self.gradient, self.requires_grad) != self._now()

    def _now(self):
        gradient = self.tensor.grad if self.tensor.is_leaf else None
        data = tuple(self.tensor.shape), self.tensor.dtype, tensor_bytes(self.tensor)
        return data, None if gradient is None else tensor_bytes(gradient), self.tensor.requires_grad


class Modules:
    """All modules that the two sides share.

    Args:
        peer: our end of the conversation.
        prefixes: packages whose module classes may be rebuilt from attributes on the other side.
    """

    def __init__(self, peer, prefixes: tuple[str, ...] = ()):
        self._peer = peer
        self._prefixes = prefixes
        self._nodes: dict[str, _Node] = {}
        self._node_names: dict[int, str] = {}
        self._tensors: dict[str, _Shared] = {}
        self._tensor_names: dict[int, str] = {}
        self._count = 0

    # Names

    def name_of(self, module: nn.Module) -> str | None:
        """Return the name under which both sides know a module."""
        name = self._node_names.get(id(module))
        return name if name is not None and self._nodes[name].get() is module else None

    def module(self, name: str) -> nn.Module:
        """Return the module of a name."""
        module = self._nodes[name].get()
        if module is None:
            raise WireError("a module is gone")
        return module

    def tensor_name(self, tensor: torch.Tensor) -> str | None:
        """Return the name of a shared parameter or buffer."""
        name = self._tensor_names.get(id(tensor))
        return name if name is not None and self._tensors[name].tensor is tensor else None

    def tensor(self, name: str) -> torch.Tensor:
        """Return the shared parameter or buffer of a name."""
        return self._tensors[name].tensor

    def drop(self, name: str) -> None:
        """Let go of a module whose mirror is gone."""
        node = self._nodes.pop(name, None)
        if node is not None and node.is_ours:
            self._node_names.pop(id(node.get()), None)

    def _add(self, module: nn.Module, name: str, is_ours: bool) -> _Node:
        node = self._nodes[name] = _Node(module, is_ours)
        self._node_names[id(module)] = name
        if not is_ours:
            self._peer.hold(module)
            weakref.finalize(module, self._gone, name, id(module))
        return node

    def _gone(self, name: str, address: int) -> None:
        self._nodes.pop(name, None)
        if self._node_names.get(address) == name:
            del self._node_names[address]
        self._peer.dropped.append(["module", name])

    def _new_name(self) -> str:
        self._count += 1
        return f"{self._peer.side}{self._count}"

    # Writing

    def encode(self, module: nn.Module, pack) -> dict:
        """Name a module, with its description if the other side does not know it yet."""
        name = self.name_of(module)
        if name is not None:
            return {"k": "module", "n": name}
        name = self._new_name()
        node = self._add(module, name, is_ours=True)
        form = {"k": "module", "n": name} | self._class_form(module, pack)
        form["content"] = self._content(module, name, node, pack)
        return form

    def _class_form(self, module: nn.Module, pack) -> dict:
        kind = type(module)
        path = f"{kind.__module__}.{kind.__qualname__}"
        shared = path.startswith("torch.nn.modules.") or (
            path.startswith(self._prefixes) and self._peer.may_share_class(kind)
        )
        if shared and not any(getattr(module, hooks) for hooks in _HOOKS) and "forward" not in module.__dict__:
            attributes = {key: value for key, value in module.__dict__.items() if key not in _BASE_ATTRIBUTES}
            try:
                return {"path": path, "attributes": [[key, self._attribute(v, pack)] for key, v in attributes.items()]}
            except CannotCross:
                pass
        return {"class": self._peer.encode_class(kind)}

    @staticmethod
    def _attribute(value, pack):
        if callable(value) and getattr(nn.functional, getattr(value, "__name__", ""), None) is value:
            return {"functional": value.__name__}
        if isinstance(value, torch.Tensor | list | dict | set) or callable(value):
            raise CannotCross("")  # it would be a copy that changes on its own
        return pack.encode(value)

    def _content(self, module: nn.Module, name: str, node: _Node, pack) -> dict:
        node.signature = self._signature(module, node)
        node.training = module.training
        content = {
            "training": module.training,
            "parameters": [[key, self._tensor_form(each, name, pack)] for key, each in module._parameters.items()],
            "buffers": [
                [key, self._tensor_form(each, name, pack), key not in module._non_persistent_buffers_set]
                for key, each in module._buffers.items()
            ],
            "children": [
                [key, None if each is None else self.encode(each, pack)] for key, each in module._modules.items()
            ],
        }
        if not node.is_ours:  # hooks that were put on a mirror have to run where the module lives
            content["hooks"] = [
                [kind, key, pack.encode(hook)] for kind in _HOOKS for key, hook in getattr(module, kind).items()
            ]
        return content

    def _tensor_form(self, tensor, module: str, pack):
        if tensor is None:
            return None
        name = self.tensor_name(tensor)
        if name is not None:
            return {"t": name}
        name = self._new_name()
        self._tensors[name] = _Shared(tensor, module)
        self._tensor_names[id(tensor)] = name
        return {"t": name, "parameter": isinstance(tensor, nn.Parameter)} | self._tensor_state(tensor, pack)

    @staticmethod
    def _tensor_state(tensor: torch.Tensor, pack) -> dict:
        gradient = tensor.grad if tensor.is_leaf else None
        return {"data": pack.raw_tensor(tensor), "grad": None if gradient is None else pack.raw_tensor(gradient)}

    @staticmethod
    def _signature(module: nn.Module, node: _Node):
        return [
            [(key, id(each)) for key, each in getattr(module, kind).items()]
            for kind in ("_parameters", "_buffers", "_modules", *(() if node.is_ours else _HOOKS))
        ]

    def outgoing(self, pack) -> dict:
        """Encode everything that changed here since the last message in either direction."""
        live = [(name, node, module) for name, node in self._nodes.items() if (module := node.get()) is not None]
        for name in [name for name, shared in self._tensors.items() if shared.module not in self._nodes]:
            del self._tensor_names[id(self._tensors.pop(name).tensor)]
        modes, contents = [], []
        for name, node, module in live:
            if self._signature(module, node) != node.signature:
                contents.append([name, self._content(module, name, node, pack)])
            elif module.training != node.training:
                node.training = module.training
                modes.append([name, module.training])
        changed = []
        for name, shared in self._tensors.items():
            if shared.changed():
                shared.remember()
                changed.append([name, self._tensor_state(shared.tensor, pack)])
        found = {"modes": modes, "contents": contents, "tensors": changed}
        return {key: value for key, value in found.items() if value}

    # Reading

    def incoming(self, changes: dict, unpack) -> None:
        """Repeat here what changed on the other side."""
        for name, content in changes.get("contents", ()):
            if name in self._nodes:
                self._fill(self.module(name), name, content, unpack)
        for name, training in changes.get("modes", ()):
            if name in self._nodes:
                self.module(name).training = self._nodes[name].training = training is True
        for name, state in changes.get("tensors", ()):
            if name in self._tensors:
                self._apply(self._tensors[name], state, unpack)

    @staticmethod
    def _apply(shared: _Shared, state: dict, unpack) -> None:
        tensor, data = shared.tensor, unpack.raw_tensor(state["data"])
        requires_grad, data = data.requires_grad, data.detach()
        if data.shape == tensor.shape and data.dtype == tensor.dtype:
            tensor.data.copy_(data)
        else:
            tensor.data = data
        if tensor.is_leaf:
            if tensor.requires_grad != requires_grad and tensor.is_floating_point():
                tensor.requires_grad_(requires_grad)
            gradient = state.get("grad")
            if gradient is None:
                tensor.grad = None
            else:
                new = unpack.raw_tensor(gradient).detach()
                if tensor.grad is not None and tensor.grad.shape == new.shape and tensor.grad.dtype == new.dtype:
                    tensor.grad.copy_(new)
                else:
                    tensor.grad = new
        shared.remember()

    def decode(self, form: dict, unpack) -> nn.Module:
        """Return the module that a form names; a mirror is made if it is new."""
        name = form["n"]
        if "content" not in form:
            return self.module(name)
        if type(name) is not str or name in self._nodes or not name.startswith(self._peer.other_side):
            raise WireError("a module has a name that it cannot have")
        if "path" in form:
            kind = self._find_class(form["path"])
            module = kind.__new__(kind)
            nn.Module.__init__(module)
            for key, value in form["attributes"]:
                if type(key) is not str or key.startswith("__") or hasattr(nn.Module, key):
                    raise WireError("a module has an attribute that it cannot have")
                if type(value) is dict and "functional" in value:
                    module.__dict__[key] = _functional(value["functional"])
                else:
                    module.__dict__[key] = unpack.decode(value)
        else:
            kind = self._peer.decode_class(form["class"], is_module=True)
            module = kind.__new__(kind)
            nn.Module.__init__(module)
        self._add(module, name, is_ours=False)
        self._fill(module, name, form["content"], unpack)
        return module

    def _find_class(self, path: str) -> type:
        package, _, name = path.rpartition(".")
        is_torch = package.startswith("torch.nn.modules.")
        if not is_torch and not package.startswith(self._prefixes):
            raise WireError("a module has a class that it cannot have")
        found = self._peer.import_shared(package) if not is_torch else sys.modules.get(package)
        kind = vars(found).get(name) if found is not None else None
        if not (isinstance(kind, type) and issubclass(kind, nn.Module)):
            raise WireError("a module has a class that is not known here")
        return kind

    def _fill(self, module: nn.Module, name: str, content: dict, unpack) -> None:
        node = self._nodes[name]
        module.training = content["training"] is True
        parameters = OrderedDict(
            (_key(key), self._decode_tensor(form, name, unpack)) for key, form in content["parameters"]
        )
        buffers = OrderedDict(
            (_key(key), self._decode_tensor(form, name, unpack)) for key, form, _ in content["buffers"]
        )
        children = OrderedDict(
            (_key(key), None if form is None else self._peer.modules.decode(form, unpack))
            for key, form in content["children"]
        )
        for kind, new in (("_parameters", parameters), ("_buffers", buffers), ("_modules", children)):
            present = getattr(module, kind)
            present.clear()
            present.update(new)
        module._non_persistent_buffers_set = {key for key, _, persistent in content["buffers"] if persistent is False}
        if node.is_ours and "hooks" in content:
            for kind in _HOOKS:
                getattr(module, kind).clear()
            for position, (kind, _, hook) in enumerate(content["hooks"]):
                if kind in _HOOKS:
                    getattr(module, kind)[position] = unpack.decode(hook)
        node.signature = self._signature(module, node)
        node.training = module.training

    def _decode_tensor(self, form, module: str, unpack) -> torch.Tensor | None:
        if form is None:
            return None
        name = form["t"]
        if "data" not in form:
            return self._tensors[name].tensor
        if type(name) is not str or name in self._tensors:
            raise WireError("a parameter has a name that it cannot have")
        tensor = unpack.raw_tensor(form["data"])
        if form.get("parameter") is True:
            tensor = nn.Parameter(tensor.detach(), requires_grad=tensor.requires_grad)
        if form.get("grad") is not None:
            tensor.grad = unpack.raw_tensor(form["grad"]).detach()
        self._tensors[name] = _Shared(tensor, module)
        self._tensor_names[id(tensor)] = name
        return tensor


def _functional(name: str):
    function = vars(nn.functional).get(name)
    if name.startswith("_") or not callable(function):
        raise WireError("a module has a function that it cannot have")
    return function


def _key(key: str) -> str:
    if type(key) is not str or key.startswith("__") or "." in key or hasattr(nn.Module, key):
        raise WireError("a module has a member with a name that it cannot have")
    return key
