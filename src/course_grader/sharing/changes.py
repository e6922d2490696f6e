"""What a call did to its arguments in place, found on one side and repeated on the other."""

import hashlib

import numpy as np
import torch

from course_grader.sharing.plain import Packer, Unpacker, natural, tensor_bytes
from course_grader.sharing.wire import WireError


class Snapshots:
    """What the arguments of a call looked like before it, to find what the call changed."""

    def __init__(self, seen: list):
        # The third entry keeps every element alive, so that no new object can take its place in memory.
        self._before = [(value, _state(value), _elements(value)) for value in seen]

    def changes(self, pack: Packer) -> list:
        """Encode every argument that is no longer what it was, as ``[number, new content]``."""
        found = []
        for number, (value, before, _) in enumerate(self._before):
            if _state(value) == before:
                continue
            if isinstance(value, torch.Tensor):
                content = pack.raw_tensor(value)
            elif type(value) is torch.Generator:
                content = None
            elif type(value) is np.ndarray:
                content = {"d": value.dtype.str, "s": list(value.shape), "at": pack.blob(value.tobytes())}
            elif type(value) is dict:
                content = [[pack.encode(key), pack.encode(each)] for key, each in value.items()]
            else:
                content = [pack.encode(each) for each in value]
            found.append([number, content])
        return found


def apply_changes(changes: list, unpack: Unpacker) -> None:
    """Repeat on our side what the other side did to the arguments."""
    originals = list(unpack.seen)
    for number, content in changes:
        value = originals[natural(number)]
        if isinstance(value, torch.Tensor):
            new = unpack.raw_tensor(content)
            if new.dtype != value.dtype:
                raise WireError("an argument cannot change its dtype")
            if new.shape == value.shape:
                value.data.copy_(new.detach())
            else:
                value.data = new.detach()
            if value.is_leaf and new.requires_grad != value.requires_grad and new.is_floating_point():
                value.requires_grad_(new.requires_grad)
        elif type(value) is torch.Generator:
            # It moved on, but not to a state that the other side could choose.
            digest = hashlib.sha256(tensor_bytes(value.get_state())).digest()
            value.manual_seed(int.from_bytes(digest[:7], "big"))
        elif type(value) is np.ndarray:
            np.copyto(value, unpack.raw_array(content))
        elif type(value) is dict:
            items = [(unpack.decode(key), unpack.decode(each)) for key, each in content]
            value.clear()
            value.update(items)
        elif type(value) in (list, set):
            items = [unpack.decode(each) for each in content]
            value.clear()
            (value.extend if type(value) is list else value.update)(items)


def _state(value):
    if isinstance(value, torch.Tensor):
        return tuple(value.shape), value.requires_grad, tensor_bytes(value)
    if type(value) is torch.Generator:
        return tensor_bytes(value.get_state())
    if type(value) is np.ndarray:
        return value.shape, value.tobytes()
    if type(value) is dict:
        return [(id(key), id(each)) for key, each in value.items()]
    if type(value) is list:
        return [id(each) for each in value]
    return {id(each) for each in value} if type(value) is set else None


def _elements(value) -> list | None:
    if type(value) is dict:
        return list(value.items())
    return list(value) if type(value) in (list, set) else None
