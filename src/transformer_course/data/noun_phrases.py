"""Noun phrases of the built-in language: determiner, numeral, adjectives, noun, owner, place; pronouns; names."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from transformer_course.data import lexicon
from transformer_course.data.lexicon import Adjective, Determiner, Noun
from transformer_course.data.surface import English, French, english, french
from transformer_course.data.verbs import Verb

PERSON = frozenset({"person"})
BEING = frozenset({"person", "animal"})
PRONOUN_WEIGHTS = (3, 2, 3, 5, 5, 4)
"""How often each row of `lexicon.PRONOUNS` is drawn."""


class NoSentence(Exception):
    """The choices so far lead to no sentence; draw a new one."""


@dataclass
class Draft:
    """The state of one sentence while it is drawn.

    Attributes:
        rng: the source of all choices.
        richness: from 0 (short sentences) to 2 (long ones).
        nouns: the nouns that already stand in the sentence; none comes twice.
        combinations: pairs of words that meet: (noun, adjective) and (subject noun, verb), in English base forms.
        has_they: *they* or *them* stands in the sentence.
        has_women: a feminine plural stands in it. Then *they* could be *elles*, and the sentence is given up.
    """

    rng: random.Random
    richness: float
    nouns: set[str] = field(default_factory=set)
    combinations: set[tuple[str, str]] = field(default_factory=set)
    has_they: bool = False
    has_women: bool = False

    def maybe(self, probability: float) -> bool:
        """Say yes with this probability."""
        return self.rng.random() < probability

    def richly(self, probability: float) -> bool:
        """Say yes with this probability times the richness."""
        return self.rng.random() < probability * self.richness

    def noun(self, kinds: frozenset[str]) -> Noun:
        """Draw a noun of one of these kinds that the sentence does not have yet."""
        candidates = nouns_of(kinds)
        noun = self.rng.choice(candidates)
        if noun.english in self.nouns:
            noun = self.rng.choice(candidates)  # once more, then give up: a sentence full of them is rare
        if noun.english in self.nouns:
            raise NoSentence
        self.nouns.add(noun.english)
        return noun

    def pronoun(self, other_than: int = 3) -> tuple:
        """Draw a row of ``lexicon.PRONOUNS``; as object not the first person with the first, nor *you* with *you*."""
        row = self.rng.choices(lexicon.PRONOUNS, PRONOUN_WEIGHTS)[0]
        while row[5] == other_than != 3:
            row = self.rng.choices(lexicon.PRONOUNS, PRONOUN_WEIGHTS)[0]
        self.has_they |= row[0] == "they"
        return row

    def meet(self, who: "NounPhrase", verb: Verb) -> None:
        """Note that a noun is the subject of a verb."""
        if who.noun:
            self.combinations.add((who.noun.english, verb.base))


@cache
def nouns_of(kinds: frozenset[str]) -> tuple[Noun, ...]:
    """Return the nouns of one of these kinds."""
    return tuple(noun for noun in lexicon.NOUNS if noun.kinds & kinds)


@cache
def adjectives_beside(noun: Noun, before_noun: bool) -> tuple[Adjective, ...]:
    """Return the adjectives that fit a noun, of those that stand before it in French, or after it."""
    return tuple(each for each in lexicon.ADJECTIVES if each.before_noun == before_noun and each.kinds & noun.kinds)


@dataclass
class NounPhrase:
    """A noun phrase in both languages, with what agrees with it.

    ``gender`` is None where English leaves it open (I, you, we). ``definite`` phrases may stand before a negation.
    ``noun`` is the head, None for pronouns and names; ``pronoun`` is the row of ``lexicon.PRONOUNS``.
    """

    english: list[English]
    french: list[French]
    gender: str | None
    plural: bool
    person: int = 3
    definite: bool = True
    noun: Noun | None = None
    pronoun: tuple | None = None

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of the head; pronouns, names and people joined by "and" are persons."""
        return self.noun.kinds if self.noun else PERSON


def pronoun(row: tuple) -> NounPhrase:
    """Make a subject pronoun from a row of ``lexicon.PRONOUNS``."""
    words = english(row[0])
    return NounPhrase(words, french(row[2], words), row[7], row[6], row[5], pronoun=row)


def name(draft: Draft) -> NounPhrase:
    """Draw a first name."""
    text, gender = draft.rng.choice([row for row in lexicon.NAMES if row[0] not in draft.nouns])
    draft.nouns.add(text)
    words = english(text)
    return NounPhrase(words, french(text, words), gender, False)


def definite(draft: Draft) -> Sequence[Determiner]:
    """Draw a family of determiners that name something known: the, this, a possessive."""
    return draft.rng.choice((*[lexicon.THE] * 6, lexicon.THIS, *[lexicon.POSSESSIVE] * 2))


def any_determiner(draft: Draft) -> Sequence[Determiner]:
    """Draw a family of determiners: mostly definite ones."""
    if draft.maybe(0.6):
        return definite(draft)
    return draft.rng.choice((*[lexicon.A] * 5, *[lexicon.SOME] * 2, lexicon.EVERY, lexicon.SEVERAL))


def simple_noun_phrase(
    draft: Draft, kinds: frozenset[str], determiners: Sequence[Determiner], adjectives: bool = True
) -> NounPhrase:
    """Draw determiner, numeral, adjectives and noun.

    Args:
        draft: the sentence so far.
        kinds: the noun is of one of these.
        determiners: one of these is drawn, with its number.
        adjectives: False for a bare noun.
    """
    noun, determiner = draft.noun(kinds), draft.rng.choice(determiners)
    if "nobodys" in noun.kinds and determiner in lexicon.POSSESSIVE:
        determiner = lexicon.THE[determiner.plural]
    chosen = _adjectives(draft, noun) if adjectives else []
    numeral, every_one = None, False
    if determiner.plural and determiner in lexicon.KNOWN and draft.maybe(0.2):
        numeral = draft.rng.choice(lexicon.NUMERALS)
    elif determiner.plural and determiner in lexicon.THE:
        every_one = draft.maybe(0.12)
    draft.has_women |= determiner.plural and noun.gender == "f"
    return build_noun_phrase(determiner, noun, chosen, numeral, every_one)


def build_noun_phrase(
    determiner: Determiner,
    noun: Noun,
    adjectives: Sequence[Adjective] = (),
    numeral: tuple[str, str] | None = None,
    every_one: bool = False,
) -> NounPhrase:
    """Put determiner, numeral, adjectives and noun in their forms and their order.

    Args:
        determiner: gives the number of the phrase.
        noun: gives its gender.
        adjectives: at most one for each side of the French noun.
        numeral: English and French, after the determiner.
        every_one: put *all* before the determiner.
    """
    plural, feminine = determiner.plural, noun.gender == "f"
    source = english(determiner.english)
    text = determiner.feminine if feminine else determiner.masculine
    if text == "des" and any(each.before_noun for each in adjectives):
        text = "de"  # de grands arbres
    target = french(text, source)
    if numeral:
        source.append(English(numeral[0]))
        target += french(numeral[1], source[-1:])
    if every_one:
        source.insert(0, English("all"))
        target = french("toutes" if feminine else "tous", source[:1]) + target
    sides: dict[bool, list[French]] = {True: [], False: []}
    for adjective in sorted(adjectives, key=lambda each: each.rank):
        source.append(English(adjective.english))
        before_vowel = adjective.before_vowel if not plural and not feminine else None
        form = French(adjective.french(noun.gender, plural), (source[-1],), before_vowel)
        sides[adjective.before_noun].append(form)
    source.append(English(noun.english_plural if plural else noun.english))
    head = French(noun.french_plural if plural else noun.french, (source[-1],))
    target += [*sides[True], head, *sides[False]]
    known = determiner in lexicon.KNOWN and not every_one
    return NounPhrase(source, target, noun.gender, plural, definite=known, noun=noun)


def _adjectives(draft: Draft, noun: Noun) -> list[Adjective]:
    """Draw at most one adjective for each side of the French noun."""
    chosen = []
    for before_noun in (True, False):
        fitting = adjectives_beside(noun, before_noun)
        if fitting and draft.maybe(0.1 + 0.2 * draft.richness):
            chosen.append(draft.rng.choice(fitting))
            draft.combinations.add((noun.english, chosen[-1].english))
    return chosen


def owned_noun_phrase(draft: Draft, kinds: frozenset[str]) -> NounPhrase:
    """Draw a noun with its owner: the king 's horse, le cheval du roi."""
    owned = simple_noun_phrase(draft, kinds, lexicon.THE)
    if "nobodys" in owned.noun.kinds:
        raise NoSentence
    owner = name(draft) if draft.maybe(0.25) else simple_noun_phrase(draft, PERSON, definite(draft), draft.maybe(0.3))
    return build_owned(owned, owner)


def build_owned(owned: NounPhrase, owner: NounPhrase) -> NounPhrase:
    """Join what is owned, with the determiner *the*, and its owner."""
    link = English("'" if owner.plural and owner.english[-1].text.endswith("s") else "'s")
    # English drops the article of what is owned; in French it is there, and 's is what makes it definite.
    article = 0 if owned.english[0].text == "the" else 1  # all the king 's horses
    source = [*owned.english[:article], *owner.english, link, *owned.english[article + 1 :]]
    owned.french[article].sources = (link,)
    target = [*owned.french, *french("de", [link]), *owner.french]
    return NounPhrase(source, target, owned.gender, owned.plural, noun=owned.noun, definite=owned.definite)


def place(draft: Draft) -> tuple[list[English], list[French]]:
    """Draw a place: preposition and noun phrase."""
    preposition, translation, kinds = draft.rng.choice(lexicon.PREPOSITIONS)
    where = simple_noun_phrase(draft, kinds, definite(draft) if draft.maybe(0.85) else lexicon.A)
    words = english(preposition)
    return words + where.english, french(translation, words) + where.french


def company(draft: Draft) -> tuple[list[English], list[French]]:
    """Draw company: with or without somebody."""
    preposition, translation = draft.rng.choice(lexicon.COMPANY)
    who = simple_noun_phrase(draft, BEING, definite(draft))
    words = english(preposition)
    return words + who.english, french(translation, words) + who.french
