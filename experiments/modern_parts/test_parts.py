import pytest
import torch

from experiments.modern_parts.parts import (
    BASE,
    SIZES,
    VARIANTS,
    Turn,
    make_model,
    make_translator,
)
from transformer_course.decoding import translate
from transformer_course.language_model import LanguageModel
from transformer_course.modern_transformer import rotate
from transformer_course.training.ladder.models import small_transformer

TOKENS = torch.arange(40).view(2, 20)


def test_the_base_is_the_model_of_chapter_13():
    torch.manual_seed(0)
    expected = LanguageModel(65, **SIZES)
    torch.manual_seed(0)
    assert torch.equal(make_model(BASE, 65)(TOKENS), expected(TOKENS))


def test_turns_are_those_of_the_library():
    x = torch.randn(2, 3, 20, 8)
    torch.testing.assert_close(Turn(64, 8)(x), rotate(x, torch.arange(20)))


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_causal_and_has_what_it_says(name):
    torch.manual_seed(0)
    model, changed = make_model(name, 65).eval(), TOKENS.clone()
    changed[:, 12:] = 3
    torch.testing.assert_close(model(TOKENS)[:, :12], model(changed)[:, :12])
    names = {each for each, _ in model.named_parameters()}
    assert any(each.endswith("bias") for each in names) == ("no biases" not in VARIANTS[name])
    assert any(each.startswith("position") for each in names) == ("rotary" not in VARIANTS[name])
    assert any("norm_query" in each for each in names) == ("qk norm" in VARIANTS[name])


def test_the_base_of_the_translators_is_the_transformer_of_the_ladder():
    source, target = torch.arange(4, 16).view(2, 6), torch.arange(4, 14).view(2, 5)
    torch.manual_seed(0)
    expected = small_transformer(20, 30)
    torch.manual_seed(0)
    assert torch.equal(make_translator(BASE, 20, 30)(source, target), expected(source, target))


@pytest.mark.parametrize("name", VARIANTS)
def test_a_translator_has_the_parts_and_hides_what_comes_later(name):
    torch.manual_seed(0)
    model = make_translator(name, 20, 30).eval()
    source, target = torch.arange(4, 16).view(2, 6), torch.arange(4, 14).view(2, 5)
    logits, changed = model(source, target), target.clone()
    changed[:, 3:] = 7
    torch.testing.assert_close(model(source, changed)[:, :3], logits[:, :3])
    assert not torch.allclose(model(source.flip(1), target), logits)  # it knows where the words of the source stand
    padded = torch.cat([source, torch.zeros(2, 3, dtype=torch.long)], dim=1)
    torch.testing.assert_close(model(padded, target), logits)
    # Padding in front moves every word of the source: only where places are nothing but distances is that the same.
    moved = torch.cat([torch.zeros(2, 3, dtype=torch.long), source], dim=1)
    assert torch.allclose(model(moved, target), logits, atol=1e-5) == ("rotary" in VARIANTS[name])
    first = translate(model, source, 4)[:, 0]
    torch.testing.assert_close(first, model(source, torch.ones(2, 1, dtype=torch.long))[:, -1].argmax(-1))
    blocks = [*model.encoder_blocks, *model.decoder_blocks]
    attentions = [each for block in blocks for each in block.modules() if hasattr(each, "w_key")]
    assert len(attentions) == 6
    assert {each.w_key.out_features for each in attentions} == {64 if "groups" in VARIANTS[name] else 128}
    names = [each for each, _ in model.named_parameters()]
    assert sum("norm_query" in each for each in names) == (6 if "qk norm" in VARIANTS[name] else 0)
    assert sum("gate.weight" in each for each in names) == (4 if "swiglu" in VARIANTS[name] else 0)
    assert sum(type(each).__name__ == "LayerNorm" for each in model.modules()) == (
        0 if "rms norm" in VARIANTS[name] else 12
    )
    assert any(each.endswith("bias") for each in names) == ("no biases" not in VARIANTS[name])
