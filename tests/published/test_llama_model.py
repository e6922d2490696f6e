"""Whole models of the family of Llama against `transformers`, with random weights; nothing is downloaded."""

import importlib.util
import json
import os
from pathlib import Path

import pytest
import torch

os.environ["HF_HUB_OFFLINE"] = "1"
pytest.importorskip("transformers", reason="pip install -r requirements-dev.txt brings transformers")

from transformer_course.published.files import read_weights
from transformer_course.published.llama_model import load_llama
from transformer_course.published.modern_language_model import Writer

# Tests are imported by their paths, so a module beside them is too.
spec = importlib.util.spec_from_file_location("tiny", Path(__file__).with_name("tiny.py"))
tiny = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiny)

TOKENS = torch.randint(300, (2, 19), generator=torch.Generator().manual_seed(2))


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("kind", ["llama", "qwen2", "qwen3", "mistral"])
def test_logits_are_those_of_transformers(kind, tied):
    theirs = tiny.tiny(kind, tied)
    ours = load_llama(theirs.state_dict(), theirs.config.to_dict())
    with torch.no_grad():
        torch.testing.assert_close(ours(TOKENS), theirs(TOKENS).logits, rtol=0, atol=2e-5)
    assert not ours.training


def test_a_folder_as_the_hubs_have_it_also_in_parts_and_in_bfloat16(tmp_path):
    theirs = tiny.tiny("llama", tied=False).to(torch.bfloat16)
    theirs.save_pretrained(tmp_path, max_shard_size="20KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 1
    ours = load_llama(*read_weights(tmp_path))
    # The angles of `theirs` have been rounded to bfloat16 too: read anew, they are not.
    theirs = type(theirs).from_pretrained(tmp_path, dtype=torch.float32)
    with torch.no_grad():
        torch.testing.assert_close(ours(TOKENS), theirs(TOKENS).logits, rtol=0, atol=2e-5)


@pytest.mark.parametrize("cuts", [(19,), (1,) * 19, (5, 1, 13)])
def test_read_piece_by_piece_is_read_at_once(cuts):
    theirs = tiny.tiny("qwen2", tied=True)
    ours, caches, start = load_llama(theirs.state_dict(), theirs.config.to_dict()), None, 0
    for length in cuts:
        logits, caches = ours.read(TOKENS[:, start : start + length], caches)
        start += length
        with torch.no_grad():
            expected = theirs(TOKENS[:, :start]).logits[:, -1]
        torch.testing.assert_close(logits, expected, rtol=0, atol=2e-5)
    assert [key.shape for key, _ in caches] == [(2, 2, 19, 8)] * 3


def test_a_writer_writes_what_transformers_writes_and_reads_again_only_what_changed(monkeypatch):
    theirs = tiny.tiny("llama", tied=True)
    ours, prompt = load_llama(theirs.state_dict(), theirs.config.to_dict()), TOKENS[:1]
    expected = theirs.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=12, do_sample=False)
    writer, read = Writer(ours), []
    once = ours.read
    monkeypatch.setattr(ours, "read", lambda tokens, caches: read.append(tokens.shape[1]) or once(tokens, caches))
    found = list(writer.write(prompt[0].tolist(), 12, temperature=0))
    end = expected[0, 19:].tolist()
    assert found == (end[: end.index(2)] if 2 in end else end)
    assert read == [19] + [1] * (len(read) - 1)
    other = [*prompt[0, :10].tolist(), 7, 8]  # the first ten are known
    logits = writer.read(other)
    assert read[-1] == 2
    with torch.no_grad():
        torch.testing.assert_close(logits, theirs(torch.tensor([other])).logits[0, -1], rtol=0, atol=2e-5)
    torch.testing.assert_close(writer.read(other), logits)  # nothing new: its last token is read again
    assert read[-1] == 1


def test_a_writer_stops_at_the_end_of_a_text_and_of_the_window():
    theirs = tiny.tiny("llama", tied=True)
    ours = load_llama(theirs.state_dict(), theirs.config.to_dict())
    first = next(Writer(ours).write([5, 6], 9, temperature=0))
    assert list(Writer(ours).write([5, 6], 9, end_ids=[first], temperature=0)) == []
    assert len(list(Writer(ours).write([5] * 60, 9))) == 4
    with pytest.raises(ValueError, match="1 to max_length = 64, got 65"):
        Writer(ours).read([5] * 65)
    with pytest.raises(ValueError, match="got 0"):
        Writer(ours).read([])
    with pytest.raises(ValueError, match="ids from 0 to 299, got 300"):
        ours(torch.tensor([[300]]))
    with pytest.raises(ValueError, match="at least one"):
        ours.read(torch.empty(1, 0, dtype=torch.long))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model_type": "gpt2"}, "model_type from llama, mistral, qwen2, qwen3, got 'gpt2'"),
        ({"intermediate_size": None}, "expected intermediate_size"),
        ({"rope_parameters": {"rope_type": "llama3", "rope_theta": 1.0}}, "another rope_type"),
        ({"hidden_act": "gelu"}, "hidden_act silu"),
        ({"attention_bias": True}, "without biases"),
        ({"num_key_value_heads": 3}, "num_key_value_heads: expected a divisor"),
        ({"head_dim": 16}, "head_dim = 8, got 16"),
        ({"vocab_size": 301}, r"model.embed_tokens.weight: expected shape \(301, 32\)"),
        ({"num_hidden_layers": 4}, "the name model.layers.3"),
        ({"num_hidden_layers": 2}, "got model.layers.2"),
    ],
)
def test_other_models_are_refused_in_one_sentence(change, words):
    theirs = tiny.tiny("llama", tied=True)
    config = json.loads(json.dumps(theirs.config.to_dict())) | change
    with pytest.raises(ValueError, match=words) as refused:
        load_llama(theirs.state_dict(), config)
    assert "\n" not in str(refused.value)
