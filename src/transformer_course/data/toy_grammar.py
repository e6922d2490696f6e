"""A language of noun phrases, small enough to learn in seconds: "the black cat sees the queen", in English and French.

It keeps what makes translation more than a dictionary: the article and the adjective take the gender of the noun, and
some adjectives stand before the noun in French and others behind it.
"""

import random

from transformer_course.common.tokens import Vocabulary
from transformer_course.data.sentences import SentencePair

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
ENGLISH = Vocabulary(["the", *NOUNS, *ADJECTIVES, *LINKS])
FRENCH = Vocabulary(
    ["le", "la", *(noun for noun, _ in NOUNS.values()), *LINKS.values()]
    + [form for *forms, _ in ADJECTIVES.values() for form in forms]
)


def draw_phrase_pair(rng: random.Random, most_phrases: int = 2) -> SentencePair:
    """Draw a sentence of one or more noun phrases with its translation.

    Args:
        rng: where the choices come from.
        most_phrases: noun phrases at most; a link word stands between two of them.

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
        write(("le", "la")[gender], article)
        words = [(french, len(source) - 1)]
        if adjective:
            words.insert(ADJECTIVES[adjective][2], (ADJECTIVES[adjective][gender], article + 1))
        for word, origin in words:
            write(word, origin)
    return SentencePair(tuple(source), tuple(target), frozenset(links))


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
    rng, pairs = random.Random(seed), {}
    phrases = len(NOUNS) * (1 + len(ADJECTIVES))
    possible = sum(phrases**n * len(LINKS) ** (n - 1) for n in range(1, most_phrases + 1))
    if number > possible:
        raise ValueError(f"number: expected at most {possible} with {most_phrases} phrases, got {number}")
    while len(pairs) < number:
        pair = draw_phrase_pair(rng, most_phrases)
        pairs.setdefault(pair.source, pair)
    return list(pairs.values())
