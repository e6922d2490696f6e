"""Pictures with labels: real digits that come with scikit-learn, and readers for Fashion-MNIST and CIFAR-10.

The digits are there without a network. The other two are no part of the course: they are read from files that you have,
or fetched on first use and compared with a checksum. Each comes with the text of its licence or of what is known of it.
"""

import gzip
import tarfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.common.validation import require_dimensions, require_not_negative, require_shape
from transformer_course.data.download import cache_folder, download
from transformer_course.data.picture_sources import (
    CIFAR10_CLASSES,
    CIFAR10_LICENCE,
    CIFAR10_SHA256,
    CIFAR10_URL,
    DIGITS_LICENCE,
    FASHION_MNIST_CLASSES,
    FASHION_MNIST_LICENCE,
    FASHION_MNIST_SHA256,
    FASHION_MNIST_URL,
    cifar10_members,
    fashion_mnist_names,
)

RECORD = 1 + 3 * 32 * 32  # bytes of a picture of CIFAR-10 with its label
NUM_TEST, ORDER = 500, 15  # digits that are never trained on, and the seed that chose them


@dataclass(frozen=True)
class Pictures:
    """Pictures with what they show.

    Attributes:
        images: ``(number, channels, height, width)``, from 0 to 1.
        labels: ``(number,)`` long, the class of each.
        classes: a name for each class.
        licence: where they come from and what they may be used for.
    """

    images: Tensor
    labels: Tensor
    classes: tuple[str, ...]
    licence: str = ""

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, which: slice | Tensor) -> "Pictures":
        """Take some of them: a slice, or a tensor of indices."""
        return Pictures(self.images[which], self.labels[which], self.classes, self.licence)


def load_digits(border: int = 2) -> tuple[Pictures, Pictures]:
    """Load 1,797 handwritten digits of 8 x 8 pixels, in an empty border.

    Source: Alpaydin & Kaynak (1998), "Optical Recognition of Handwritten Digits", UCI Machine Learning Repository, its
    test part, as scikit-learn has it.

    Args:
        border: empty pixels on each side, so that a digit can be moved without losing ink.

    Returns:
        1,297 pictures to train on, and 500 to test, in a fixed random order; ``(number, 1, 8 + 2 * border, ...)``. The
        same people wrote both.
    """
    from sklearn import datasets  # a second to import, and only these pictures need it

    require_not_negative("border", border)
    digits = datasets.load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32)[:, None] / 16  # (number, 1, 8, 8)
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(ORDER))
    everything = Pictures(
        F.pad(images, (border,) * 4), torch.tensor(digits.target).long(), tuple("0123456789"), DIGITS_LICENCE
    )
    return everything[order[NUM_TEST:]], everything[order[:NUM_TEST]]


def moved(images: Tensor, down: int = 0, right: int = 0) -> Tensor:
    """Move pictures by whole pixels; what leaves on one side is lost, and zeros come in on the other.

    Args:
        images: ``(..., height, width)``.
        down: by how many pixels; negative = up.
        right: by how many pixels; negative = left.

    Returns:
        The same shape.

    >>> moved(torch.tensor([[1, 2], [3, 4]]), right=1)
    tensor([[0, 1],
            [0, 3]])
    """
    require_dimensions("images", images, at_least=2)
    # A negative pad cuts.
    return F.pad(images, (right, -right, down, -down))


def load_fashion_mnist(split: str = "train", folder: Path | str | None = None, progress: bool = True) -> Pictures:
    """Load one split of Fashion-MNIST: grey pictures of clothes, 28 x 28 pixels.

    Source: Xiao et al. (2017), "Fashion-MNIST: a Novel Image Dataset for Benchmarking Machine Learning Algorithms".

    Args:
        split: ``train`` (60,000 pictures) or ``test`` (10,000).
        folder: where the two files of the split are, plain or ``.gz``. None = download on first use.
        progress: show a progress bar while downloading.

    Returns:
        The pictures ``(number, 1, 28, 28)``.

    Raises:
        ValueError: if a file is not in the folder or is no such file, or the split is unknown.
    """
    names = fashion_mnist_names(split)
    if folder is None:
        home = cache_folder() / "fashion_mnist"
        paths = [download(f"{FASHION_MNIST_URL}/{name}", home / name, FASHION_MNIST_SHA256[name], progress)
                 for name in names]  # fmt: skip
    else:
        paths = [_in_folder(Path(folder), name) for name in names]
    images, labels = (read_idx(path) for path in paths)
    require_shape("images", images, ("number", "height", "width"))
    require_shape("labels", labels, (len(images),))
    return Pictures(images[:, None].float() / 255, labels.long(), FASHION_MNIST_CLASSES, FASHION_MNIST_LICENCE)


def load_cifar10(split: str = "train", path: Path | str | None = None, progress: bool = True) -> Pictures:
    """Load one split of CIFAR-10: colour pictures of animals and vehicles, 32 x 32 pixels.

    The binary version is read; the one for Python is a pickle, which can run code when it is opened.

    Source: Krizhevsky (2009), "Learning Multiple Layers of Features from Tiny Images".

    Args:
        split: ``train`` (50,000 pictures) or ``test`` (10,000).
        path: ``cifar-10-binary.tar.gz``, or a folder with its ``.bin`` files. None = download on first use.
        progress: show a progress bar while downloading.

    Returns:
        The pictures ``(number, 3, 32, 32)``; channels red, green, blue.

    Raises:
        ValueError: if a file is missing or has no whole number of pictures, or the split is unknown.
    """
    members = cifar10_members(split)
    if path is None:
        name = CIFAR10_URL.rsplit("/", 1)[1]
        path = download(CIFAR10_URL, cache_folder() / "cifar10" / name, CIFAR10_SHA256, progress)
    data = b"".join(_members(Path(path), members))
    if not data or len(data) % RECORD:
        raise ValueError(f"path: expected records of {RECORD} bytes, got {len(data)} bytes in {path}")
    records = torch.from_numpy(np.frombuffer(data, dtype=np.uint8).copy()).view(-1, RECORD)
    images = records[:, 1:].reshape(-1, 3, 32, 32).float() / 255
    return Pictures(images, records[:, 0].long(), CIFAR10_CLASSES, CIFAR10_LICENCE)


def read_idx(path: Path | str) -> Tensor:
    """Read a file in the format of MNIST: bytes 0, 0, 8, the number of dimensions, the sizes, and the numbers.

    Source: LeCun et al., "The MNIST database of handwritten digits", file formats.

    Args:
        path: a file, plain or ``.gz``.

    Returns:
        The numbers, ``uint8``, in their shape.

    Raises:
        ValueError: if it is no such file, or its length is not what the sizes say.
    """
    path = Path(path)
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if data[:3] != b"\0\0\x08" or len(data) < 4 + 4 * data[3]:
        raise ValueError(f"path: expected a file that begins with the bytes 0, 0, 8, got {data[:4]!r} in {path}")
    start = 4 + 4 * data[3]
    shape = np.frombuffer(data[4:start], dtype=">u4").astype(int).tolist()
    if len(data) - start != int(np.prod(shape)):
        raise ValueError(
            f"path: expected {np.prod(shape)} numbers for shape {shape}, got {len(data) - start} in {path}"
        )
    return torch.from_numpy(np.frombuffer(data[start:], dtype=np.uint8).copy()).reshape(shape)


def _in_folder(folder: Path, name: str) -> Path:
    plain = folder / name.removesuffix(".gz")
    for path in (plain, folder / name):
        if path.exists():
            return path
    raise ValueError(f"folder: expected {plain.name} or {name} in {folder}, got neither")


def _members(path: Path, names: tuple[str, ...]) -> list[bytes]:
    if path.is_dir():
        missing = [name for name in names if not (path / name).exists()]
        if missing:
            raise ValueError(f"path: expected {', '.join(names)} in {path}, got no {', '.join(missing)}")
        return [(path / name).read_bytes() for name in names]
    with tarfile.open(path) as archive:  # only read: nothing is unpacked to disk
        inside = {Path(member.name).name: member for member in archive.getmembers() if member.isfile()}
        missing = [name for name in names if name not in inside]
        if missing:
            raise ValueError(f"path: expected {', '.join(names)} in {path}, got no {', '.join(missing)}")
        return [archive.extractfile(inside[name]).read() for name in names]
