import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.generation.cached_generation import generate_cached
from transformer_course.language_model import (
    LanguageModel,
    filter_logits,
    generate,
    induction_score,
    next_token_batch,
    sample_token,
)

SIZES = {"vocab_size": 11, "d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 20, "max_length": 9}


@pytest.fixture
def model():
    torch.manual_seed(0)
    made = LanguageModel(**SIZES).double()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.normal_(std=0.4)
    return made


def torch_layers(model: LanguageModel) -> nn.TransformerEncoder:
    """torch's encoder with the weights of the blocks; the causal mask is handed to it."""
    layers = []
    for block in model.blocks:
        layer = nn.TransformerEncoderLayer(
            12, 3, 20, 0.0, activation="gelu", batch_first=True, norm_first=True, dtype=torch.float64
        )
        attention = block.self_attention
        projections = (attention.w_query, attention.w_key, attention.w_value)
        with torch.no_grad():
            layer.self_attn.in_proj_weight.copy_(torch.cat([w.weight for w in projections]))
            layer.self_attn.in_proj_bias.copy_(torch.cat([w.bias for w in projections]))
        layer.self_attn.out_proj.load_state_dict(attention.w_output.state_dict())
        for ours, theirs in (("feed_forward.linear_1", "linear1"), ("feed_forward.linear_2", "linear2"),
                             ("norm_1", "norm1"), ("norm_2", "norm2")):  # fmt: skip
            layer.get_submodule(theirs).load_state_dict(block.get_submodule(ours).state_dict())
        layers.append(layer)
    encoder = nn.TransformerEncoder(layers[0], len(layers), enable_nested_tensor=False)
    encoder.layers = nn.ModuleList(layers)
    return encoder


def test_a_gpt_is_torchs_encoder_under_a_causal_mask(model):
    tokens = torch.randint(11, (4, 7))
    x = F.embedding(tokens, model.token.weight) + model.position.weight[:7]
    mask = nn.Transformer.generate_square_subsequent_mask(7, dtype=torch.float64)
    x = torch_layers(model)(x, mask=mask)
    expected = F.layer_norm(x, (12,), model.norm.weight, model.norm.bias) @ model.token.weight.T
    torch.testing.assert_close(model(tokens), expected)


def test_a_language_model_gives_gradients_as_torch_does(model):
    tokens = torch.randint(11, (2, 6))
    model(tokens).square().sum().backward()
    ours = model.token.weight.grad.clone()
    model.zero_grad()
    x = model.token(tokens) + model.position.weight[:6]
    mask = nn.Transformer.generate_square_subsequent_mask(6, dtype=torch.float64)
    (model.norm(torch_layers(model)(x, mask=mask)) @ model.token.weight.T).square().sum().backward()
    torch.testing.assert_close(ours, model.token.weight.grad)


def test_no_position_feels_a_later_token(model):
    tokens = torch.randint(11, (2, 9))
    before = model(tokens)
    for place in range(1, 9):
        other = tokens.clone()
        other[:, place] = (tokens[:, place] + 3) % 11
        assert torch.equal(model(other)[:, :place], before[:, :place])
        assert not torch.equal(model(other)[:, place:], before[:, place:])


def test_parameters_have_the_names_of_the_contract(model):
    first = {name.split(".")[0] for name, _ in model.named_parameters()}
    assert first == {"token", "position", "blocks", "norm"}
    assert model.token.weight.shape == (11, 12)
    assert model.position.weight.shape == (9, 12)


def test_a_fresh_model_finds_all_tokens_about_equally_likely():
    torch.manual_seed(1)
    fresh = LanguageModel(65)
    tokens = torch.randint(65, (4, 100))
    loss = F.cross_entropy(fresh(tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()).item()
    assert loss == pytest.approx(math.log(65), abs=0.1)


def test_dropout_falls_in_training_only():
    torch.manual_seed(2)
    dropping = LanguageModel(**SIZES, dropout=0.5)
    tokens = torch.randint(11, (2, 5))
    assert not torch.equal(dropping(tokens), dropping(tokens))
    dropping.eval()
    assert torch.equal(dropping(tokens), dropping(tokens))


def test_labels_are_the_inputs_one_later():
    text = torch.arange(50, 90)
    inputs, labels = next_token_batch(text, torch.tensor([0, 35, 7]), 4)
    assert inputs.tolist() == [[50, 51, 52, 53], [85, 86, 87, 88], [57, 58, 59, 60]]
    assert torch.equal(labels, inputs + 1)
    assert next_token_batch(text, torch.zeros(0, dtype=torch.long), 4)[0].shape == (0, 4)


@pytest.mark.parametrize(
    ("starts", "length", "name"),
    [([36], 4, "starts"), ([-1], 4, "starts"), ([0], 0, "length"), ([[0]], 3, "starts"), ([0.0], 3, "starts")],
)
def test_pieces_outside_the_text_are_refused(starts, length, name):
    with pytest.raises(ValueError, match=name):
        next_token_batch(torch.arange(40), torch.tensor(starts), length)


def kept_by_hand(row: list[float], top_k: int | None, top_p: float | None) -> set[int]:
    order = sorted(range(len(row)), key=lambda i: (-row[i], i))[: top_k or len(row)]
    weights = {i: math.exp(row[i]) for i in order}
    total, kept, sum_so_far = sum(weights.values()), [], 0.0
    for i in order:
        if not kept or top_p is None or sum_so_far < top_p:
            kept.append(i)
            sum_so_far += weights[i] / total
    return set(kept)


@pytest.mark.parametrize("top_k", [None, 1, 3, 50])
@pytest.mark.parametrize("top_p", [None, 0.0, 0.35, 0.8, 1.0])
def test_the_tail_is_dropped_as_by_hand(top_k, top_p):
    torch.manual_seed(3)
    logits = torch.randn(2, 5, 7, dtype=torch.float64)
    logits[0, 0] = torch.tensor([1.0, 2.0, 2.0, 1.0, 2.0, 0.0, 1.0])  # ties
    filtered = filter_logits(logits, top_k, top_p)
    assert filtered.shape == logits.shape
    for row, found in zip(logits.reshape(-1, 7), filtered.reshape(-1, 7), strict=True):
        kept = kept_by_hand(row.tolist(), top_k, top_p)
        assert {i for i in range(7) if found[i] > -math.inf} == kept
        assert all(found[i] == row[i] for i in kept)


def test_a_token_with_a_probability_too_small_for_a_float_can_stay_among_the_best():
    assert filter_logits(torch.tensor([0.0, 1000.0, -1000.0]), top_k=2).tolist() == [0.0, 1000.0, -math.inf]


def test_the_whole_probability_drops_nothing_though_sums_are_rounded():
    logits = torch.linspace(0, -60, 2000)  # the first 300 or so add up to 1 in this precision
    assert torch.equal(filter_logits(logits, top_p=1.0), logits)


def test_tokens_are_drawn_as_often_as_they_are_probable():
    probabilities = torch.tensor([0.1, 0.6, 0.0, 0.3])
    rows = probabilities.log().expand(20_000, 4)
    drawn = sample_token(rows, generator=torch.Generator().manual_seed(4)).bincount(minlength=4) / 20_000
    torch.testing.assert_close(drawn, probabilities, atol=0.015, rtol=0)  # five standard deviations
    hot = sample_token(rows, 2.0, generator=torch.Generator().manual_seed(4)).bincount(minlength=4) / 20_000
    torch.testing.assert_close(hot, probabilities.sqrt() / probabilities.sqrt().sum(), atol=0.018, rtol=0)
    two = sample_token(rows, top_k=2, generator=torch.Generator().manual_seed(4))
    assert set(two.tolist()) == {1, 3}


def test_temperature_zero_takes_the_best_and_the_lower_of_two():
    assert sample_token(torch.tensor([[0.0, 5.0, 5.0], [2.0, 1.0, 0.0]]), temperature=0).tolist() == [1, 0]


def test_a_text_goes_on_as_the_model_says_word_by_word(model):
    prompt = torch.randint(11, (2, 3))
    written = generate(model, prompt, 10, temperature=0)
    assert written.shape == (2, 13)
    assert torch.equal(written[:, :3], prompt)
    for row in written:
        for end in range(3, 13):
            seen = row[max(0, end - 9) : end]
            assert row[end] == model(seen.unsqueeze(0))[0, -1].argmax()


def test_modes_are_left_as_they_were(model):
    model.train()
    model.blocks[0].eval()
    generate(model, torch.zeros(1, 1, dtype=torch.long), 2)
    assert model.training
    assert not model.blocks[0].training
    assert model.blocks[1].training
    with pytest.raises(IndexError):
        generate(model, torch.full((1, 1), 99), 2)
    assert model.training


def test_nothing_is_appended_and_no_gradient_kept(model):
    prompt = torch.tensor([[1, 2]])
    assert torch.equal(generate(model, prompt, 0), prompt)
    assert not generate(model, prompt, 3).requires_grad
    with pytest.raises(ValueError, match="prompt"):
        generate(model, prompt[:, :0], 3)


@pytest.mark.parametrize("how", [{"temperature": 0}, {"temperature": 0.8, "top_k": 5}, {"top_p": 0.9}])
def test_with_a_cache_the_same_text_is_written_beyond_the_window_too(model, how):
    prompt = torch.randint(11, (3, 4))
    both = [
        write(model, prompt, 12, **how, generator=torch.Generator().manual_seed(5))
        for write in (generate, generate_cached)
    ]
    assert torch.equal(*both)
    assert both[0].shape == (3, 16)


def test_induction_score_by_hand():
    tokens = torch.tensor([7, 8, 7, 7, 9, 8])
    weights = torch.rand(6, 6, dtype=torch.float64).tril()
    # Positions 2, 3 and 5 have seen their token: last at 0, 2 and 1, so they should look at 1, 3 and 2.
    expected = (weights[2, 1] + weights[3, 3] + weights[5, 2]).item() / 3
    assert induction_score(weights, tokens) == pytest.approx(expected)
    assert induction_score(weights[:2, :2], tokens[:2]) == 0.0
    perfect = torch.zeros(6, 6).scatter(1, torch.tensor([[0], [0], [1], [3], [0], [2]]), 1.0)
    assert induction_score(perfect, tokens) == 1.0
    with pytest.raises(ValueError, match="weights"):
        induction_score(weights[:3], tokens)


LOGITS, TOKENS, MAPS = torch.zeros(2, 5), torch.zeros(1, 3, dtype=torch.long), torch.zeros(3, 3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: LanguageModel(0), "vocab_size: expected an integer of at least 1, got 0"),
        (lambda: LanguageModel(5, num_layers=0), "num_layers: expected an integer of at least 1, got 0"),
        (lambda: LanguageModel(5, max_length=0), "max_length: expected an integer of at least 1, got 0"),
        (lambda: LanguageModel(5, max_length=2)(TOKENS), "tokens: expected at most max_length = 2, got 3"),
        (lambda: LanguageModel(5)(TOKENS[0]), r"tokens: expected shape \(batch, length\), got \(3,\)"),
        (lambda: LanguageModel(5)(TOKENS.float()), "tokens: expected dtype torch.int64, got torch.float32"),
        (lambda: filter_logits(LOGITS.long()), "logits: expected a floating dtype"),
        (lambda: filter_logits(LOGITS[0, 0]), r"logits: expected at least 1 dimension\(s\)"),
        (lambda: filter_logits(LOGITS, top_k=0), "top_k: expected an integer of at least 1, got 0"),
        (lambda: filter_logits(LOGITS, top_p=-0.1), "top_p: expected a number from 0 to 1, got -0.1"),
        (lambda: filter_logits(LOGITS, top_p=1.1), "top_p: expected a number from 0 to 1, got 1.1"),
        (lambda: sample_token(LOGITS[0]), r"logits: expected shape \(batch, vocab_size\)"),
        (lambda: sample_token(LOGITS, temperature=-0.5), "temperature: expected a number of at least 0, got -0.5"),
        (lambda: sample_token(LOGITS, 0, top_k=0), "top_k: expected an integer of at least 1, got 0"),
        (lambda: generate(LanguageModel(5), TOKENS, -1), "num_tokens: expected an integer of at least 0, got -1"),
        (lambda: generate(LanguageModel(5), TOKENS[0], 1), "prompt: expected shape"),
        (lambda: induction_score(MAPS, TOKENS), r"tokens: expected shape \(length,\)"),
        (lambda: induction_score(MAPS.long(), TOKENS[0]), "weights: expected a floating dtype"),
        (lambda: induction_score(MAPS[:, :2], TOKENS[0]), r"weights: expected shape \(3, 3\), got \(3, 2\)"),
    ],
)
def test_what_does_not_fit_is_refused(call, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        call()
