"""The course's models against `transformers`, with the same random weights; nothing is downloaded."""

import json
import os

import pytest
import torch

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers", reason="pip install -r requirements-dev.txt brings transformers")

from course_checks import modern_transformer as checks  # noqa: E402
from experiments.published_weights.llama_layer import load_llama_block  # noqa: E402
from transformer_course.decoding import translate  # noqa: E402
from transformer_course.generation.cached_generation import generate_cached  # noqa: E402
from transformer_course.language_model import generate  # noqa: E402
from transformer_course.masking import causal_mask  # noqa: E402
from transformer_course.modern_transformer import ModernBlock, load_gpt2, load_marian  # noqa: E402
from transformer_course.published.files import GPT2Text, MarianText, read_weights  # noqa: E402
from transformer_course.published.pretrained import pairs_from_halves  # noqa: E402
from transformer_course.training import cli  # noqa: E402

TEXT = [
    "the old house stands near the river , and the small cat sleeps there .",
    "la vieille maison est près de la rivière , et le petit chat y dort .",
    "she reads two books in the garden ; he sees her from the window !",
    "elle lit deux livres dans le jardin ; il la voit de la fenêtre !",
] * 4


def perturbed(model, size=0.1):
    """Fresh weights hide mistakes: biases are zero and gains one. Positions of Marian are computed and stay."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, tensor in (*model.named_parameters(), *model.named_buffers()):
            if "embed_positions" not in name and "inv_freq" not in name:
                tensor.add_(size * torch.randn(tensor.shape, generator=generator))
    return model.eval()


@pytest.fixture(scope="module")
def gpt2():
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=300, n_positions=20, n_embd=48, n_layer=3, n_head=4, n_inner=80, bos_token_id=0, eos_token_id=0
    )
    return perturbed(transformers.GPT2LMHeadModel(config))


@pytest.fixture(scope="module")
def marian():
    torch.manual_seed(0)
    config = transformers.MarianConfig(
        vocab_size=121, d_model=24, encoder_layers=2, decoder_layers=3, encoder_attention_heads=3, encoder_ffn_dim=40,
        decoder_attention_heads=3, decoder_ffn_dim=40, max_position_embeddings=22, activation_function="swish",
        scale_embedding=True, pad_token_id=120, decoder_start_token_id=120, eos_token_id=0, forced_eos_token_id=None,
    )  # fmt: skip
    return perturbed(transformers.MarianMTModel(config))


def test_gpt2_has_the_logits_of_transformers(gpt2):
    tokens = torch.randint(300, (3, 20), generator=torch.Generator().manual_seed(2))
    ours = load_gpt2(gpt2.state_dict(), num_heads=4)
    with torch.no_grad():
        torch.testing.assert_close(ours(tokens), gpt2(tokens).logits, rtol=0, atol=1e-5)
    assert not ours.training


def test_gpt2_in_float64_is_equal_to_the_last_digits_but_those_of_the_hidden_float32(gpt2):
    tokens = torch.randint(300, (2, 9), generator=torch.Generator().manual_seed(2))
    twin = transformers.GPT2LMHeadModel(gpt2.config).double().eval()
    twin.load_state_dict(gpt2.state_dict())
    ours = load_gpt2({name: tensor.double() for name, tensor in gpt2.state_dict().items()}, 4)
    assert ours.token.weight.dtype == torch.float64
    with torch.no_grad():
        torch.testing.assert_close(ours(tokens), twin(tokens).logits)


def test_gpt2_of_twelve_layers_keeps_their_order():
    config = transformers.GPT2Config(vocab_size=30, n_positions=8, n_embd=8, n_layer=12, n_head=2)
    theirs, tokens = perturbed(transformers.GPT2LMHeadModel(config), 0.3), torch.arange(8).unsqueeze(0)
    with torch.no_grad():
        torch.testing.assert_close(load_gpt2(theirs.state_dict(), 2)(tokens), theirs(tokens).logits, rtol=0, atol=2e-5)


def test_gpt2_by_the_other_names_of_published_files(gpt2):
    state, tokens = gpt2.state_dict(), torch.arange(12).unsqueeze(0)
    bare = {name.removeprefix("transformer."): x for name, x in state.items() if name != "lm_head.weight"}
    bare |= {f"h.{i}.attn.bias": torch.ones(1, 1, 20, 20).tril() for i in range(3)}
    assert torch.equal(load_gpt2(bare, 4)(tokens), load_gpt2(state, 4)(tokens))


def test_the_number_of_heads_of_the_published_sizes():
    config = transformers.GPT2Config(vocab_size=20, n_positions=6, n_embd=128, n_layer=1, n_head=2)
    theirs, tokens = perturbed(transformers.GPT2LMHeadModel(config)), torch.arange(6).unsqueeze(0)
    with torch.no_grad():
        torch.testing.assert_close(load_gpt2(theirs.state_dict())(tokens), theirs(tokens).logits, rtol=0, atol=1e-5)


def test_weights_are_copies(gpt2):
    state = {name: tensor.clone() for name, tensor in gpt2.state_dict().items()}
    ours = load_gpt2(state, 4)
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter.zero_()
    assert all(torch.equal(tensor, state[name]) for name, tensor in gpt2.state_dict().items())


def without(state, name):
    return {each: tensor for each, tensor in state.items() if each != name}


def transposed(state, name):
    return {**state, name: state[name].T}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: without(s, "transformer.h.1.ln_2.bias"), "the name transformer.h.1.ln_2.bias"),
        (lambda s: without(s, "transformer.wpe.weight"), "transformer.wpe.weight: expected a matrix"),
        (lambda s: {**s, "score.weight": torch.ones(2, 48)}, "got score.weight"),
        (lambda s: {**s, "transformer.h.3.ln_1.bias": torch.ones(48)}, "and 10 more"),
        (lambda s: transposed(s, "transformer.h.2.mlp.c_proj.weight"), r"c_proj.weight: expected shape \(80, 48\)"),
        (lambda s: {**s, "lm_head.weight": s["lm_head.weight"] + 1}, "lm_head.weight: expected the same numbers"),
    ],
)
def test_other_state_dicts_than_a_gpt2s_are_refused(gpt2, change, words):
    with pytest.raises(ValueError, match=words):
        load_gpt2(change(gpt2.state_dict()), 4)
    with pytest.raises(ValueError, match="num_heads: expected a divisor"):
        load_gpt2(gpt2.state_dict(), 5)
    with pytest.raises(ValueError, match="num_heads"):
        load_gpt2(gpt2.state_dict())  # d_model is less than the width of one head of a published GPT-2


def batch_of_pairs():
    source = torch.tensor([[5, 8, 3, 77, 0], [9, 4, 0, 120, 120], [1, 0, 120, 120, 120]])
    target = torch.tensor([[120, 7, 30, 0], [120, 8, 0, 120], [120, 99, 98, 97]])
    return source, target


def test_marian_has_the_logits_of_transformers(marian):
    source, target = batch_of_pairs()
    ours = load_marian(marian.state_dict(), marian.config.to_dict())
    with torch.no_grad():
        theirs = marian(input_ids=source, attention_mask=source != 120, decoder_input_ids=target).logits
        torch.testing.assert_close(ours(source, target), theirs, rtol=0, atol=1e-5)
    assert (ours.bos_id, ours.eos_id, ours.pad_id) == (120, 0, 120)


@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_marian_with_another_activation(marian, activation):
    config = {**marian.config.to_dict(), "activation_function": activation}
    theirs = transformers.MarianMTModel(transformers.MarianConfig.from_dict(config)).eval()
    theirs.load_state_dict(marian.state_dict())
    source, target = batch_of_pairs()
    with torch.no_grad():
        logits = theirs(input_ids=source, attention_mask=source != 120, decoder_input_ids=target).logits
        ours = load_marian(theirs.state_dict(), config)(source, target)
    torch.testing.assert_close(ours, logits, rtol=0, atol=1e-5)


def test_translate_writes_what_transformers_writes(marian):
    source, _ = batch_of_pairs()
    ours = load_marian(marian.state_dict(), marian.config.to_dict())
    theirs = marian.generate(
        source, attention_mask=(source != 120).long(), num_beams=1, do_sample=False, max_new_tokens=12,
        bad_words_ids=[[120]],
    )[:, 1:]  # fmt: skip
    assert torch.equal(translate(ours, source, 12), theirs)


def test_cached_steps_give_the_logits_of_decode(marian):
    source, target = batch_of_pairs()
    ours = load_marian(marian.state_dict(), marian.config.to_dict())
    with torch.no_grad():
        expected, state = ours(source, target), ours.start_decoding(source)
        for place in range(target.shape[1]):
            logits, state = ours.decode_step(target[:, place], state)
            assert (logits[:, 120] == -torch.inf).all()
            torch.testing.assert_close(logits[:, :120], expected[:, place, :120])


def test_beam_search_ends_with_marians_own_end(marian):
    source, _ = batch_of_pairs()
    ours = load_marian(marian.state_dict(), marian.config.to_dict())
    for row in translate(ours, source, 8, beam_width=3).tolist():
        words = row[: row.index(0) + 1] if 0 in row else row
        assert 120 not in words
        assert set(row[len(words) :]) <= {120}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scale_embedding": False}, "expected scale_embedding = True"),
        ({"normalize_before": True}, "expected normalize_before = False"),
        ({"decoder_ffn_dim": 41}, "decoder_ffn_dim = encoder_ffn_dim = 40, got 41"),
        ({"activation_function": "tanh"}, "activation_function from swish, silu"),
        ({"pad_token_id": None}, "config: expected pad_token_id"),
        ({"encoder_layers": 3}, "the name model.encoder.layers.2.self_attn.q_proj.weight and 15 more"),
        ({"d_model": 48}, r"model.shared.weight: expected shape \(121, 48\), got \(121, 24\)"),
    ],
)
def test_other_configurations_are_refused(marian, change, words):
    with pytest.raises(ValueError, match=words):
        load_marian(marian.state_dict(), {**marian.config.to_dict(), **change})


def test_a_table_of_marian_that_is_not_shared_is_refused(marian):
    state = {**marian.state_dict(), "lm_head.weight": torch.zeros(121, 24)}
    with pytest.raises(ValueError, match="lm_head.weight: expected the same numbers as in model.shared.weight"):
        load_marian(state, marian.config.to_dict())
    state = without(without(marian.state_dict(), "model.shared.weight"), "final_logits_bias")
    with pytest.raises(ValueError, match="final_logits_bias"):
        load_marian(state, marian.config.to_dict())


@pytest.mark.parametrize("which", ["visible", "hidden"])
def test_the_models_of_the_checks_are_those_of_transformers(gpt2, marian, which):
    for requirement in checks.load_gpt2.requirements:
        for case in getattr(requirement, which):
            if not case.arguments():
                continue  # a probe
            state, heads, tokens = case.arguments()
            d_ff, d_model = len(state["transformer.h.0.mlp.c_fc.bias"]), state["transformer.wte.weight"].shape[1]
            layers = sum(name.endswith("ln_1.bias") for name in state)
            config = transformers.GPT2Config(
                vocab_size=len(state["transformer.wte.weight"]), n_positions=len(state["transformer.wpe.weight"]),
                n_embd=d_model, n_layer=layers, n_head=heads, n_inner=d_ff, bos_token_id=0, eos_token_id=0,
            )  # fmt: skip
            theirs = transformers.GPT2LMHeadModel(config).eval()
            theirs.load_state_dict(state | {"lm_head.weight": state["transformer.wte.weight"]})
            with torch.no_grad():
                found = checks.load_gpt2._oracle(state, heads)(tokens)
                torch.testing.assert_close(found, theirs(tokens).logits, rtol=1e-4, atol=2e-5)
    for requirement in checks.load_marian.requirements:
        for case in getattr(requirement, which):
            if len(case.arguments()) != 4:
                continue
            state, config, source, target = case.arguments()
            theirs = transformers.MarianMTModel(transformers.MarianConfig(**config)).eval()
            missing, surplus = theirs.load_state_dict(state, strict=False)
            assert not surplus
            assert all(
                name.endswith(("embed_positions.weight", "embed_tokens.weight", "lm_head.weight")) for name in missing
            )
            mask = source != config["pad_token_id"]
            with torch.no_grad():
                expected = theirs(input_ids=source, attention_mask=mask, decoder_input_ids=target).logits
                found = checks.load_marian._oracle(state, config)(source, target)
            torch.testing.assert_close(found, expected, rtol=1e-4, atol=2e-5)


def test_the_steps_of_the_stretch_are_those_of_the_block():
    tried = [case for case in checks.cached_step.cases if case.arguments()[2:] == (None,)]
    assert len(tried) == 2  # with a cache, what the words before were is not known
    for case in tried:
        parts, words, cache = case.arguments()
        block = ModernBlock(words.shape[2], parts.num_heads, parts.num_groups, parts.w_up.out_features)
        block.load_state_dict(parts.state_dict())
        found = case.observe(checks.cached_step._oracle, parts, words, cache)["words"]
        torch.testing.assert_close(found, block(words, causal_mask(words.shape[1])))


def layer_of(name, **sizes):
    config = getattr(transformers, f"{name}Config")(
        hidden_size=24, intermediate_size=36, num_hidden_layers=1, num_attention_heads=6, vocab_size=10, **sizes
    )
    return perturbed(getattr(transformers, f"{name}Model")(config), 0.3).double()


@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize(("base", "eps"), [(10_000.0, 1e-6), (500_000.0, 1e-5)])
def test_the_block_is_a_layer_of_llama(groups, base, eps):
    theirs = layer_of(
        "Llama",
        num_key_value_heads=groups,
        rms_norm_eps=eps,
        rope_parameters={"rope_type": "default", "rope_theta": base},
    )
    require_same_layer(theirs, base, eps)


def test_the_block_with_norms_of_queries_and_keys_is_a_layer_of_qwen3():
    theirs = layer_of(
        "Qwen3", num_key_value_heads=2, head_dim=4, rope_parameters={"rope_type": "default", "rope_theta": 1000.0}
    )
    require_same_layer(theirs, 1000.0, theirs.config.rms_norm_eps)


def require_same_layer(theirs, base, eps):
    layer, x = theirs.layers[0], torch.randn(2, 7, 24, dtype=torch.float64)
    places = torch.tensor([0, 1, 2, 5, 8, 9, 400])
    hidden = torch.zeros(7, 7, dtype=torch.float64).masked_fill(~causal_mask(7), -torch.inf)[None, None]
    turns = theirs.rotary_emb(x, places[None])
    with torch.no_grad():
        expected = layer(x, attention_mask=hidden, position_ids=places[None], position_embeddings=turns)
        expected = expected[0] if isinstance(expected, tuple) else expected
        ours = load_llama_block(layer.state_dict(), 6, base, eps)(x, causal_mask(7), places)
    # Their norms and angles are computed in float32, whatever the numbers.
    torch.testing.assert_close(ours, expected, rtol=0, atol=2e-5)


def test_rows_of_halves_become_pairs():
    rows = torch.arange(12)
    assert pairs_from_halves(rows, 2).tolist() == [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]
    with pytest.raises(ValueError, match=r"2 \* num_heads: expected a divisor of rows = 12"):
        pairs_from_halves(rows, 4 * 2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: without(s, "mlp.up_proj.weight"), "the name mlp.up_proj.weight"),
        (lambda s: without(s, "self_attn.k_proj.weight"), "k_proj.weight: expected a matrix"),
        (lambda s: {**s, "self_attn.q_proj.bias": torch.ones(24)}, "got self_attn.q_proj.bias"),
        (lambda s: {**s, "self_attn.k_proj.weight": torch.ones(20, 24)}, "rows for groups of 6 heads"),
        (lambda s: transposed(s, "mlp.down_proj.weight"), "down_proj.weight: expected shape"),
    ],
)
def test_other_layers_than_a_llamas_are_refused(change, words):
    state = layer_of("Llama", num_key_value_heads=2).layers[0].state_dict()
    with pytest.raises(ValueError, match=words):
        load_llama_block(change(state), 6)


@pytest.fixture(scope="module")
def gpt2_folder(tmp_path_factory, gpt2):
    """A folder as GPT-2 is published, with byte pairs that are learned here."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    folder = tmp_path_factory.mktemp("gpt2")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<|endoftext|>"], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(TEXT, trainer)
    tokenizer.model.save(str(folder))
    tokenizer.save(str(folder / "tokenizer.json"))
    gpt2.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def marian_folder(tmp_path_factory, marian):
    """A folder as Marian's models are published: ids are not the numbers of the pieces."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="pip install -r requirements-weights.txt brings it")
    folder = tmp_path_factory.mktemp("marian")
    pieces = []
    for side, texts in (("source", TEXT[0::2]), ("target", TEXT[1::2])):
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts), model_prefix=str(folder / side), vocab_size=70, minloglevel=2,
            hard_vocab_limit=False,
        )  # fmt: skip
        (folder / f"{side}.model").rename(folder / f"{side}.spm")
        model = sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{side}.spm"))
        pieces += [model.id_to_piece(i) for i in range(3, model.get_piece_size())]
    pieces = ["</s>", "<unk>", *sorted(set(pieces)), ">>fra<<"][:120]
    ids = {piece: i for i, piece in enumerate([*pieces, *(f"<{i}>" for i in range(len(pieces), 120)), "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    marian.save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kept", [("tokenizer.json",), ("vocab.json", "merges.txt")])
@pytest.mark.parametrize("text", ["the small cat", " two  books\n", "naïve 12€", "unknown <|endoftext|> end"])
def test_byte_pairs_are_those_of_transformers(gpt2_folder, tmp_path, kept, text):
    for name in kept:
        (tmp_path / name).write_bytes((gpt2_folder / name).read_bytes())
    theirs = transformers.GPT2TokenizerFast.from_pretrained(gpt2_folder)
    ours = GPT2Text(tmp_path)
    if "<|" not in text or kept[0] == "tokenizer.json":  # in the older files the end of a text is no text
        assert ours.encode(text) == theirs(text)["input_ids"]
    assert ours.decode(ours.encode(text)) == text


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")
@pytest.mark.parametrize(
    "text", ["the small cat sleeps there .", "she xyz the Garden", ">>fra<< the river", "a << b", ""]
)
def test_pieces_are_those_of_transformers(marian_folder, marian, text):
    theirs = transformers.MarianTokenizer.from_pretrained(marian_folder)
    ours = MarianText(marian_folder, marian.config.to_dict())
    assert ours.encode(text) == theirs(text)["input_ids"]
    ids = [5, 17, 9, 44, 3, 61, 0, 8]
    assert ours.decode(ids) == theirs.decode(ids[:6], skip_special_tokens=True)
    assert ours.decode([120, *ids[:6]]) == ours.decode(ids)


def test_a_folder_is_read_as_transformers_reads_it(gpt2_folder, gpt2):
    state, config = read_weights(gpt2_folder)
    assert config["n_head"] == 4
    tokens = torch.arange(7).unsqueeze(0)
    with torch.no_grad():
        torch.testing.assert_close(load_gpt2(state, 4)(tokens), gpt2(tokens).logits, rtol=0, atol=1e-5)


def test_what_is_pickled_is_not_opened(gpt2_folder, gpt2, tmp_path, monkeypatch):
    (tmp_path / "config.json").write_bytes((gpt2_folder / "config.json").read_bytes())
    torch.save(gpt2.state_dict(), tmp_path / "pytorch_model.bin")
    monkeypatch.setattr(torch, "load", None)
    with pytest.raises(
        ValueError, match=r"expected model.safetensors .*, got none \(a .bin file is there; it could run"
    ):
        read_weights(tmp_path)


def test_what_is_missing_in_a_folder_is_said(gpt2_folder, tmp_path, monkeypatch):
    def refused(words):
        with pytest.raises(ValueError, match=words):
            read_weights(folder)

    folder = tmp_path / "none"
    refused("expected a folder with config.json")
    folder = tmp_path
    refused("config.json, got none")
    (folder / "config.json").write_text("no JSON")
    refused("is no JSON")
    (folder / "config.json").write_text("{}")
    refused("expected model.safetensors in .*, got none$")
    (folder / "model.safetensors").write_text("no weights")
    refused("model.safetensors is no safetensors file, or is damaged")
    (folder / "model.safetensors.index.json").write_text('{"weight_map": {"wte": "model-2.safetensors"}}')
    refused("expected the file model-2.safetensors")
    with pytest.raises(ValueError, match="expected tokenizer.json, or vocab.json and merges.txt"):
        GPT2Text(tmp_path)
    with pytest.raises(ValueError, match=r"vocab.json, got none"):
        MarianText(tmp_path, {"eos_token_id": 0, "pad_token_id": 1})


@torch.no_grad()
def test_the_command_generates_what_transformers_generates(gpt2_folder, gpt2, capsys):
    theirs = transformers.GPT2TokenizerFast.from_pretrained(gpt2_folder)
    prompt = theirs("the small cat", return_tensors="pt")
    written = gpt2.generate(**prompt, do_sample=False, max_new_tokens=9, pad_token_id=0)[0]
    command = ["generate", "--weights", str(gpt2_folder), "--device", "cpu", "the small cat", "--length", "9"]
    assert cli.main([*command, "--temperature", "0"]) == 0
    assert capsys.readouterr().out == theirs.decode(written, skip_special_tokens=True) + "\n"
    assert cli.main([*command, "--seed", "3"]) == 0
    once = capsys.readouterr().out
    assert cli.main([*command, "--seed", "3"]) == 0
    assert capsys.readouterr().out == once


def test_generate_of_chapter_13_and_with_a_cache(gpt2):
    ours, prompt = load_gpt2(gpt2.state_dict(), 4), torch.arange(5).unsqueeze(0)
    theirs = gpt2.generate(
        prompt, attention_mask=torch.ones_like(prompt), do_sample=False, max_new_tokens=12, pad_token_id=0,
        eos_token_id=None,
    )  # fmt: skip
    assert torch.equal(generate(ours, prompt, 12, temperature=0), theirs)
    assert torch.equal(generate_cached(ours, prompt, 12, temperature=0), theirs)


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")
def test_the_command_translates_what_transformers_translates(marian_folder, marian, capsys, monkeypatch):
    theirs = transformers.MarianTokenizer.from_pretrained(marian_folder)
    sentences = ["the small cat sleeps .", "she reads two books ."]
    expected = []
    for sentence in sentences:
        source = theirs([sentence], return_tensors="pt")
        written = marian.generate(**source, num_beams=1, do_sample=False, max_new_tokens=22, bad_words_ids=[[120]])
        expected.append(theirs.decode(written[0], skip_special_tokens=True))
    command = ["translate", "--weights", str(marian_folder), "--device", "cpu"]
    assert cli.main([*command, sentences[0]]) == 0
    assert capsys.readouterr().out == expected[0] + "\n"
    monkeypatch.setattr("sys.stdin", iter([f"{sentence}\n" for sentence in sentences]))
    assert cli.main(command) == 0
    assert capsys.readouterr().out == "\n".join(expected) + "\n"
    assert cli.main([*command, sentences[0], "--beam-width", "2"]) == 0


def test_the_commands_say_what_they_need(gpt2_folder, marian_folder, capsys, tmp_path):
    def said(*command):
        assert cli.main([*command, "--device", "cpu"]) == 2
        return capsys.readouterr().err

    assert "expected a Marian" in said("translate", "--weights", str(gpt2_folder), "the cat")
    assert "expected a GPT-2" in said("generate", "--weights", str(marian_folder), "the cat")
    assert "expected a folder" in said("generate", "--weights", str(tmp_path / "gpt2"), "the cat")
    assert "prompt: expected 1 or more tokens in a row, got 0" in said("generate", "--weights", str(gpt2_folder), "")
    both = ("--weights", str(gpt2_folder), "--run", str(tmp_path))
    assert "either --weights or --run" in said("generate", *both)
    picture = ("--attention", str(tmp_path / "a.svg"))
    assert "expected no drawing" in said("translate", "--weights", str(marian_folder), *picture, "the cat")
