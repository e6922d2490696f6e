"""The four special tokens, the same in every unit, and the vocabulary that numbers all other words."""

from collections import Counter
from collections.abc import Iterable, Sequence

PAD, BOS, EOS, UNK = 0, 1, 2, 3
SPECIAL_WORDS = ("<pad>", "<bos>", "<eos>", "<unk>")


class Vocabulary:
    """Words and their ids. Ids 0 to 3 are the special tokens; every unknown word is ``UNK``.

    Args:
        words: the words from id 4 on, each once.

    Raises:
        ValueError: if a word comes twice or is the text of a special token.

    >>> vocabulary = Vocabulary.from_sentences([["the", "cat", "sees", "the", "owl"]])
    >>> vocabulary.encode(["the", "owl", "laughs"])
    [4, 6, 3]
    >>> vocabulary.decode([1, 4, 6, 2, 4])
    ['the', 'owl']
    """

    def __init__(self, words: Sequence[str]):
        self.words = (*SPECIAL_WORDS, *words)
        self.ids = {word: number for number, word in enumerate(self.words)}
        if len(self.ids) != len(self.words):
            repeated = next(word for word, count in Counter(self.words).items() if count > 1)
            raise ValueError(f"words: expected each word once and no special token, got {repeated!r} again")

    @classmethod
    def from_sentences(
        cls, sentences: Iterable[Sequence[str]], max_size: int | None = None, min_count: int = 1
    ) -> "Vocabulary":
        """Collect the words of sentences, the most frequent first, equally frequent ones in alphabetical order.

        Args:
            sentences: sentences as sequences of words; those of the training split only.
            max_size: at most so many ids, the four special tokens included. None = no limit.
            min_count: a word must occur at least so often.

        Returns:
            The vocabulary.

        Raises:
            ValueError: if a sentence is a string, max_size is below 4 or min_count below 1.
        """
        if max_size is not None and max_size < len(SPECIAL_WORDS):
            raise ValueError(f"max_size: expected at least 4 (the special tokens), got {max_size}")
        if min_count < 1:
            raise ValueError(f"min_count: expected at least 1, got {min_count}")
        counts: Counter[str] = Counter()
        for sentence in sentences:
            counts.update(_words(sentence, "sentences"))
        for special in SPECIAL_WORDS:
            counts.pop(special, None)
        frequent = [word for word, count in counts.items() if count >= min_count]
        frequent.sort(key=lambda word: (-counts[word], word))
        return cls(frequent if max_size is None else frequent[: max_size - len(SPECIAL_WORDS)])

    def encode(self, words: Sequence[str]) -> list[int]:
        """Turn words into ids; unknown words, and texts of special tokens, become ``UNK``. No BOS, no EOS.

        Raises:
            ValueError: if words is one string instead of a sequence of words.
        """
        numbers = (self.ids.get(word, UNK) for word in _words(words, "words"))
        return [number if number > UNK else UNK for number in numbers]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Turn ids into words, up to the first EOS; PAD and BOS are left out.

        Raises:
            ValueError: if an id is not from 0 to the size of the vocabulary.
        """
        words = []
        for number in map(int, ids):
            if number == EOS:
                break
            if not 0 <= number < len(self.words):
                raise ValueError(f"ids: expected numbers from 0 to {len(self.words) - 1}, got {number}")
            if number not in (PAD, BOS):
                words.append(self.words[number])
        return words

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return self.ids.get(word, UNK) > UNK


def _words(sentence: Sequence[str], name: str) -> Sequence[str]:
    if isinstance(sentence, str):
        raise ValueError(f"{name}: expected a sequence of words, got one string {sentence!r}; split it first")
    return sentence
