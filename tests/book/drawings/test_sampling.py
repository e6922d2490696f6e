"""Drawing words: what stays, and with which probability."""

import pytest
import torch

from drawings.sampling import draw_sentences, kept_probabilities, minimum_bayes_risk, overlap
from transformer_course.common.tokens import EOS

LOGITS = torch.tensor([[0.15, 0.5, 0.05, 0.3]]).log()


def test_what_stays():
    torch.testing.assert_close(kept_probabilities(LOGITS), LOGITS.exp())
    torch.testing.assert_close(kept_probabilities(LOGITS, top_k=2), torch.tensor([[0, 0.625, 0, 0.375]]))
    torch.testing.assert_close(kept_probabilities(LOGITS, nucleus=0.81), kept_probabilities(LOGITS, top_k=3))
    torch.testing.assert_close(kept_probabilities(LOGITS, nucleus=0.79), kept_probabilities(LOGITS, top_k=2))
    torch.testing.assert_close(kept_probabilities(LOGITS, nucleus=0.0), torch.tensor([[0.0, 1, 0, 0]]))
    torch.testing.assert_close(kept_probabilities(LOGITS, 0.5), LOGITS.exp() ** 2 / (LOGITS.exp() ** 2).sum())


def test_temperature_comes_before_the_nucleus():
    # Flatter than at 1, so the same nucleus keeps three words in the place of two.
    assert (kept_probabilities(LOGITS, nucleus=0.79) > 0).sum() == 2
    assert (kept_probabilities(LOGITS, 4.0, nucleus=0.79) > 0).sum() == 3


def test_draws_have_these_probabilities():
    def step(tokens, state):
        return LOGITS.expand(len(tokens), -1).roll(3, dims=1) if len(tokens) else LOGITS, state

    generator = torch.Generator().manual_seed(0)
    drawn = draw_sentences(step, torch.zeros(4000, 1), 4000, 1, generator, top_k=2)[:, 0]
    shares = torch.bincount(drawn, minlength=4) / 4000
    torch.testing.assert_close(shares, torch.tensor([0.625, 0, 0.375, 0]), atol=0.03, rtol=0)
    longer = draw_sentences(step, torch.zeros(50, 1), 50, 6, generator)
    ends = (longer == EOS).float().argmax(dim=1)
    assert all((row[end + 1 :] == 0).all() for row, end in zip(longer, ends, strict=True) if EOS in row)


def test_overlap_and_choice():
    assert overlap(["a", "b"], ["a", "b"]) == 1.0
    assert overlap(["a"], ["b"]) == 0.0
    assert overlap([], []) == 1.0
    assert overlap(["a", "b"], ["b", "a"]) == pytest.approx(2 * 2 / 6)
    # The middle one shares something with both neighbours, though it was drawn once only.
    samples = [["a", "b", "x"], ["a", "b", "c"], ["y", "b", "c"]]
    assert minimum_bayes_risk(samples) == ["a", "b", "c"]
    assert minimum_bayes_risk([["z"], ["a"], ["a"]]) == ["a"]


def test_what_is_refused():
    for wrong in ({"temperature": 0.0}, {"top_k": 0}, {"nucleus": 1.5}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            kept_probabilities(LOGITS, **wrong)
    with pytest.raises(ValueError, match="logits"):
        kept_probabilities(torch.tensor([[1, 2]]))
    with pytest.raises(ValueError, match="samples"):
        minimum_bayes_risk([])
