"""Sentences of the built-in language whose verb agrees with its subject, and the same sentences with the other form.

Chapter 14. They come in groups of four: two noun phrases, one of them plural, stand in both orders around one verb, in
both of its forms.

- *the owl sees two dogs* is right,       *the owl see two dogs* is wrong,
- *two dogs sees the owl* is wrong,       *two dogs see the owl* is right.

So every bag of words, and with it every word and every length, stands as often in right sentences as in wrong ones:
nothing that ignores the order of words can do better than chance. In half of the frames the noun nearest to the verb is
its subject, in the other half it is another one, of the other number.
"""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from transformer_course.data import lexicon, verbs
from transformer_course.data.corpus import HELD_OUT
from transformer_course.data.lexicon import Determiner, Noun
from transformer_course.data.noun_phrases import PERSON, adjectives_beside, build_noun_phrase, build_owned
from transformer_course.data.verbs import Verb

RIGHT, WRONG = 0, 1
"""The labels: does the sentence violate agreement?"""
LABELS = (RIGHT, WRONG, WRONG, RIGHT)
"""Of the four sentences of a group: subject and verb singular; singular, plural; plural, singular; both plural."""

SINGULAR = (lexicon.THE[0], lexicon.THE[0], lexicon.THIS[0], *lexicon.A)
PLURAL = (lexicon.THE[1], lexicon.THE[1], lexicon.THIS[1], *lexicon.SOME, *lexicon.SEVERAL)
_PLURAL_NOUNS = frozenset(noun.english_plural for noun in lexicon.NOUNS)
_NOUNS = _PLURAL_NOUNS | {noun.english for noun in lexicon.NOUNS}
_BOTH_WAYS = tuple(verb for verb in verbs.TRANSITIVE if verb.subjects <= verb.objects and verb.has_past)

Words = tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Four sentences of one frame.

    Attributes:
        frame: the name of the construction, one of `FRAMES`.
        sentences: the words of each, in the order of `LABELS`.
        places: where in each of them the verb stands that agrees or does not.
    """

    frame: str
    sentences: tuple[Words, Words, Words, Words]
    places: tuple[int, int, int, int]

    @property
    def pairs(self) -> list[tuple[Words, Words, int]]:
        """Give both minimal pairs: the right sentence, the wrong one, and the one place at which they differ."""
        first, second, third, fourth = self.sentences
        return [(first, second, self.places[0]), (fourth, third, self.places[3])]


@dataclass(frozen=True)
class _Choice:
    """The words of a group, beside its two noun phrases: what all four sentences share."""

    singular: str
    plural: str
    after: tuple[str, ...]
    link: str = ""
    inner: tuple[str, ...] = ()


def _object(subject: Words, other: Words, verb: str, choice: _Choice) -> tuple[Words, int]:
    return (*subject, verb, *choice.after, *other, "."), len(subject)


def _question(subject: Words, other: Words, verb: str, choice: _Choice) -> tuple[Words, int]:
    return (verb, *subject, *choice.after, *other, "?"), 0


def _subject_clause(subject: Words, other: Words, verb: str, choice: _Choice) -> tuple[Words, int]:
    before = (*subject, choice.link, *choice.inner, *other)
    return (*before, verb, *choice.after, "."), len(before)


def _object_clause(subject: Words, other: Words, verb: str, choice: _Choice) -> tuple[Words, int]:
    before = (*subject, "that", *other, *choice.inner)
    return (*before, verb, *choice.after, "."), len(before)


FRAMES = {
    "object": _object,  # the owl sees two dogs .
    "question": _question,  # does the owl see two dogs ?
    "subject clause": _subject_clause,  # the owl that followed two dogs sleeps .
    "object clause": _object_clause,  # the owl that two dogs followed sleeps .
}
"""The constructions. In the last two the noun nearest to the verb is not its subject."""


def draw_groups(number: int, seed: int, avoid: Collection[Words] = ()) -> list[Group]:
    """Draw groups of four sentences, no sentence twice, equally many of each frame.

    Args:
        number: how many groups.
        seed: another seed gives other groups.
        avoid: sentences that must not be among them, such as those that a model has read.

    Returns:
        The groups; the frames take turns, so that any run of four groups holds each once.

    Raises:
        ValueError: if number is negative.
    """
    if number < 0:
        raise ValueError(f"number: expected 0 or more, got {number}")
    rng, seen, groups = random.Random(f"agreement {seed}"), set(avoid), []
    while len(groups) < number:
        group = _draw(rng, list(FRAMES)[len(groups) % len(FRAMES)])
        if seen.isdisjoint(group.sentences):
            seen.update(group.sentences)
            groups.append(group)
    return groups


def draw_owner_groups(number: int, seed: int, avoid: Collection[Words] = ()) -> list[Group]:
    """Draw groups of a fifth frame, *the king 's sisters sleep*: here the first noun is not the subject.

    Args:
        number: how many groups.
        seed: another seed gives other groups.
        avoid: sentences that must not be among them, such as those that a model has read.

    Returns:
        The groups, no sentence twice; the subject is the noun nearest to the verb, the owner before it has the other
        number.

    Raises:
        ValueError: if number is negative.
    """
    if number < 0:
        raise ValueError(f"number: expected 0 or more, got {number}")
    rng, seen, groups = random.Random(f"owners {seed}"), set(avoid), []
    owned = [noun for noun in lexicon.NOUNS if noun.kinds & PERSON and "nobodys" not in noun.kinds]
    while len(groups) < number:
        nouns = rng.sample(owned, 2)
        choice, sentences, places = _choose(rng, "owner", nouns, ""), [], []
        phrases = [build_noun_phrase(the, noun) for the, noun in zip(lexicon.THE, nouns, strict=True)]
        for subject, owner in (phrases, phrases[::-1]):
            before = tuple(word.text for word in build_owned(subject, owner).english)
            for verb in (choice.singular, choice.plural):
                sentences.append((*before, verb, *choice.after, "."))
                places.append(len(before))
        if seen.isdisjoint(sentences):
            seen.update(sentences)
            groups.append(Group("owner", tuple(sentences), tuple(places)))
    return groups


def labelled(groups: Sequence[Group]) -> tuple[list[Words], list[int]]:
    """Give all sentences of some groups, and their labels."""
    return [words for group in groups for words in group.sentences], [*LABELS] * len(groups)


def nearest_noun_is_plural(words: Words, place: int) -> bool:
    """Look at the last noun before the verb, or at the first one behind it where there is none before.

    Raises:
        ValueError: if the sentence has no noun.
    """
    before = [word for word in words[:place] if word in _NOUNS]
    nouns = before[-1:] or [word for word in words[place:] if word in _NOUNS]
    if not nouns:
        raise ValueError(f"words: expected a noun, got {' '.join(words)!r}")
    return nouns[0] in _PLURAL_NOUNS


def _draw(rng: random.Random, frame: str) -> Group:
    animals = rng.random() < 0.5
    kind = frozenset({"animal"}) if animals else PERSON
    nouns = rng.sample([noun for noun in lexicon.NOUNS if noun.kinds & kind], 2)
    phrases = [_phrase(rng, noun, family) for noun, family in zip(nouns, (SINGULAR, PLURAL), strict=True)]
    choice = _choose(rng, frame, nouns, "that" if animals else "who")
    sentences, places = [], []
    for subject, other in (phrases, phrases[::-1]):
        for verb in (choice.singular, choice.plural):
            words, place = FRAMES[frame](subject, other, verb, choice)
            sentences.append(words)
            places.append(place)
    return Group(frame, tuple(sentences), tuple(places))


def _phrase(rng: random.Random, noun: Noun, family: Sequence[Determiner]) -> Words:
    fitting = [each for side in (True, False) for each in adjectives_beside(noun, side)]
    fitting = [each for each in fitting if (noun.english, each.english) not in HELD_OUT]
    adjectives = [rng.choice(fitting)] if fitting and rng.random() < 0.3 else []
    words = [word.text for word in build_noun_phrase(rng.choice(family), noun, adjectives).english]
    if words[0] == "a" and words[1][0] in "aeiou":
        words[0] = "an"
    return tuple(words)


def _choose(rng: random.Random, frame: str, nouns: list[Noun], link: str) -> _Choice:
    verb = _verb(rng, _BOTH_WAYS, nouns)
    particle = (verb.particle,) if verb.particle else ()
    if frame == "object":
        return _Choice(verb.third, verb.base, particle)
    if frame == "question":
        return _Choice("does", "do", (verb.base, *particle))
    inner = (verb.past, *particle)
    if rng.random() < 0.5:
        fitting = [
            each.english
            for each in lexicon.ADJECTIVES
            if all(each.kinds & noun.kinds and (noun.english, each.english) not in HELD_OUT for noun in nouns)
        ]
        after = rng.choice([each for each in fitting if each not in lexicon.NOT_AFTER_BE])
        return _Choice("is", "are", (after,), link, inner)
    last = _verb(rng, verbs.INTRANSITIVE, nouns)
    return _Choice(last.third, last.base, (), link, inner)


def _verb(rng: random.Random, family: Sequence[Verb], nouns: list[Noun]) -> Verb:
    """Draw a verb that both nouns may have, as the corpus pairs them."""
    fitting = [
        verb
        for verb in family
        if all(verb.subjects & noun.kinds and (noun.english, verb.base) not in HELD_OUT for noun in nouns)
    ]
    return rng.choice(fitting)
