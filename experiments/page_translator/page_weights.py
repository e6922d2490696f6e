"""Weights in 8 bits, as a script that a page of the book can load from a file: the translator in the page.

Each row of a matrix gets a scale of its own, and its entries become whole numbers from -127 to 127; vectors (biases,
norms) stay float32. Numbers and vocabularies stand in assignments of JavaScript, because a page that was opened from
a file may load a script and nothing else.

Source: Dettmers et al. (2022), "LLM.int8()", section 2.1, absmax quantisation, with a constant for each row.
"""

import base64
import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from transformer_course.common.tokens import SPECIAL_WORDS, Vocabulary
from transformer_course.training.models import Translator
from transformer_course.transformer import Transformer

LARGEST = 127
FILES = ("translator-weights-1.js", "translator-weights-2.js")  # two, so that none is large for a repository
BEGINNING, END = "Object.assign(globalThis.courseTranslatorWeights ??= {}, ", ");\n"


def quantise_rows(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """Turn the entries of a matrix into whole numbers, each row by a scale of its own.

    Args:
        matrix: ``(rows, columns)``.

    Returns:
        The numbers ``(rows, columns)``, int8, and the scales ``(rows,)``, float32: scale times number is near the
        entry, at most half a scale away. A row of zeros has scale 0.

    >>> quantise_rows(torch.tensor([[2.54, -1.0], [0.0, 0.0]]))
    (tensor([[127, -50],
            [  0,   0]], dtype=torch.int8), tensor([0.0200, 0.0000]))
    """
    scales = matrix.float().abs().amax(dim=1) / LARGEST  # (rows,)
    steps = matrix / scales.masked_fill(scales == 0, 1.0)[:, None]
    return steps.round().to(torch.int8), scales


def quantised(model: Transformer) -> Transformer:
    """Return a copy of the model that computes with what is left of its weights after ``quantise_rows``."""
    model = copy.deepcopy(model)
    with torch.no_grad():
        for _, parameter in model.named_parameters():
            if parameter.dim() == 2:
                numbers, scales = quantise_rows(parameter)
                parameter.copy_(scales[:, None] * numbers)
    return model


def write_page_weights(folder: Path, translator: Translator, sizes: dict[str, int], origin: dict[str, Any]) -> None:
    """Write a translator as scripts for a page, ``FILES`` of them.

    Args:
        folder: where they go.
        translator: a Transformer, norms first, tied weights, ReLU.
        sizes: the arguments with which the model was built, beside the vocabularies.
        origin: where the weights come from; stands first in the first file.
    """
    parts, data = [], b""
    for name, parameter in translator.model.named_parameters():
        matrix = parameter.detach()
        if matrix.dim() == 2:
            numbers, scales = quantise_rows(matrix)
            data += scales.numpy().astype("<f4").tobytes() + numbers.numpy().tobytes()
        else:
            data += matrix.numpy().astype("<f4").tobytes()
        parts.append([name, *matrix.shape])
    words = {"source_words": translator.source_vocabulary.words, "target_words": translator.target_vocabulary.words}
    text = base64.b64encode(data).decode()
    middle = len(text) // 8 * 4  # four characters of base64 belong together
    kept = (
        {"origin": origin, "sizes": sizes, **words, "parts": parts, "first": text[:middle]},
        {"rest": text[middle:]},
    )
    for name, content in zip(FILES, kept, strict=True):
        line = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        (folder / name).write_text(f"{BEGINNING}{line}{END}", encoding="utf-8")


def read_page_weights(folder: Path, dtype: torch.dtype = torch.float64) -> Translator:
    """Read the scripts again, as a translator of the library.

    Args:
        folder: where they lie.
        dtype: in which the model computes; a page computes in double precision.

    Returns:
        The translator, in evaluation mode.

    Raises:
        ValueError: if a file is none that ``write_page_weights`` wrote.
    """
    kept = {}
    for name in FILES:
        text = (folder / name).read_text(encoding="utf-8")
        if not text.startswith(BEGINNING):
            raise ValueError(f"folder: expected {name} with weights of the page's translator, got {text[:40]!r}")
        kept |= json.loads(text[len(BEGINNING) : -len(END)])
    words = [Vocabulary(kept[side][len(SPECIAL_WORDS) :]) for side in ("source_words", "target_words")]
    model = Transformer(*map(len, words), **kept["sizes"], dropout=0.0, norm_first=True, tie_weights=True)
    data, at, parameters = base64.b64decode(kept["first"] + kept["rest"]), 0, dict(model.named_parameters())
    with torch.no_grad():
        for name, rows, *columns in kept["parts"]:
            scales = torch.from_numpy(np.frombuffer(data, "<f4", rows, at).copy())  # (rows,), the entries of a vector
            at += 4 * rows
            if columns:
                numbers = np.frombuffer(data, np.int8, rows * columns[0], at).reshape(rows, columns[0]).copy()
                at += numbers.size
                parameters[name].copy_(scales[:, None] * torch.from_numpy(numbers))
            else:
                parameters[name].copy_(scales)
    return Translator("transformer", model.to(dtype).eval(), *words)
