"""How much memory tensors take: counted, not measured, so that every machine says the same."""

import weakref
from collections.abc import Iterable

from torch import Tensor, UntypedStorage
from torch.utils._python_dispatch import TorchDispatchMode


class Memory(TorchDispatchMode):
    """Count the bytes of what torch allocates inside a ``with``, forward and backward.

    Views share the memory of another tensor, and cost nothing, and so do tensors on the meta device. What an operation
    needs only while it runs is not seen. A ``Memory`` may be entered again: what was allocated before and still lives
    goes on counting.

    Args:
        *known: tensors that are there already, such as inputs; they cost nothing.

    Attributes:
        living: bytes that live now, also after the ``with``.
        peak: the most bytes that lived at the same time.
        largest: bytes of the largest piece.
        made: bytes of all pieces together, alive or not.

    >>> import torch
    >>> with Memory() as memory:
    ...     x = torch.ones(10).exp().view(2, 5)
    >>> memory.living, memory.peak, memory.made
    (40, 80, 80)
    """

    watches_memory = True

    def __init__(self, *known: Tensor):
        super().__init__()
        self._known = [tensor.untyped_storage() for tensor in known]
        self._known_ids = {id(storage) for storage in self._known}
        self._references: dict[int, weakref.ref] = {}
        self.living = self.peak = self.largest = self.made = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # or torch would load its compiler, which takes seconds

    def restart(self) -> None:
        """Forget the peak, the largest piece and the sum; what lives goes on counting."""
        self.peak, self.largest, self.made = self.living, 0, 0

    def heard(self, peak: int, living: int, largest: int, made: int) -> None:
        """Add what was counted elsewhere, such as in another process that computed the result."""
        self.peak = max(self.peak, self.living + peak)
        self.living += living
        self.largest, self.made = max(self.largest, largest), self.made + made

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Let torch compute, and look at the result."""
        result = func(*args, **(kwargs or {}))
        for tensor in _tensors(result):
            storage = tensor.untyped_storage()  # the same object for all views, as long as one of them lives
            is_new = id(storage) not in self._known_ids and id(storage) not in self._references
            if is_new and not tensor.is_meta:
                self._add(storage, storage.nbytes())
        return result

    def _add(self, storage: UntypedStorage, size: int) -> None:
        address = id(storage)

        def freed(_: weakref.ref) -> None:
            del self._references[address]
            self.living -= size

        self._references[address] = weakref.ref(storage, freed)
        self.living += size
        self.peak, self.largest = max(self.peak, self.living), max(self.largest, size)
        self.made += size


def _tensors(result: object) -> Iterable[Tensor]:
    if isinstance(result, Tensor):
        return (result,)
    return [each for each in result if isinstance(each, Tensor)] if isinstance(result, tuple | list) else ()
