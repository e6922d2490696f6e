"""GGUF files, written here with the `gguf` package from models of `transformers`, and damaged ones."""

import importlib.util
import os
from pathlib import Path

import pytest
import torch

os.environ["HF_HUB_OFFLINE"] = "1"
pytest.importorskip("transformers", reason="pip install -r requirements-dev.txt brings transformers")
pytest.importorskip("gguf", reason="pip install -r requirements-weights.txt brings gguf")

from transformer_course.published.gguf_file import read_gguf

spec = importlib.util.spec_from_file_location("tiny", Path(__file__).with_name("tiny.py"))
tiny = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiny)

TOKENS = torch.randint(300, (2, 19), generator=torch.Generator().manual_seed(2))


@pytest.mark.parametrize(("kind", "tied"), [("llama", True), ("llama", False), ("qwen2", True), ("qwen3", False)])
def test_a_file_holds_the_model_that_was_written(tmp_path, kind, tied):
    theirs = tiny.tiny(kind, tied)
    tiny.write_gguf(tmp_path / "model.gguf", theirs, kind)
    seen = []
    found = read_gguf(tmp_path / "model.gguf", lambda tensors: map(lambda x: seen.append(x.name) or x, tensors))
    with torch.no_grad():
        torch.testing.assert_close(found.model(TOKENS), theirs(TOKENS).logits, rtol=0, atol=2e-5)
    assert len(seen) == len(theirs.state_dict()) - tied
    assert found.text.end_ids == {2}


def test_weights_of_eight_bits_are_near_the_ones_that_were_written(tmp_path):
    theirs = tiny.tiny("llama", tied=True)
    tiny.write_gguf(tmp_path / "model.gguf", theirs, quantised=True)
    found = read_gguf(tmp_path / "model.gguf").model
    exact = theirs.model.layers[1].mlp.down_proj.weight
    error = (found.blocks[1].w_down.weight - exact).abs().max() / exact.abs().max()
    assert 0 < error < 1 / 127
    assert found.token.weight.dtype == torch.float32


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("hello", ["hello"]),
        ("hell winx", ["hell", "Ġw", "in", "x"]),
        ("12", ["1", "2"]),  # digits stand alone, though there is a token for the pair
        ("a\nb", ["a", "Ċ", "b"]),
        ("é", ["Ã", "©"]),
        ("<|im_end|>x", ["<|im_end|>", "x"]),
    ],
)
def test_text_is_cut_as_the_file_says(tmp_path, text, pieces):
    tiny.write_gguf(tmp_path / "model.gguf", tiny.tiny("llama", tied=True))
    ours = read_gguf(tmp_path / "model.gguf").text
    ids = [tiny.byte_table().index(piece) for piece in pieces]
    assert ours.encode(text) == ids
    assert ours.decode(ids) == text
    assert "".join(ours.stream(ids)) == text


def test_bytes_wait_for_their_character(tmp_path):
    tiny.write_gguf(tmp_path / "model.gguf", tiny.tiny("llama", tied=True))
    ours = read_gguf(tmp_path / "model.gguf").text
    assert list(ours.stream(ours.encode("aé€!"))) == ["a", "é", "€", "!"]
    assert list(ours.stream(ours.encode("aé")[:-1])) == ["a", "\ufffd"]


def damaged(path: Path, size: int) -> Path:
    shorter = path.with_name("damaged.gguf")
    shorter.write_bytes(path.read_bytes()[:size])
    return shorter


@pytest.mark.parametrize("share", [0.0, 0.0002, 0.01, 0.2, 0.5, 0.999])
def test_a_damaged_file_gives_one_sentence(tmp_path, share):
    path = tmp_path / "model.gguf"
    tiny.write_gguf(path, tiny.tiny("llama", tied=True))
    with pytest.raises(ValueError, match="^weights: ") as refused:
        read_gguf(damaged(path, int(share * path.stat().st_size)))
    assert "\n" not in str(refused.value)


def test_foreign_files_give_one_sentence(tmp_path):
    with pytest.raises(ValueError, match="got none"):
        read_gguf(tmp_path / "model.gguf")
    (tmp_path / "other.gguf").write_bytes(b"PK\x03\x04" * 99)
    with pytest.raises(ValueError, match="is no GGUF file"):
        read_gguf(tmp_path / "other.gguf")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"architecture": "gemma"}, "of the kind llama, qwen2 or qwen3, got 'gemma'"),
        ({"feed_forward_length": None}, "expected llama.feed_forward_length"),
        ({"feed_forward_length": 65}, r"blocks.0.w_gate.weight: expected shape \(65, 32\), got \(64, 32\)"),
        ({"block_count": 2}, "got blocks.2"),
        ({"block_count": 4}, "the name blocks.3"),
        ({"attention.head_count": 5}, "num_attention_heads: expected a divisor"),
        ({"pre": "tekken"}, "expected to cut text as one of gpt-2, smollm, qwen2, got 'tekken'"),
        ({"tokenizer": "llama"}, "pairs of bytes, as in GPT-2, got 'llama'"),
    ],
)
def test_files_of_other_models_give_one_sentence(tmp_path, change, words):
    tiny.write_gguf(tmp_path / "model.gguf", tiny.tiny("llama", tied=True), **change)
    with pytest.raises(ValueError, match=words):
        read_gguf(tmp_path / "model.gguf")
