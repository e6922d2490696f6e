"""Between the words of a sentence and the ids of a model: a vocabulary of words, or byte pairs for real text."""

from collections.abc import Iterable, Sequence

from transformer_course.common.tokens import SPECIAL_WORDS, Vocabulary
from transformer_course.data.byte_pairs import BytePairs


class BytePairWords:
    """Byte pairs with the interface of a `Vocabulary`: words in, words out; every word can be written.

    Args:
        byte_pairs: the encoding.
    """

    def __init__(self, byte_pairs: BytePairs):
        self.byte_pairs = byte_pairs

    def encode(self, words: Sequence[str]) -> list[int]:
        """Turn words into the ids of their pieces, without BOS and EOS."""
        return self.byte_pairs.encode(" ".join(words))

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Turn ids into words, up to the first EOS."""
        return self.byte_pairs.decode(ids).split()

    def __len__(self) -> int:
        return len(self.byte_pairs)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str)


Coder = Vocabulary | BytePairWords


def coder_to_dict(coder: Coder) -> dict:
    """Describe a coder by plain values, for a checkpoint."""
    if isinstance(coder, BytePairWords):
        return {"byte_pairs": coder.byte_pairs.to_json()}
    return {"words": list(coder.words[len(SPECIAL_WORDS) :])}


def coder_from_dict(description: dict) -> Coder:
    """Make a coder from its description."""
    if "byte_pairs" in description:
        return BytePairWords(BytePairs.from_json(description["byte_pairs"]))
    return Vocabulary(description["words"])
