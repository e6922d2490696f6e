"""How much memory tensors take: counted, not measured, so that every machine says the same."""

from collections.abc import Iterable

from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode


class Memory(TorchDispatchMode):
    """Count the bytes of what torch allocates inside a ``with``, forward and backward.

    Views share the memory of another tensor, and cost nothing. What an operation needs only while it runs is not seen.
    It may be entered again: what was allocated before and still lives goes on counting.

    Args:
        *known: tensors that are there already, such as inputs; they cost nothing.

    Attributes:
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
        self._known = known
        self._free = {tensor.untyped_storage()._cdata for tensor in known}
        self._living: dict[int, tuple[StorageWeakRef, int]] = {}
        self._elsewhere = 0
        self.peak = self.largest = self.made = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # or torch would load its compiler, which takes seconds

    @property
    def living(self) -> int:
        """Count the bytes that still live."""
        for address in [each for each, (storage, _) in self._living.items() if storage.expired()]:
            del self._living[address]
        return self._elsewhere + sum(size for _, size in self._living.values())

    def restart(self) -> None:
        """Forget the peak, the largest piece and the sum; what lives goes on counting."""
        self.peak, self.largest, self.made = self.living, 0, 0

    def heard(self, peak: int, living: int, largest: int, made: int) -> None:
        """Add what was counted elsewhere, such as in another process that computed the result."""
        self.peak = max(self.peak, self.living + peak)
        self._elsewhere += living
        self.largest, self.made = max(self.largest, largest), self.made + made

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Let torch compute, and look at the result."""
        result = func(*args, **(kwargs or {}))
        for tensor in _tensors(result):
            storage = tensor.untyped_storage()
            address = storage._cdata
            known = self._living.get(address)
            if address in self._free or (known is not None and not known[0].expired()):
                continue
            size = storage.nbytes()
            self._living[address] = StorageWeakRef(storage), size
            self.largest, self.made = max(self.largest, size), self.made + size
        self.peak = max(self.peak, self.living)
        return result


def _tensors(result: object) -> Iterable[Tensor]:
    if isinstance(result, Tensor):
        return (result,)
    return [each for each in result if isinstance(each, Tensor)] if isinstance(result, tuple | list) else ()
