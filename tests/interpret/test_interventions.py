"""Changing one thing inside a model: what changes is that, and nothing stays changed."""

from contextlib import ExitStack

import pytest
import torch

from transformer_course.inside_attention import head_importance
from transformer_course.interpret.interventions import head_says, weights_changed, what_heads_say
from transformer_course.multi_head_attention import MultiHeadAttention


@pytest.fixture
def attention():
    torch.manual_seed(1)
    return MultiHeadAttention(12, 3).double()


X = torch.randn(2, 5, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(2))


def test_a_silenced_head_is_one_whose_columns_nobody_reads(attention):
    target = torch.randn(2, 5, 12, dtype=torch.float64)

    def score():
        return -(attention(X, X, X)[0] - target).square().sum().item()

    complete = score()
    (drop,) = head_importance([(attention, 1)], score)
    with head_says(attention, 1, 0.0):
        silenced = score()
    assert complete - silenced == pytest.approx(drop, rel=1e-10)
    assert score() == complete


def test_what_a_head_said_put_back_changes_nothing_and_all_heads_of_another_sentence_are_that_sentence(attention):
    whole = attention(X, X, X)[0]
    with what_heads_say(attention) as said:
        attention(X, X, X)
    with head_says(attention, 2, said[0][:, :, 2]):
        torch.testing.assert_close(attention(X, X, X)[0], whole)
    other = X.flip(0)
    with ExitStack() as stack:
        for head in range(3):
            stack.enter_context(head_says(attention, head, said[0][:, :, head]))
        torch.testing.assert_close(attention(other, other, other)[0], whole)


def test_weights_that_are_not_changed_change_nothing_and_even_ones_give_the_mean(attention):
    whole = attention(X, X, X)[0]
    with weights_changed(attention, lambda weights: weights):
        torch.testing.assert_close(attention(X, X, X, need_weights=False)[0], whole)
    with weights_changed(attention, lambda weights: torch.full_like(weights, 1 / 5)):
        output, weights = attention(X, X, X, need_weights=False)
    values = attention.w_value(X).mean(dim=1, keepdim=True).expand(2, 5, 12)
    torch.testing.assert_close(output, attention.w_output(values))
    assert (weights == 1 / 5).all()
    assert attention(X, X, X, need_weights=False)[1] is None
