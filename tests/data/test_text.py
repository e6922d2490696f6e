"""What a person types, and what a person reads."""

import pytest

from transformer_course.data.text import join_words, split_english


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The owl sleeps.", "the owl sleeps ."),
        ("I don\N{RIGHT SINGLE QUOTATION MARK}t see Emma's cat", "I do not see Emma 's cat ."),
        ("WHY can't i sing?", "why can not I sing ?"),
        ("Paul won't see the kings' horses.", "Paul will not see the kings ' horses ."),
        ("Tomorrow, she'll sing", "tomorrow , she will sing ."),
        ("", ""),
    ],
)
def test_split(text, words):
    assert split_english(text) == tuple(words.split())


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("l' ami d' Emma n' a pas ri .", "L'ami d'Emma n'a pas ri."),
        ("qu' est-ce qu' il voit ?", "Qu'est-ce qu'il voit ?"),
        ("j' ai vu Louis , aujourd'hui .", "J'ai vu Louis, aujourd'hui."),
        ("Emma 's cat sees the kings ' owls .", "Emma's cat sees the kings' owls."),
        ("", ""),
    ],
)
def test_join(words, text):
    assert join_words(words.split()) == text
