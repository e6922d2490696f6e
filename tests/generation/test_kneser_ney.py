import math
from collections import Counter

import pytest
import torch

from transformer_course.generation.kneser_ney import KneserNey


def by_hand(tokens: list[int], order: int, vocab_size: int, context: list[int], word: int) -> float:
    """Modified Kneser-Ney from its definition, with dictionaries."""

    def grams(length: int) -> Counter:
        if length == order:
            return Counter(tuple(tokens[i : i + length]) for i in range(len(tokens) - length + 1))
        return Counter(gram[1:] for gram in grams(length + 1))

    def probability(length: int) -> float:
        if length == 0:
            return 1 / vocab_size
        counts = grams(length)
        occur = Counter(counts.values())
        n1, n2, n3, n4 = (occur[i] for i in (1, 2, 3, 4))
        if 0 in (n1, n2, n3, n4):
            discounts = [0.5] * 3
        else:
            y = n1 / (n1 + 2 * n2)
            discounts = [1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3]
            discounts = [min(max(d, 0), i) for i, d in enumerate(discounts, start=1)]
        before = tuple(context[len(context) - length + 1 :])
        after = {gram[-1]: count for gram, count in counts.items() if gram[:-1] == before}
        if not after:
            return probability(length - 1)
        total = sum(after.values())
        taken = sum(discounts[min(count, 3) - 1] for count in after.values())
        own = after[word] - discounts[min(after[word], 3) - 1] if word in after else 0.0
        return own / total + taken / total * probability(length - 1)

    return probability(min(order, len(context) + 1))


@pytest.fixture(scope="module")
def text():
    generator = torch.Generator().manual_seed(0)
    return (torch.rand(400, generator=generator) ** 2 * 5).long()


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_probabilities_are_those_of_the_definition(text, order):
    model = KneserNey(text, order, 6)
    for context in ([], [0], [1, 2], [4, 4, 0], [5, 1, 0], [3, 2, 1, 0]):
        found = model.next_probabilities(torch.tensor(context, dtype=torch.long))
        expected = [by_hand(text.tolist(), order, 6, context, word) for word in range(6)]
        torch.testing.assert_close(found, torch.tensor(expected, dtype=torch.float64))
        assert found.sum().item() == pytest.approx(1)


def test_a_text_gets_the_probabilities_of_its_tokens(text):
    model = KneserNey(text, 3, 6)
    new = torch.tensor([0, 1, 5, 0, 2, 2])
    found = model.probabilities_of(new)
    expected = [model.next_probabilities(new[:i])[new[i]].item() for i in range(6)]
    assert found.tolist() == pytest.approx(expected)


def test_a_token_that_never_occurred_is_possible(text):
    found = KneserNey(text, 4, 6).next_probabilities(text[:10])
    assert 0 < found[5] < 0.01
    assert math.isclose(found.sum(), 1)


def test_writing_goes_on_with_the_prompt(text):
    model = KneserNey(text, 3, 6)
    written = model.write(text[:5], 8, torch.Generator().manual_seed(1))
    assert written.shape == (13,)
    assert torch.equal(written[:5], text[:5])


def test_n_grams_that_do_not_fit_into_64_bits_are_refused(text):
    with pytest.raises(ValueError, match="order"):
        KneserNey(text, 30, 65)
