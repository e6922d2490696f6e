"""The vocabulary: ids by hand, unknown words, and what it refuses."""

import pytest
import torch

from transformer_course.common.tokens import BOS, EOS, PAD, UNK, Vocabulary

SENTENCES = [["le", "chat", "dort"], ["le", "hibou", "voit", "le", "chat"]]


def test_ids_by_hand_most_frequent_first_then_alphabetical():
    vocabulary = Vocabulary.from_sentences(SENTENCES)
    assert (PAD, BOS, EOS, UNK) == (0, 1, 2, 3)
    assert vocabulary.encode(["le", "chat", "dort", "hibou", "voit"]) == [4, 5, 6, 7, 8]
    assert len(vocabulary) == 9


def test_round_trip_and_what_decode_leaves_out():
    vocabulary = Vocabulary.from_sentences(SENTENCES)
    for sentence in SENTENCES:
        assert vocabulary.decode(vocabulary.encode(sentence)) == sentence
    assert vocabulary.decode([BOS, 4, PAD, 5, EOS, 6]) == ["le", "chat"]
    assert vocabulary.decode(torch.tensor([4, UNK, 5])) == ["le", "<unk>", "chat"]
    assert vocabulary.decode([]) == []
    assert vocabulary.encode([]) == []


def test_unknown_words_and_texts_of_special_tokens_are_unk():
    vocabulary = Vocabulary.from_sentences([*SENTENCES, ["<eos>", "<pad>"]])
    assert vocabulary.encode(["chien", "<eos>", "<pad>", "chat"]) == [UNK, UNK, UNK, 5]
    assert len(vocabulary) == 9
    assert "chat" in vocabulary
    assert "chien" not in vocabulary
    assert "<eos>" not in vocabulary


def test_limits():
    assert Vocabulary.from_sentences(SENTENCES, max_size=6).words[4:] == ("le", "chat")
    assert Vocabulary.from_sentences(SENTENCES, min_count=2).words[4:] == ("le", "chat")
    assert len(Vocabulary.from_sentences([])) == 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Vocabulary.from_sentences(["le chat"]), "sentences: expected a sequence of words, got one string"),
        (lambda: Vocabulary.from_sentences(SENTENCES, max_size=3), "max_size: expected at least 4 .* got 3"),
        (lambda: Vocabulary.from_sentences(SENTENCES, min_count=0), "min_count: expected at least 1, got 0"),
        (lambda: Vocabulary(["a", "b", "a"]), "words: expected each word once .* got 'a' again"),
        (lambda: Vocabulary(["<bos>"]), "words: expected each word once .* got '<bos>' again"),
        (lambda: Vocabulary(["a"]).encode("a"), "words: expected a sequence of words"),
        (lambda: Vocabulary(["a"]).decode([5]), "ids: expected numbers from 0 to 4, got 5"),
        (lambda: Vocabulary(["a"]).decode([-1]), "ids: expected numbers from 0 to 4, got -1"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()
