"""From words in a row to what is written: a/an in English; elision, bel/cet/mon, du/au in French; the alignment.

The two languages are built side by side. A French word remembers the English words that it translates, as objects;
their positions, and with them the gold alignment, are read off when the sentence is complete.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from transformer_course.data.lexicon import ASPIRATED


@dataclass(eq=False, slots=True)
class English:
    """One English word; two words with the same text are still two words."""

    text: str


@dataclass(eq=False, slots=True)
class French:
    """One French word, the English words that it translates, and its form before a vowel if that is its own."""

    text: str
    sources: tuple[English, ...]
    before_vowel: str | None = None


BEFORE_VOWEL = {
    **{word: word[:-1] + "'" for word in ("le", "la", "je", "ne", "me", "de", "que")},
    "ce": "cet",
    "ma": "mon",
    "sa": "son",
}
CONTRACTIONS = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}


def english(text: str) -> list[English]:
    """Split at spaces into words."""
    return [English(word) for word in text.split()]


def french(text: str, sources: Sequence[English]) -> list[French]:
    """Split at spaces into words that all translate the same English words."""
    return [French(word, tuple(sources)) for word in text.split()]


def begins_with_vowel(word: str) -> bool:
    """Say whether a French word begins with a vowel sound: a vowel letter, or an h that is not aspirated."""
    first = word[0].lower()
    return first in "aàâeéèêiîoôuûœ" or (first == "h" and word not in ASPIRATED)


def write(
    source: Sequence[English], target: Sequence[French]
) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[tuple[int, int]]]:
    """Write the words out.

    Args:
        source: the English words in order.
        target: the French words in order.

    Returns:
        English words, French words, and the links ``(target index, source index)``.
    """
    positions = {id(word): position for position, word in enumerate(source)}
    following = [word.text for word in source[1:]] + ["."]
    english_words = tuple(
        "an" if word.text == "a" and after[0].lower() in "aeiou" else word.text
        for word, after in zip(source, following, strict=True)
    )
    french_words: list[str] = []
    links: set[tuple[int, int]] = set()
    following = [word.text for word in target[1:]] + ["."]
    for word, after in zip(target, following, strict=True):
        text = word.text
        if begins_with_vowel(after):
            text = word.before_vowel or BEFORE_VOWEL.get(text, text)
        if french_words and (french_words[-1], text) in CONTRACTIONS:
            french_words[-1] = CONTRACTIONS[french_words[-1], text]
        else:
            french_words.append(text)
        links.update((len(french_words) - 1, positions[id(origin)]) for origin in word.sources)
    return english_words, tuple(french_words), frozenset(links)
