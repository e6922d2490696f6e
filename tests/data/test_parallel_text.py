"""Readers of real sentence pairs, on small files of our own."""

import gzip
import zipfile

import pytest

from transformer_course.data import parallel_text, sources
from transformer_course.data.parallel_text import (
    TextPair,
    load_multi30k,
    load_tatoeba,
    read_parallel_files,
    read_tab_separated,
)

CREDIT = "CC-BY 2.0 (France) Attribution: tatoeba.org #1 (a) & #2 (b)"
LINES = f"Go.\tVa !\t{CREDIT}\nHi.\tSalut\N{NO-BREAK SPACE}!\n\nRun\N{LINE SEPARATOR}now.\tCours.\n"
PAIRS = [
    TextPair("Go.", "Va !", CREDIT),
    TextPair("Hi.", "Salut\N{NO-BREAK SPACE}!"),
    TextPair("Run\N{LINE SEPARATOR}now.", "Cours."),
]


@pytest.mark.parametrize("form", ["txt", "gz", "zip", "byte order mark", "windows"])
def test_tab_separated_in_every_form(tmp_path, form):
    path = tmp_path / "fra.txt"
    if form == "gz":
        path = tmp_path / "fra.txt.gz"
        path.write_bytes(gzip.compress(LINES.encode()))
    elif form == "zip":
        path = tmp_path / "fra-eng.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("_about.txt", "about")
            archive.writestr("fra.txt", LINES)
    elif form == "windows":
        path.write_bytes(LINES.replace("\n", "\r\n").encode())
    else:
        path.write_bytes(LINES.encode("utf-8-sig" if form == "byte order mark" else "utf-8"))
    assert read_tab_separated(path) == PAIRS
    loaded = load_tatoeba(path)
    assert loaded.pairs == PAIRS
    assert "CC BY 2.0 FR" in loaded.licence
    assert loaded.notes == ()


def test_tab_separated_names_the_line_that_is_wrong(tmp_path):
    path = tmp_path / "fra.txt"
    path.write_text("Go.\tVa !\nGo.\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"fra\.txt, line 2: expected 2 or 3 columns .* got 1: 'Go\.'"):
        read_tab_separated(path)


def test_zip_without_or_with_several_texts(tmp_path):
    path = tmp_path / "fra-eng.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_about.txt", "about")
    with pytest.raises(ValueError, match=r"expected one \.txt beside _about\.txt, got \[\]"):
        read_tab_separated(path)


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_parallel_files(tmp_path, suffix):
    for language, text in (("de", "Ein Hund.\nZwei Hunde.\n"), ("en", "A dog.\nTwo dogs.")):
        data = text.encode()
        (tmp_path / f"val.{language}{suffix}").write_bytes(gzip.compress(data) if suffix else data)
    expected = [TextPair("Ein Hund.", "A dog."), TextPair("Zwei Hunde.", "Two dogs.")]
    assert read_parallel_files(tmp_path / f"val.de{suffix}", tmp_path / f"val.en{suffix}") == expected
    loaded = load_multi30k("val", folder=tmp_path)
    assert loaded.pairs == expected
    assert "non-commercial" in loaded.licence
    with pytest.raises(ValueError, match=r"folder: expected train\.de or train\.de\.gz"):
        load_multi30k("train", folder=tmp_path)


def test_parallel_files_of_different_lengths(tmp_path):
    (tmp_path / "a").write_text("one\ntwo\n")
    (tmp_path / "b").write_text("eins\n")
    with pytest.raises(ValueError, match="target_path: expected 2 lines as in .* got 1"):
        read_parallel_files(tmp_path / "a", tmp_path / "b")


def test_what_is_fetched_and_what_is_said_about_checksums(tmp_path, monkeypatch):
    fetched = []

    def fake_download(url, path, sha256=None, progress=True):
        fetched.append((url, sha256))
        target = tmp_path / path.name
        target.write_bytes(gzip.compress(b"x\n") if path.suffix == ".gz" else b"x\ty\n")
        if path.suffix == ".zip":
            with zipfile.ZipFile(target, "w") as archive:
                archive.writestr("fra.txt", "x\ty\n")
        return target

    monkeypatch.setattr(parallel_text, "download", fake_download)
    assert load_multi30k("val", "de", "en").notes == ()
    assert fetched[0] == (f"{sources.MULTI30K_URL}/raw/val.de.gz", sources.MULTI30K_SHA256["val.de.gz"])
    assert len(load_multi30k("val", "cs", "en").notes) == 1
    assert fetched[2][1] is None
    assert load_multi30k("val", "fr", "en", tokenized=True).notes[0].startswith("The checksum of https://")
    assert fetched[4][0] == f"{sources.MULTI30K_URL}/tok/val.lc.norm.tok.fr"
    assert "none was compared" in load_tatoeba().notes[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("dev",), "split: expected one of train, val"), (("val", "es"), "language: expected one of en, de, fr, cs")],
)
def test_unknown_split_or_language(arguments, message):
    with pytest.raises(ValueError, match=message):
        load_multi30k(*arguments)
