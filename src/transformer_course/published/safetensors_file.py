"""Reading a safetensors file: the length of a header, the header, and numbers one after the other.

Source: the format's description, in the README of github.com/huggingface/safetensors.

A file of this form holds nothing that could run. Files that are pickled can, and the course opens none.
"""

import json
from math import prod
from pathlib import Path
from typing import BinaryIO, NamedTuple

import torch
from torch import Tensor

DTYPES = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}
LONGEST_HEADER = 100_000_000  # bytes, as in the package of the format's authors


def read_safetensors(file: Path | str) -> dict[str, Tensor]:
    """Read the tensors of a file.

    Args:
        file: its path.

    Returns:
        The tensors by name, as they are stored.

    Raises:
        ValueError: if the file is not there, or is none of this form, or is damaged.
    """
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"weights: expected the file {path}, got none")
    with path.open("rb") as opened:
        return tensors_of(opened, path.stat().st_size, str(path))


def tensors_of(file: BinaryIO, size: int, name: str) -> dict[str, Tensor]:
    """Read the tensors of an open file, which may be part of an archive.

    Args:
        file: open for reading, at its beginning.
        size: of the file in bytes.
        name: by which an error calls it.

    Returns:
        The tensors by name, as they are stored.

    Raises:
        ValueError: if the file is none of this form, or is damaged.
    """
    length = int.from_bytes(file.read(8), "little")
    if not 2 <= length <= min(size - 8, LONGEST_HEADER):
        raise ValueError(f"weights: {name} is no safetensors file, or is damaged: its first bytes give no length")
    try:
        places = [_place(key, entry) for key, entry in json.loads(file.read(length)).items() if key != "__metadata__"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"weights: {name} is no safetensors file, or is damaged: its header cannot be read") from None
    data = bytearray(file.read())
    return {place.name: _tensor(data, place, name) for place in places}


class _Place(NamedTuple):
    name: str
    dtype: torch.dtype
    shape: list[int]
    start: int
    end: int


def _place(name: str, entry: dict) -> _Place:
    start, end = entry["data_offsets"]
    if not all(type(each) is int and each >= 0 for each in (start, end, *entry["shape"])):
        raise ValueError("expected sizes and places that are not negative")
    return _Place(name, DTYPES[entry["dtype"]], entry["shape"], start, end)


def _tensor(data: bytearray, place: _Place, file: str) -> Tensor:
    name, dtype, shape, start, end = place
    numbers = prod(shape)
    if not (start <= end <= len(data) and end - start == numbers * dtype.itemsize):
        raise ValueError(f"weights: {file} is damaged: {name} needs {numbers * dtype.itemsize} bytes, and has others")
    if not numbers:
        return torch.empty(shape, dtype=dtype)
    # A tensor must not begin in the middle of a number: then it gets bytes of its own.
    if start % dtype.itemsize:
        return torch.frombuffer(data[start:end], dtype=dtype).view(shape)
    return torch.frombuffer(data, dtype=dtype, count=numbers, offset=start).view(shape)
