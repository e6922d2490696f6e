"""Between words and written text: what a person types, and what a person wants to read."""

import re
from collections.abc import Sequence

from transformer_course.data.lexicon import NAMES

_ENGLISH = re.compile(r"[A-Za-z]+|'s\b|'|[.,?]")
_CONTRACTIONS = (("can't", "can not"), ("cannot", "can not"), ("won't", "will not"), ("n't", " not"), ("'ll", " will"))
_NAMES = {name.lower(): name for name, _ in NAMES} | {"i": "I"}


def split_english(text: str) -> tuple[str, ...]:
    """Split what somebody types into the words of the built-in language.

    Lower case except for names and *I*; *don't* becomes *do not*; a missing mark at the end becomes a full stop.

    >>> split_english("Emma doesn't see my uncle's cat")
    ('Emma', 'does', 'not', 'see', 'my', 'uncle', "'s", 'cat', '.')
    """
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower()
    for short, long in _CONTRACTIONS:
        text = text.replace(short, long)
    words = [_NAMES.get(word, word) for word in _ENGLISH.findall(text)]
    if words and words[-1] not in (".", "?"):
        words.append(".")
    return tuple(words)


def join_words(words: Sequence[str]) -> str:
    """Write words of either language as a sentence: a capital at the start, no space after l' or before a full stop.

    >>> join_words(("l'", "oiseau", "n'", "a", "pas", "chanté", "."))
    "L'oiseau n'a pas chanté."
    >>> join_words(("the", "kings", "'", "horses", "sleep", "."))
    "The kings' horses sleep."
    """
    text = " ".join(words)
    text = re.sub(r" ('s|'|[.,])(?= |$)", r"\1", text)
    text = re.sub(r"(?<=\b[lndjmq])' |(?<=\bqu)' ", "'", text)
    return text[:1].upper() + text[1:]
