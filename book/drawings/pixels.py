"""Small pictures as an address that an SVG or HTML page can hold."""

import base64
import struct
import zlib

import torch
from torch import Tensor


def png_address(image: Tensor) -> str:
    """Write a picture as a PNG file in base64.

    Args:
        image: ``(3, height, width)``, from 0 to 1.

    Returns:
        ``data:image/png;base64,...``, for the address of an image.

    Raises:
        ValueError: if it has other than three dimensions or channels.
    """
    if image.dim() != 3 or image.shape[0] != 3:
        raise ValueError(f"image: expected shape (3, height, width), got {tuple(image.shape)}")
    _, height, width = image.shape
    rows = (image.clamp(0, 1) * 255).round().to(torch.uint8).permute(1, 2, 0).reshape(height, -1)
    lines = b"".join(b"\0" + bytes(row) for row in rows.tolist())  # each line says that it is not filtered
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(chunks)).decode()
