"""Byte pairs: special ids, round trip of any text, the training split only, save and load."""

import pytest

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.data.byte_pairs import BytePairs

TRAIN = [
    "The little owl sleeps.",
    "La petite chouette dort.",
    "The little owl sings.",
    "La petite chouette chante.",
] * 5


@pytest.fixture(scope="module")
def encoding():
    return BytePairs.train(TRAIN, vocab_size=300)


def test_frequent_words_are_few_pieces(encoding):
    assert len(encoding) == 300
    text = TRAIN[0]
    assert len(encoding.encode(text)) < len(text) / 2
    assert "".join(encoding.pieces(text)) == text
    assert min(encoding.encode(text)) > 3


@pytest.mark.parametrize("text", ["", " ", "Ein Vögelchen, 鳥 und 🦉!", "<eos> is text <pad>", "a  b\tc\n", "l'île"])
def test_every_text_comes_back(encoding, text):
    assert encoding.decode(encoding.encode(text)) == text
    assert all(number > 3 for number in encoding.encode(text))


def test_decode_stops_at_eos_and_skips_padding(encoding):
    ids = encoding.encode("owl")
    assert encoding.decode([BOS, *ids, PAD, EOS, *ids]) == "owl"


def test_save_and_load(encoding, tmp_path):
    encoding.save(tmp_path / "pairs.json")
    loaded = BytePairs.load(tmp_path / "pairs.json")
    for text in ("The owl is not in the list: 🦉", "<eos>"):
        assert loaded.encode(text) == encoding.encode(text)
        assert loaded.decode(loaded.encode(text)) == text


def test_training_is_repeatable_and_refuses_too_few_ids(encoding):
    assert BytePairs.train(TRAIN, vocab_size=300).encode("chouettes") == encoding.encode("chouettes")
    with pytest.raises(ValueError, match="vocab_size: expected at least 260"):
        BytePairs.train(TRAIN, vocab_size=259)
