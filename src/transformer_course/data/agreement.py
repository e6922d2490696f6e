"""A language that is learned in seconds, with gold alignments: noun phrases whose articles agree with the noun.

Chapter 03. The French article and the adjective depend on the noun's gender, and some adjectives change places with it.
"""

import random

from torch import Tensor

from transformer_course.common.tokens import BOS, EOS, Vocabulary
from transformer_course.sequence_transduction import pad_sequences

NOUNS = {
    "cat": ("chat", 0),
    "dog": ("chien", 0),
    "king": ("roi", 0),
    "mouse": ("souris", 1),
    "owl": ("chouette", 1),
    "queen": ("reine", 1),
}
"""French, and 0 for masculine, 1 for feminine."""

ADJECTIVES = {
    "black": ("noir", "noire", 1),
    "tired": ("fatigué", "fatiguée", 1),
    "small": ("petit", "petite", 0),
    "old": ("vieux", "vieille", 0),
}
"""Masculine, feminine, and 1 if it stands behind the noun."""

LINKING = {"and": "et", "sees": "voit", "follows": "suit"}
ARTICLES = ("le", "la")

SOURCE_WORDS = Vocabulary(["the", *NOUNS, *ADJECTIVES, *LINKING])
TARGET_WORDS = Vocabulary(
    [
        *ARTICLES,
        *LINKING.values(),
        *(french for french, _ in NOUNS.values()),
        *(form for forms in ADJECTIVES.values() for form in forms[:2]),
    ]
)

Pair = tuple[list[str], list[str], set[tuple[int, int]]]
"""English words, French words, and the gold links (target, source)."""


def draw_pair(rng: random.Random, most: int = 2) -> Pair:
    """Draw one sentence of 1 to ``most`` noun phrases.

    Args:
        rng: makes the sentences repeatable.
        most: the most noun phrases in it; every number is equally likely.

    Returns:
        English words, French words, and the gold links (target, source), both counted from 0.
    """
    source, target, links = [], [], set()

    def say(french: str, origin: int) -> None:
        links.add((len(target), origin))
        target.append(french)

    for phrase in range(rng.randint(1, most)):
        if phrase:
            source.append(rng.choice(list(LINKING)))
            say(LINKING[source[-1]], len(source) - 1)
        noun, adjective = rng.choice(list(NOUNS)), rng.choice([None, *ADJECTIVES])
        french, gender = NOUNS[noun]
        the = len(source)
        source += ["the", adjective, noun] if adjective else ["the", noun]
        say(ARTICLES[gender], the)
        words = [(french, len(source) - 1)]
        if adjective:
            words.insert(ADJECTIVES[adjective][2], (ADJECTIVES[adjective][gender], the + 1))
        for word, origin in words:
            say(word, origin)
    return source, target, links


def as_tensors(pairs: list[Pair]) -> tuple[Tensor, Tensor]:
    """Number the words.

    Args:
        pairs: as from :func:`draw_pair`.

    Returns:
        Sources with EOS ``(batch, source_length)`` and targets with BOS and EOS ``(batch, target_length)``, int64.
    """
    return (
        pad_sequences([[*SOURCE_WORDS.encode(source), EOS] for source, _, _ in pairs]),
        pad_sequences([[BOS, *TARGET_WORDS.encode(target), EOS] for _, target, _ in pairs]),
    )


def num_sentences(most: int = 2) -> int:
    """Count the different sentences of 1 to ``most`` noun phrases."""
    phrases = len(NOUNS) * (1 + len(ADJECTIVES))
    return sum(phrases**count * len(LINKING) ** (count - 1) for count in range(1, most + 1))


def place_in_phrase(source: list[str], the: int, looked: int) -> str:
    """Name a source word by its part in the noun phrase that begins with the article at ``the``.

    Args:
        source: the English words.
        the: where the phrase begins.
        looked: the place of the word to be named; the place behind the last word is that of EOS.

    Returns:
        ``"the"``, ``"adjective"``, ``"noun"``, or ``"elsewhere"`` for a word of another phrase, a verb or EOS.
    """
    end = next(j for j in range(the, len(source)) if source[j] in NOUNS)
    if looked == the:
        return "the"
    if looked == end:
        return "noun"
    return "adjective" if the < looked < end else "elsewhere"
