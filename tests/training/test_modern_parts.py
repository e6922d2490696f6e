import pytest
import torch

from transformer_course.language_model import LanguageModel
from transformer_course.modern_transformer import rotate
from transformer_course.training.modern_parts import BASE, SIZES, VARIANTS, Turn, make_model

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
