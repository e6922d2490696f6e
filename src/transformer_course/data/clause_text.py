"""Right sentences of the built-in language whose subject has a relative clause: *the owl that followed us sleeps*.

Chapter 14. In the corpus few subjects have one, so few sentences show which of two nouns a verb goes with.
"""

import random
from collections.abc import Collection

from transformer_course.data.clauses import POSSESSIVES, predicate, relative_clause
from transformer_course.data.corpus import HELD_OUT
from transformer_course.data.noun_phrases import BEING, Draft, NoSentence, any_determiner, simple_noun_phrase
from transformer_course.data.surface import english

Words = tuple[str, ...]


def draw_clause_sentences(number: int, seed: int, longest: int = 12, avoid: Collection[Words] = ()) -> list[Words]:
    """Draw statements with a relative clause between the subject and its verb, none twice.

    Args:
        number: how many.
        seed: another seed gives other sentences.
        longest: at most so many words, the full stop included.
        avoid: sentences that must not be among them.

    Returns:
        The English words of each.

    Raises:
        ValueError: if number is negative, or longest too small for any such sentence.
    """
    if number < 0:
        raise ValueError(f"number: expected 0 or more, got {number}")
    if longest < 7:
        raise ValueError(f"longest: expected 7 or more, got {longest}")
    rng, seen, found = random.Random(f"clauses {seed}"), set(avoid), []
    while len(found) < number:
        words = _draw(rng, longest)
        if words and words not in seen:
            seen.add(words)
            found.append(words)
    return found


def _draw(rng: random.Random, longest: int) -> Words | None:
    draft = Draft(rng, richness=0.2)
    try:
        who = simple_noun_phrase(draft, BEING, any_determiner(draft))
        if who.english[0].text in POSSESSIVES:
            return None
        who.english += relative_clause(draft, who, depth=1)[0]
        group = predicate(draft, who, depth=1)
    except NoSentence:
        return None
    source = who.english + group.english + english(".")
    if len(source) > longest or not HELD_OUT.isdisjoint(draft.combinations):
        return None
    return tuple(_with_an([word.text for word in source]))


def _with_an(words: list[str]) -> list[str]:
    return [
        "an" if word == "a" and following[0].lower() in "aeiou" else word
        for word, following in zip(words, [*words[1:], "."], strict=True)
    ]
