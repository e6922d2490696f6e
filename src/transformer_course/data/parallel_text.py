"""Real sentence pairs: readers for Tatoeba and Multi30k, from local files or fetched on first use.

Neither collection is part of the course. Each comes with the text of its licence, which a program that uses it should
show, and Tatoeba with the names of those who wrote the sentences.
"""

import gzip
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

from transformer_course.data.download import cache_folder, download
from transformer_course.data.sources import (
    MULTI30K_LICENCE,
    MULTI30K_SHA256,
    MULTI30K_URL,
    TATOEBA_LICENCE,
    TATOEBA_URL,
    multi30k_name,
)


@dataclass(frozen=True)
class TextPair:
    """A sentence and its translation as plain text, with whom to credit where that is known."""

    source: str
    target: str
    attribution: str = ""


@dataclass(frozen=True)
class ParallelText:
    """Sentence pairs with what must be shown beside them.

    Attributes:
        pairs: the sentence pairs.
        licence: where they come from and what they may be used for.
        notes: what the reader should know, such as that no checksum was compared.
    """

    pairs: list[TextPair]
    licence: str = ""
    notes: tuple[str, ...] = ()


def read_tab_separated(path: Path | str) -> list[TextPair]:
    """Read lines of source, target and perhaps attribution, with tabs between them, as manythings.org distributes them.

    Args:
        path: a text file in UTF-8, a ``.gz`` of one, or a ``.zip`` with one ``.txt`` beside ``_about.txt``.

    Returns:
        The pairs in order; empty lines are left out.

    Raises:
        ValueError: if a line has not two or three columns.
    """
    pairs = []
    for number, line in enumerate(_lines(Path(path)), start=1):
        if not line.strip():
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) not in (2, 3):
            raise ValueError(
                f"{path}, line {number}: expected 2 or 3 columns with tabs between them, got {len(columns)}: "
                f"{line[:60]!r}"
            )
        pairs.append(TextPair(*columns))
    return pairs


def read_parallel_files(source_path: Path | str, target_path: Path | str) -> list[TextPair]:
    """Read two files that correspond line by line, plain or ``.gz``, in UTF-8.

    Raises:
        ValueError: if the files have different numbers of lines.
    """
    sources, targets = _lines(Path(source_path)), _lines(Path(target_path))
    if len(sources) != len(targets):
        raise ValueError(
            f"target_path: expected {len(sources)} lines as in {source_path}, got {len(targets)} in {target_path}"
        )
    return [TextPair(source.strip(), target.strip()) for source, target in zip(sources, targets, strict=True)]


def load_tatoeba(path: Path | str | None = None, progress: bool = True) -> ParallelText:
    """Load English-French pairs of Tatoeba.

    Args:
        path: a file as for ``read_tab_separated``. None = download on first use.
        progress: show a progress bar while downloading.

    Returns:
        English as source, French as target, with the attribution of each pair.
    """
    notes = ()
    if path is None:
        path = download(TATOEBA_URL, cache_folder() / "tatoeba" / TATOEBA_URL.rsplit("/", 1)[1], progress=progress)
        notes = (f"{TATOEBA_URL} grows with time, so it has no fixed checksum: none was compared.",)
    return ParallelText(read_tab_separated(path), TATOEBA_LICENCE, notes)


def load_multi30k(
    split: str = "train",
    source: str = "de",
    target: str = "en",
    tokenized: bool = False,
    folder: Path | str | None = None,
    progress: bool = True,
) -> ParallelText:
    """Load one split of Multi30k, task 1.

    Args:
        split: ``train``, ``val`` or ``test_2016_flickr``.
        source: language of the source: ``en``, ``de``, ``fr`` or ``cs``.
        target: language of the target.
        tokenized: lower-cased and tokenised text instead of the raw sentences.
        folder: where the files are, plain or ``.gz``. None = download on first use.
        progress: show a progress bar while downloading.

    Returns:
        The pairs.

    Raises:
        ValueError: if a file is not in the folder, or split or language are unknown.
    """
    paths, notes = [], []
    for language in (source, target):
        name = multi30k_name(split, language, tokenized)
        if folder is not None:
            plain = name.removesuffix(".gz")
            found = [path for path in (Path(folder) / plain, Path(folder) / (plain + ".gz")) if path.exists()]
            if not found:
                raise ValueError(f"folder: expected {plain} or {plain}.gz in {folder}, got neither")
            paths.append(found[0])
            continue
        url = f"{MULTI30K_URL}/{'tok' if tokenized else 'raw'}/{name}"
        if MULTI30K_SHA256.get(name) is None:
            notes.append(f"The checksum of {url} is not known: none was compared.")
        paths.append(download(url, cache_folder() / "multi30k" / name, MULTI30K_SHA256.get(name), progress))
    return ParallelText(read_parallel_files(*paths), MULTI30K_LICENCE, tuple(notes))


def _lines(path: Path) -> list[str]:
    """Read the lines of a text file; only a newline ends a line, not the other separators of Unicode."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".txt") and Path(name).name != "_about.txt"]
            if len(names) != 1:
                raise ValueError(f"{path}: expected one .txt beside _about.txt, got {names}")
            data = archive.read(names[0])
    elif path.suffix == ".gz":
        with gzip.open(path) as file:
            data = file.read()
    else:
        data = path.read_bytes()
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline=None).read()
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines
