"""Make this Python behave as on another machine; `tools/machines.py` puts this folder on PYTHONPATH.

Processors add up the products of a matrix multiplication in different orders, so that results differ in the last
digit, and a network that is trained for a few hundred updates ends elsewhere. What a page says must hold all the same.

Environment variables:
    COURSE_ROUNDING: a number other than 0 is one machine. In every matrix product some entries move by one unit in the
        last place; which ones depends on the entry itself, so that two equal computations stay equal. Entries with
        few binary digits, as sums of small whole numbers, are exact on every processor and stay.
    COURSE_THREADS: the number of threads, whatever a page asks for.
    COURSE_SEED_SHIFT: added to every seed.
"""

import importlib.abc
import os
import sys

ROUNDING = int(os.environ.get("COURSE_ROUNDING", "0"))
THREADS = int(os.environ.get("COURSE_THREADS", "0"))
SHIFT = int(os.environ.get("COURSE_SEED_SHIFT", "0"))
_kept = []  # a registration ends with its object


def _round_otherwise(torch) -> None:
    """Replace the kernels of the matrix products on the CPU."""
    bits_of = {torch.float32: (torch.int32, 9), torch.float64: (torch.int64, 38)}  # exact with so many last zeros
    odd = 2 * ROUNDING + 0x9E37

    def of_torch(function):
        """Let who watches calls, as the checks of the exercises do, hold a function to be a part of torch."""
        function.__code__ = function.__code__.replace(co_filename=torch.__file__)
        return function

    @of_torch
    def moved(result):
        if result.dtype in bits_of and result.numel() and result.is_contiguous():
            kind, zeros = bits_of[result.dtype]
            bits = result.view(kind)
            mixed = bits * odd
            step = ((mixed >> 13) & 1) - ((mixed >> 17) & 1)  # -1, 0 or 1
            bits.add_(step.mul_((bits & ((1 << zeros) - 1)) != 0))
        return result

    def product(name, shape):
        out_kernel = getattr(torch.ops.aten, name).out

        @of_torch
        def kernel(*tensors, **numbers):
            kind = tensors[-1].dtype
            return moved(out_kernel(*tensors, **numbers, out=torch.empty(of_torch(shape)(*tensors), dtype=kind)))

        return kernel

    shapes = {
        "mm": lambda a, b: (a.shape[0], b.shape[1]),
        "bmm": lambda a, b: (a.shape[0], a.shape[1], b.shape[2]),
        "addmm": lambda c, a, b: (a.shape[0], b.shape[1]),
        "baddbmm": lambda c, a, b: (a.shape[0], a.shape[1], b.shape[2]),
        "mv": lambda a, b: (a.shape[0],),
    }
    library = torch.library.Library("aten", "IMPL")
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a kernel is replaced is the purpose
        for name, shape in shapes.items():
            library.impl(name, product(name, shape), "CPU")
    _kept.append(library)


def _shift_seeds(torch) -> None:
    seed, generator = torch.manual_seed, torch.Generator

    class Generator(generator):
        def manual_seed(self, value):
            return super().manual_seed(value + SHIFT)

    torch.manual_seed = torch.random.manual_seed = lambda value: seed(value + SHIFT)
    torch.Generator = Generator


def _imitate(torch) -> None:
    if ROUNDING:
        _round_otherwise(torch)
    if SHIFT:
        _shift_seeds(torch)
    if THREADS:
        torch.set_num_threads(THREADS)
        torch.set_num_threads = lambda number: None


class _AfterTorch(importlib.abc.MetaPathFinder):
    """Imitate once torch has been imported, and not before: most programs start without it."""

    def find_spec(self, name, path, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            _imitate(module)

        spec.loader.exec_module = exec_module
        return spec


if ROUNDING or THREADS or SHIFT:
    import importlib.util

    sys.meta_path.insert(0, _AfterTorch())
