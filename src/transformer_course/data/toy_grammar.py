"""A language of noun phrases, small enough to learn in seconds: "the black cat sees the queen", in English and French.

Chapters 01 and 03. It keeps what makes translation more than a dictionary: the article and the adjective take the
gender of the noun, and some adjectives stand before the noun in French and others behind it.
"""

import random
from collections.abc import Sequence

from torch import Tensor

from transformer_course.common.tokens import BOS, EOS, Vocabulary
from transformer_course.data.sentences import SentencePair
from transformer_course.sequence_transduction import pad_sequences

NOUNS = {
    "cat": ("chat", 0),
    "dog": ("chien", 0),
    "king": ("roi", 0),
    "mouse": ("souris", 1),
    "owl": ("chouette", 1),
    "queen": ("reine", 1),
}
"""English to French, with 0 for masculine and 1 for feminine."""
ADJECTIVES = {
    "black": ("noir", "noire", True),
    "tired": ("fatigué", "fatiguée", True),
    "small": ("petit", "petite", False),
    "old": ("vieux", "vieille", False),
}
"""English to French, masculine and feminine; True if the adjective stands behind the noun."""
LINKS = {"and": "et", "sees": "voit", "follows": "suit"}
"""What stands between two noun phrases."""
ARTICLES = ("le", "la")
ENGLISH = Vocabulary(["the", *NOUNS, *ADJECTIVES, *LINKS])
FRENCH = Vocabulary(
    [*ARTICLES, *LINKS.values(), *(noun for noun, _ in NOUNS.values())]
    + [form for *forms, _ in ADJECTIVES.values() for form in forms]
)


def draw_phrase_pair(rng: random.Random, most_phrases: int = 2) -> SentencePair:
    """Draw a sentence of one or more noun phrases with its translation.

    Args:
        rng: where the choices come from.
        most_phrases: noun phrases at most, every number equally likely; a link word stands between two of them.

    Returns:
        The pair, with its gold alignment.
    """
    source, target, links = [], [], set()

    def write(french: str, origin: int) -> None:
        links.add((len(target), origin))
        target.append(french)

    for phrase in range(rng.randint(1, most_phrases)):
        if phrase:
            source.append(rng.choice(list(LINKS)))
            write(LINKS[source[-1]], len(source) - 1)
        noun, adjective = rng.choice(list(NOUNS)), rng.choice([None, *ADJECTIVES])
        french, gender = NOUNS[noun]
        article = len(source)
        source += ["the", adjective, noun] if adjective else ["the", noun]
        write(ARTICLES[gender], article)
        words = [(french, len(source) - 1)]
        if adjective:
            words.insert(ADJECTIVES[adjective][2], (ADJECTIVES[adjective][gender], article + 1))
        for word, origin in words:
            write(word, origin)
    return SentencePair(tuple(source), tuple(target), frozenset(links))


def num_sentences(most_phrases: int = 2) -> int:
    """Count the different sentences of 1 to ``most_phrases`` noun phrases."""
    phrases = len(NOUNS) * (1 + len(ADJECTIVES))
    return sum(phrases**count * len(LINKS) ** (count - 1) for count in range(1, most_phrases + 1))


def draw_phrase_pairs(number: int, most_phrases: int = 2, seed: int = 0) -> list[SentencePair]:
    """Draw different sentences.

    Args:
        number: how many.
        most_phrases: noun phrases at most in each.
        seed: another seed draws others.

    Returns:
        The pairs, no English sentence twice.

    Raises:
        ValueError: if there are not so many sentences.
    """
    rng, pairs, possible = random.Random(seed), {}, num_sentences(most_phrases)
    if number > possible:
        raise ValueError(f"number: expected at most {possible} with {most_phrases} phrases, got {number}")
    while len(pairs) < number:
        pair = draw_phrase_pair(rng, most_phrases)
        pairs.setdefault(pair.source, pair)
    return list(pairs.values())


def as_tensors(pairs: Sequence[SentencePair]) -> tuple[Tensor, Tensor]:
    """Number the words.

    Args:
        pairs: sentences of this language.

    Returns:
        Sources with EOS ``(batch, source_length)`` and targets with BOS and EOS ``(batch, target_length)``, int64.
    """
    return (
        pad_sequences([[*ENGLISH.encode(pair.source), EOS] for pair in pairs]),
        pad_sequences([[BOS, *FRENCH.encode(pair.target), EOS] for pair in pairs]),
    )


def place_in_phrase(source: Sequence[str], the: int, looked: int) -> str:
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
