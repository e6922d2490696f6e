"""Byte-pair encoding of real text, by the library ``tokenizers``.

Source: Sennrich et al. (2016), "Neural Machine Translation of Rare Words with Subword Units".
"""

from collections.abc import Iterable
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from transformer_course.common.tokens import BOS, EOS, PAD, SPECIAL_WORDS, UNK


class BytePairs:
    """Text to ids and back. Ids 0 to 3 are the special tokens of the course; every text can be encoded.

    Train one on both languages together (joint, for tied embeddings) or one for each, always on the training split
    only.
    """

    def __init__(self, tokenizer: Tokenizer):
        self._tokenizer = tokenizer

    @classmethod
    def train(cls, texts: Iterable[str], vocab_size: int = 4_000) -> "BytePairs":
        """Learn merges from the texts of the training split.

        Args:
            texts: sentences; for a joint vocabulary those of both languages.
            vocab_size: number of ids: 4 special tokens, 256 bytes, and the merges.

        Returns:
            The encoding.

        Raises:
            ValueError: if vocab_size leaves no room for the special tokens and the bytes.
        """
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        least = len(SPECIAL_WORDS) + len(alphabet)
        if vocab_size < least:
            raise ValueError(f"vocab_size: expected at least {least} (special tokens and bytes), got {vocab_size}")
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size,
            special_tokens=list(SPECIAL_WORDS),
            initial_alphabet=sorted(alphabet),
            show_progress=False,
        )
        tokenizer.train_from_iterator(texts, trainer)
        # The course sets its special tokens itself: "<eos>" inside a text is text.
        tokenizer.encode_special_tokens = True
        return cls(tokenizer)

    def encode(self, text: str) -> list[int]:
        """Turn text into ids, without BOS and EOS."""
        return self._tokenizer.encode(text, add_special_tokens=False).ids

    def decode(self, ids: Iterable[int]) -> str:
        """Turn ids into text, up to the first EOS; PAD, BOS and UNK are left out."""
        kept = []
        for number in map(int, ids):
            if number == EOS:
                break
            if number not in (PAD, BOS, UNK):
                kept.append(number)
        return self._tokenizer.decode(kept, skip_special_tokens=False)

    def pieces(self, text: str) -> list[str]:
        """Return the pieces of a text as they are read: what each id stands for."""
        return [self._tokenizer.decode([number], skip_special_tokens=False) for number in self.encode(text)]

    def save(self, path: Path | str) -> None:
        """Write the encoding to a JSON file."""
        self._tokenizer.save(str(path))

    @classmethod
    def load(cls, path: Path | str) -> "BytePairs":
        """Read an encoding that ``save`` wrote."""
        tokenizer = Tokenizer.from_file(str(path))
        tokenizer.encode_special_tokens = True
        return cls(tokenizer)

    def to_json(self) -> str:
        """Return the encoding as the text that ``save`` writes."""
        return self._tokenizer.to_str()

    @classmethod
    def from_json(cls, text: str) -> "BytePairs":
        """Make an encoding from the text of ``to_json``."""
        tokenizer = Tokenizer.from_str(text)
        tokenizer.encode_special_tokens = True
        return cls(tokenizer)

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()
