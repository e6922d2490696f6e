"""Sentences with a relative clause behind the subject: right, new, short, of the corpus's words and pairs."""

import pytest

from transformer_course.data.agreement_pairs import draw_groups, labelled
from transformer_course.data.clause_text import draw_clause_sentences
from transformer_course.data.corpus import load_corpus
from transformer_course.data.lexicon import NOUNS

NUMBER = {noun.english: "singular" for noun in NOUNS} | {noun.english_plural: "plural" for noun in NOUNS}


@pytest.fixture(scope="module")
def sentences():
    return draw_clause_sentences(1500, 0)


def test_none_twice_none_too_long_each_with_a_relative_word(sentences):
    assert len(sentences) == len(set(sentences)) == 1500
    for words in sentences:
        assert 5 <= len(words) <= 12
        assert words[-1] == "."
        assert {"who", "that", "where"} & set(words)


def test_is_and_are_at_the_end_agree_with_the_first_noun(sentences):
    # "... is happy .": the last verb of the sentence belongs to the subject, which comes first.
    checked = 0
    for words in sentences:
        verbs = [word for word in words if word in ("is", "are")]
        if len(verbs) == 1 and words[-3] == verbs[0]:
            subject = next(NUMBER[word] for word in words if word in NUMBER)
            assert subject == {"is": "singular", "are": "plural"}[verbs[0]], " ".join(words)
            checked += 1
    assert checked > 50


def test_they_use_words_of_the_corpus(sentences):
    known = {word for pair in load_corpus(num_train=3000, num_validation=0, num_test=0).train for word in pair.source}
    assert {word for words in sentences for word in words} <= known


def test_the_same_seed_and_what_is_avoided(sentences):
    assert draw_clause_sentences(20, 0) == sentences[:20]
    assert draw_clause_sentences(20, 1) != sentences[:20]
    assert set(draw_clause_sentences(100, 0, avoid=set(sentences))).isdisjoint(sentences)
    test = labelled(draw_groups(100, 1, set(sentences)))[0]
    assert set(test).isdisjoint(sentences)


@pytest.mark.parametrize("change", [{"number": -1}, {"longest": 3}])
def test_refusals(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        draw_clause_sentences(**{"number": 1, "seed": 0, **change})
