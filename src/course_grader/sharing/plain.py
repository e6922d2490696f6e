"""Values as JSON and raw bytes: exact plain types only, never pickle.

A value that can change (tensor, array, list, dict, set, generator) gets a number in the order in which it is met. Both
sides count in the same way, so that a later message can say "the same object as number 3", and so that a change made
to an argument on one side can be repeated on the other.
"""

import math

import numpy as np
import torch

from course_grader.sharing.wire import WireError

_TORCH_DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in vars(torch).values()
    if isinstance(dtype, torch.dtype) and not str(dtype).startswith(("torch.q", "torch.bits", "torch.float4"))
}
_AS_INTEGER = {
    dtype: torch.int16 if dtype is torch.bfloat16 else torch.uint8
    for name, dtype in _TORCH_DTYPES.items()
    if name.startswith(("bfloat16", "float8"))
}
_TYPES = (bool, int, float, complex, str, bytes, list, tuple, dict, set)
_TYPES_BY_NAME = {kind.__name__: kind for kind in _TYPES}
_DEPTH_LIMIT = 60
_COUNT_LIMIT = 1_000_000


class CannotCross(TypeError):
    """A value of this type does not go through the wire."""


def tensor_bytes(tensor: torch.Tensor) -> bytes:
    """Return the elements of a tensor in row-major order."""
    if tensor.device.type == "meta":
        return b""
    plain = tensor.detach().cpu().resolve_conj().resolve_neg()
    if plain.dtype in _AS_INTEGER:  # NumPy has no such type
        plain = plain.view(_AS_INTEGER[plain.dtype])
    return plain.numpy().tobytes()


class Packer:
    """Encodes the values of one message and collects their raw bytes.

    Args:
        references: encodes what is not plain (functions, classes, modules) or raises :class:`CannotCross`.
        seen: the numbered objects of the message that this one answers.
        expanded: keep a dimension of stride 0 as such, instead of repeating its elements.
    """

    def __init__(self, references, seen: list | None = None, expanded: bool = True):
        self._references = references
        self._expanded = expanded
        self._parts: list[bytes] = []
        self._length = 0
        self._depth = 0
        self.seen = list(seen or [])
        self._numbers = {id(each): number for number, each in enumerate(self.seen)}
        self.outputs: list[torch.Tensor] | None = None  # a list: results with a gradient are collected in it

    @property
    def payload(self) -> bytes:
        """All raw bytes of the message."""
        return b"".join(self._parts)

    def blob(self, data: bytes) -> list[int]:
        """Add raw bytes and return where they lie."""
        place = [self._length, len(data)]
        self._parts.append(data)
        self._length += len(data)
        return place

    def encode(self, value):
        """Return the JSON form of a value."""
        kind = type(value)
        if value is None or kind in (bool, float, str):
            return value
        if kind is int:
            return value if abs(value) < 2**63 else {"k": "int", "v": hex(value)}
        if id(value) in self._numbers:
            return {"k": "same", "i": self._numbers[id(value)]}
        if self._depth > _DEPTH_LIMIT:
            raise CannotCross(f"nested more than {_DEPTH_LIMIT} deep")
        self._depth += 1
        try:
            return self._encode(value, kind)
        finally:
            self._depth -= 1

    def _encode(self, value, kind):
        if kind in (list, set, dict):
            self.number(value)
        if kind in (tuple, list, set, frozenset):
            return {"k": kind.__name__, "v": [self.encode(each) for each in value]}
        if kind is dict:
            return {"k": "dict", "v": [[self.encode(key), self.encode(each)] for key, each in value.items()]}
        if issubclass(kind, tuple) and (hasattr(kind, "_fields") or kind.__module__ == "torch.return_types"):
            return {"k": "tuple", "v": [self.encode(each) for each in tuple.__iter__(value)]}
        if kind is torch.Size:
            return {"k": "size", "v": list(value)}
        if kind is torch.dtype:
            return {"k": "dtype", "v": str(value).removeprefix("torch.")}
        if kind is torch.device:
            return {"k": "device", "v": str(value)}
        if kind is complex:
            return {"k": "complex", "v": [value.real, value.imag]}
        if kind is bytes:
            return {"k": "bytes", "at": self.blob(value)}
        if kind in (range, slice):
            return {"k": kind.__name__, "v": [self.encode(each) for each in (value.start, value.stop, value.step)]}
        if kind is type and value in _TYPES:
            return {"k": "type", "v": value.__name__}
        if kind is type(Ellipsis):
            return {"k": "ellipsis"}
        if kind is torch.Generator and value.device.type == "cpu":
            self.number(value)
            return {"k": "generator", "at": self.blob(tensor_bytes(value.get_state()))}
        if isinstance(value, np.generic) and value.dtype.kind in "biufc":
            return {"k": "scalar", "d": value.dtype.str, "at": self.blob(value.tobytes())}
        if kind is np.ndarray and value.dtype.kind in "biufc":
            self.number(value)
            return {"k": "array", "d": value.dtype.str, "s": list(value.shape), "at": self.blob(value.tobytes())}
        if isinstance(value, torch.Tensor):
            return self._tensor(value, kind)
        return self._references.encode_reference(value, self)

    def _tensor(self, value: torch.Tensor, kind: type):
        known = self._references.encode_tensor(value)
        if known is not None:
            return known
        if kind not in (torch.Tensor, torch.nn.Parameter):
            raise CannotCross(_type_name(kind))
        self.number(value)
        if self.outputs is not None and value.requires_grad:
            self.outputs.append(value)
            return {"k": "output", "i": len(self.outputs) - 1}
        return self.raw_tensor(value)

    def raw_tensor(self, value: torch.Tensor) -> dict:
        """Encode shape, dtype, order of the dimensions and elements; not what it is connected with."""
        dtype = str(value.dtype).removeprefix("torch.")
        if value.layout != torch.strided or dtype not in _TORCH_DTYPES:
            raise CannotCross(f"{_type_name(type(value))} of layout {value.layout} and dtype {value.dtype}")
        base = value.detach()
        form = {"k": "tensor", "d": dtype}
        if value.device.type == "meta":  # a shape without elements
            return form | {"s": list(value.shape), "at": [0, 0], "meta": True}
        if self._expanded:
            for dimension in range(base.dim()):
                if base.stride(dimension) == 0 and base.shape[dimension] > 1:
                    form["e"] = list(value.shape)
                    base = base.narrow(dimension, 0, 1)
        order = sorted(range(base.dim()), key=lambda dimension: -base.stride(dimension))
        if order != sorted(order) and base.permute(order).is_contiguous():
            base = base.permute(order)
            form["p"] = order
        form |= {"s": list(base.shape), "at": self.blob(tensor_bytes(base))}
        if value.requires_grad:
            form["r"] = True
        return form

    def number(self, value) -> None:
        """Give a value the next number of this message."""
        self._numbers[id(value)] = len(self.seen)
        self.seen.append(value)


class Unpacker:
    """Decodes one message. Every size is checked before memory is used.

    Args:
        references: decodes what is not plain.
        payload: the raw bytes of the message.
        seen: the numbered objects of the message that this one answers.
        trusted: True where the other side is the sandbox; refuses what could only be an attack.
    """

    def __init__(self, references, payload: bytes, seen: list | None = None, trusted: bool = False):
        self._references = references
        self._payload = memoryview(payload)
        self._trusted = trusted
        self._count = 0
        self._depth = 0
        self.seen = list(seen or [])
        self.outputs: list[torch.Tensor] = []

    def decode(self, form):
        """Return the value of a JSON form.

        Raises:
            WireError: if the form is not one that :class:`Packer` makes.
        """
        self._count += 1
        self._depth += 1
        if self._count > _COUNT_LIMIT or self._depth > _DEPTH_LIMIT + 2:
            raise WireError("a message holds more values than allowed")
        try:
            if form is None or type(form) in (bool, int, float, str):
                return form
            return self._decode(form)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, RuntimeError, OverflowError) as error:
            raise WireError(f"a message is not in order ({type(error).__name__})") from None
        finally:
            self._depth -= 1

    def _decode(self, form: dict):
        kind = form["k"]
        if kind == "same":
            return self.seen[natural(form["i"])]
        if kind == "output":
            output = self.outputs[natural(form["i"])]
            self.seen.append(output)
            return output
        if kind in ("list", "set", "dict"):
            value = {"list": list, "set": set, "dict": dict}[kind]()
            self.seen.append(value)
            if kind == "list":
                value.extend(self.decode(each) for each in form["v"])
            elif kind == "set":
                value.update(self.decode(each) for each in form["v"])
            else:
                value.update((self.decode(key), self.decode(each)) for key, each in form["v"])
            return value
        if kind in ("tuple", "frozenset", "size"):
            make = {"tuple": tuple, "frozenset": frozenset, "size": torch.Size}[kind]
            return make([self.decode(each) for each in form["v"]])
        if kind in ("range", "slice"):
            return {"range": range, "slice": slice}[kind](*(self.decode(each) for each in form["v"]))
        if kind == "int":
            return int(form["v"], 16)
        if kind == "complex":
            return complex(*form["v"])
        if kind == "dtype":
            return _TORCH_DTYPES[form["v"]]
        if kind == "device":
            return torch.device(form["v"])
        if kind == "type":
            return _TYPES_BY_NAME[form["v"]]
        if kind == "ellipsis":
            return Ellipsis
        if kind == "bytes":
            return bytes(self.blob(form["at"]))
        if kind == "generator" and not self._trusted:
            generator = torch.Generator()
            generator.set_state(torch.frombuffer(bytearray(self.blob(form["at"])), dtype=torch.uint8))
            self.seen.append(generator)
            return generator
        if kind == "scalar":
            return np.frombuffer(self.blob(form["at"]), dtype=_array_dtype(form))[0]
        if kind == "array":
            array = self.raw_array(form)
            self.seen.append(array)
            return array
        if kind == "tensor":
            tensor = self.raw_tensor(form)
            self.seen.append(tensor)
            return tensor
        return self._references.decode_reference(form, self)

    def raw_array(self, form: dict) -> np.ndarray:
        """Decode a NumPy array."""
        array = np.frombuffer(bytearray(self.blob(form["at"])), dtype=_array_dtype(form))
        return array.reshape([natural(size) for size in form["s"]])

    def raw_tensor(self, form: dict) -> torch.Tensor:
        """Decode a tensor; it requires a gradient if the original did, and has no history."""
        dtype = _TORCH_DTYPES[form["d"]]
        shape = [natural(size) for size in form["s"]]
        data = self.blob(form["at"])
        if form.get("meta") is True:
            return torch.empty(shape, dtype=dtype, device="meta")
        if math.prod(shape) * dtype.itemsize != len(data) or len(shape) > 64:
            raise WireError("a tensor's shape does not fit its size")
        if data:
            tensor = torch.frombuffer(bytearray(data), dtype=dtype).reshape(shape)
        else:
            tensor = torch.empty(shape, dtype=dtype)
        if "p" in form:
            tensor = tensor.permute([form["p"].index(dimension) for dimension in range(len(shape))])
        if "e" in form and not self._trusted:
            tensor = tensor.expand(form["e"])
        return tensor.requires_grad_() if form.get("r") is True else tensor

    def blob(self, place) -> memoryview:
        """Return the raw bytes at a place."""
        start, length = natural(place[0]), natural(place[1])
        if start + length > len(self._payload):
            raise WireError("a message is shorter than it says")
        return self._payload[start : start + length]


def _array_dtype(form: dict) -> np.dtype:
    dtype = np.dtype(form["d"])
    if dtype.kind not in "biufc":
        raise WireError("an array of this dtype is not exchanged")
    return dtype


def natural(number) -> int:
    """Return a size or number of a message.

    Raises:
        WireError: if it is not a natural number of a sane size.
    """
    if type(number) is not int or not 0 <= number < 2**48:
        raise WireError("a message holds a size or number that is not one")
    return number


def _type_name(kind: type) -> str:
    name = type.__getattribute__(kind, "__name__")
    return name if type(name) is str else "unknown"
