"""Drafted texts are distributed as those of the large model: by going through all that can be drawn."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.speculative.drafts import (
    accept,
    drawing,
    expected_tokens,
    next_of,
    residual_distribution,
    speculative_write,
)
from transformer_course.language_model import LanguageModel


def table(seed: int, vocab_size: int = 3, zeros: bool = False):
    """A model that looks at the last two tokens: random probabilities, some of them 0."""
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.rand(vocab_size, vocab_size, vocab_size, generator=generator, dtype=torch.float64) ** 3
    if zeros:
        drawn = drawn * (torch.rand(drawn.shape, generator=generator) < 0.6)
        drawn[..., 0] += 0.01
    rows = drawn / drawn.sum(-1, keepdim=True)

    def after(tokens, last):
        padded = [0, *tokens]
        return torch.stack([rows[padded[i - 1], padded[i]] for i in range(len(padded) - last, len(padded))])

    return after


class Branch:
    """Draw as told at first, then take what comes first; remember what else could have been drawn."""

    def __init__(self, told):
        self.told, self.taken, self.probability, self.others = told, [], 1.0, []

    def __call__(self, probabilities):
        if len(self.taken) < len(self.told):
            chosen = self.told[len(self.taken)]
        else:
            chosen, *others = [j for j, p in enumerate(probabilities.tolist()) if p > 0]
            self.others += [[*self.taken, other] for other in others]
        self.taken.append(chosen)
        self.probability *= probabilities[chosen].item()
        return chosen


def all_outcomes(write):
    """Run a program that draws, once for each way the draws can come out: each result with its probability."""
    found, waiting = {}, [[]]
    while waiting:
        branch = Branch(waiting.pop())
        result = tuple(write(branch).tokens)
        found[result] = found.get(result, 0.0) + branch.probability
        waiting += branch.others
    return found


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize(("num_tokens", "num_drafted"), [(1, 2), (2, 1), (3, 2), (3, 5), (2, 0)])
def test_every_text_is_as_probable_as_the_large_model_alone_makes_it(zeros, num_tokens, num_drafted):
    target, draft = table(0, zeros=zeros), table(1, zeros=zeros)
    found = all_outcomes(lambda choose: speculative_write(target, draft, [2], num_tokens, num_drafted, choose))
    assert sum(found.values()) == pytest.approx(1)
    for tokens in itertools.product(range(3), repeat=num_tokens):
        text, expected = [2], 1.0
        for token in tokens:
            expected *= target(text, 1)[0, token].item()
            text.append(token)
        assert found.get((2, *tokens), 0.0) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10_000), st.integers(2, 6))
def test_what_is_kept_and_what_is_drawn_anew_add_up_to_the_target(seed, vocab_size):
    generator = torch.Generator().manual_seed(seed)
    target, draft = torch.rand(2, vocab_size, generator=generator, dtype=torch.float64).softmax(-1)
    kept = torch.minimum(target, draft)
    refused = 1 - kept.sum()
    torch.testing.assert_close(kept + refused * residual_distribution(target, draft), target)


def test_the_same_model_as_draft_is_never_refused():
    target = table(3)
    drawn = speculative_write(target, target, [1], 40, 4, drawing(torch.Generator().manual_seed(0)))
    assert drawn.accepted == drawn.drafted
    assert drawn.passes == 8  # 40 tokens, five a pass
    assert len(drawn.tokens) == 41


def test_a_draft_that_proposes_what_cannot_be_is_always_refused():
    def never(tokens, last):
        return torch.tensor([[0.0, 1.0]]).expand(last, 2)

    def always(tokens, last):
        return torch.tensor([[1.0, 0.0]]).expand(last, 2)

    drawn = speculative_write(always, never, [0], 6, 3, drawing())
    assert (drawn.accepted, drawn.passes, drawn.tokens) == (0, 6, [0] * 7)


def test_the_mean_of_a_pass_by_hand():
    assert expected_tokens(0.8, 3) == pytest.approx(1 + 0.8 + 0.64 + 0.512)
    assert expected_tokens(1.0, 4) == 5
    assert expected_tokens(0.0, 4) == 1


def test_a_language_model_says_what_comes_after_each_of_its_last_tokens():
    torch.manual_seed(0)
    model = LanguageModel(7, d_model=8, num_heads=2, num_layers=1, d_ff=16, max_length=12).eval()
    tokens = [3, 1, 4, 1, 5]
    with torch.no_grad():
        expected = (model(torch.tensor([tokens]))[0, -2:] / 0.7).softmax(-1)
    torch.testing.assert_close(next_of(model, temperature=0.7)(tokens, 2), expected)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="target: expected shape"):
        accept(torch.ones(2, 3) / 3, torch.ones(2, 3) / 3, [0, 1], drawing())
    with pytest.raises(ValueError, match="draft: expected shape"):
        accept(torch.ones(3, 3) / 3, torch.ones(2, 4) / 4, [0, 1], drawing())
    with pytest.raises(ValueError, match="length of the prompt"):
        speculative_write(table(0), table(1), [], 2, 2, drawing())
    with pytest.raises(ValueError, match="num_drafted"):
        speculative_write(table(0), table(1), [1], 2, -1, drawing())
