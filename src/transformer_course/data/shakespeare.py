"""Tiny Shakespeare: 1,115,394 characters of plays, shipped with the course, for models of characters.

Source: the text is that of William Shakespeare's plays, in the public domain, as collected in the repository
karpathy/char-rnn (``data/tinyshakespeare/input.txt``; Karpathy 2015, "The Unreasonable Effectiveness of Recurrent
Neural Networks"), unchanged: md5 6fb458f1232090904fb40fe944165e91. It lies beside this file, compressed.
"""

import bz2
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import torch
from torch import Tensor

FILE = "tiny_shakespeare.txt.bz2"
MD5 = "6fb458f1232090904fb40fe944165e91"
TRAINING_SHARE = 0.9


@dataclass(frozen=True)
class Characters:
    """A vocabulary of single characters; a token is the place of a character in it.

    Args:
        symbols: all characters, each once.
    """

    symbols: str

    def __len__(self) -> int:
        return len(self.symbols)

    def encode(self, text: str) -> Tensor:
        """Turn a text into token ids ``(length,)``, int64.

        Raises:
            ValueError: if it has a character that the vocabulary has not.
        """
        unknown = sorted(set(text) - set(self.symbols))
        if unknown:
            raise ValueError(f"text: expected only characters of the vocabulary, got {', '.join(map(repr, unknown))}")
        place = {symbol: i for i, symbol in enumerate(self.symbols)}
        return torch.tensor([place[symbol] for symbol in text], dtype=torch.long)

    def decode(self, tokens: Tensor) -> str:
        """Turn token ids ``(length,)`` into a text."""
        return "".join(self.symbols[token] for token in tokens.tolist())


@dataclass(frozen=True)
class Shakespeare:
    """The text, cut in order: the first 90 % to train on, the rest to measure on.

    Args:
        characters: the vocabulary, in the order of Unicode.
        train: token ids ``(num_tokens,)``.
        validation: token ids ``(num_tokens,)``.
    """

    characters: Characters
    train: Tensor
    validation: Tensor


@cache
def shakespeare_text() -> str:
    """Return the whole text."""
    return bz2.decompress(files(__package__).joinpath(FILE).read_bytes()).decode("utf-8")


def load_shakespeare() -> Shakespeare:
    """Return the text as token ids, in its two parts.

    >>> data = load_shakespeare()
    >>> len(data.characters), len(data.train), len(data.validation)
    (65, 1003854, 111540)
    >>> data.characters.decode(data.train[:14])
    'First Citizen:'
    """
    text = shakespeare_text()
    characters = Characters("".join(sorted(set(text))))
    tokens = characters.encode(text)
    end = int(TRAINING_SHARE * len(tokens))
    return Shakespeare(characters, tokens[:end], tokens[end:])
