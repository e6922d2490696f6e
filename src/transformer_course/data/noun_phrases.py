"""Noun phrases of the built-in language: determiner, numeral, adjectives, noun, owner, place; pronouns; names."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from transformer_course.data import lexicon
from transformer_course.data.lexicon import Adjective, Determiner, Noun
from transformer_course.data.surface import English, French, english, french
from transformer_course.data.verbs import Verb

PERSON = frozenset({"person"})
BEING = frozenset({"person", "animal"})


class NoSentence(Exception):
    """The choices so far lead to no sentence; draw a new one."""


@dataclass
class Draft:
    """The state of one sentence while it is drawn.

    Attributes:
        rng: the source of all choices.
        richness: from 0 (short sentences) to 1 (long ones).
        nouns: the nouns that already stand in the sentence; none comes twice.
        combinations: pairs of words that meet: (noun, adjective) and (subject noun, verb), in English base forms.
    """

    rng: random.Random
    richness: float
    nouns: set[str] = field(default_factory=set)
    combinations: set[tuple[str, str]] = field(default_factory=set)

    def maybe(self, probability: float) -> bool:
        """Say yes with this probability."""
        return self.rng.random() < probability

    def richly(self, probability: float) -> bool:
        """Say yes with this probability times the richness."""
        return self.rng.random() < probability * self.richness

    def noun(self, kinds: frozenset[str]) -> Noun:
        """Draw a noun of one of these kinds that the sentence does not have yet."""
        candidates = [noun for noun in lexicon.NOUNS if noun.kinds & kinds and noun.english not in self.nouns]
        if not candidates:
            raise NoSentence
        noun = self.rng.choice(candidates)
        self.nouns.add(noun.english)
        return noun

    def meet(self, who: "NounPhrase", verb: Verb) -> None:
        """Note that a noun is the subject of a verb."""
        if who.noun:
            self.combinations.add((who.noun.english, verb.base))


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
    return draft.rng.choices((lexicon.THE, lexicon.THIS, lexicon.POSSESSIVE), (6, 1, 2))[0]


def any_determiner(draft: Draft) -> Sequence[Determiner]:
    """Draw a family of determiners: mostly definite ones."""
    if draft.maybe(0.6):
        return definite(draft)
    families = (lexicon.A, lexicon.SOME, lexicon.EVERY, lexicon.SEVERAL)
    return draft.rng.choices(families, (5, 2, 1, 1))[0]


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
    plural, feminine = determiner.plural, noun.gender == "f"
    before, after = _adjectives(draft, noun) if adjectives else ([], [])
    adjective_words = {adjective: English(adjective.english) for adjective in before + after}

    determiner_words = english(determiner.english)
    determiner_text = determiner.feminine if feminine else determiner.masculine
    if determiner_text == "des" and before:
        determiner_text = "de"  # de grands arbres
    source = [*determiner_words]
    target = french(determiner_text, determiner_words)
    takes_numeral = determiner in (*lexicon.THE, *lexicon.THIS, *lexicon.POSSESSIVE)
    if plural and takes_numeral and draft.maybe(0.2):
        numeral, numeral_french = draft.rng.choice(lexicon.NUMERALS)
        source.append(English(numeral))
        target += french(numeral_french, source[-1:])
    elif plural and determiner in lexicon.THE and draft.maybe(0.12):
        source.insert(0, English("all"))
        target = french("toutes" if feminine else "tous", source[:1]) + target

    def agreeing(adjective: Adjective) -> French:
        form = adjective.french(noun.gender, plural)
        before_vowel = adjective.before_vowel if not plural and not feminine else None
        return French(form, (adjective_words[adjective],), before_vowel)

    source += [adjective_words[adjective] for adjective in sorted(adjective_words, key=lambda each: each.rank)]
    target += [agreeing(adjective) for adjective in before]
    source.append(English(noun.english_plural if plural else noun.english))
    target.append(French(noun.french_plural if plural else noun.french, (source[-1],)))
    target += [agreeing(adjective) for adjective in after]
    known = determiner in (*lexicon.THE, *lexicon.THIS, *lexicon.POSSESSIVE) and source[0].text != "all"
    return NounPhrase(source, target, noun.gender, plural, definite=known, noun=noun)


def _adjectives(draft: Draft, noun: Noun) -> tuple[list[Adjective], list[Adjective]]:
    """Draw at most one adjective for each side of the French noun."""
    chosen: tuple[list[Adjective], list[Adjective]] = [], []
    for side, before_noun in enumerate((True, False)):
        fitting = [each for each in lexicon.ADJECTIVES if each.before_noun == before_noun and each.kinds & noun.kinds]
        if fitting and draft.maybe(0.1 + 0.2 * draft.richness):
            adjective = draft.rng.choice(fitting)
            chosen[side].append(adjective)
            draft.combinations.add((noun.english, adjective.english))
    return chosen


def owned_noun_phrase(draft: Draft, kinds: frozenset[str]) -> NounPhrase:
    """Draw a noun with its owner: the king 's horse, le cheval du roi; or: the door of the house."""
    owned = simple_noun_phrase(draft, kinds, lexicon.THE)
    owner = name(draft) if draft.maybe(0.25) else simple_noun_phrase(draft, PERSON, definite(draft), draft.maybe(0.3))
    link = English("'s")
    # English loses the determiner of the owned thing, and with it its number of words; French keeps both.
    article = owned.english[0]
    if article.text == "the":
        article_french, *rest = owned.french
        source = [*owner.english, link, *owned.english[1:]]
        target = [French(article_french.text, (link,)), *rest, *french("de", [link]), *owner.french]
    else:  # all the king 's horses
        every, article_french, *rest = owned.french
        source = [owned.english[0], *owner.english, link, *owned.english[2:]]
        target = [every, French(article_french.text, (link,)), *rest, *french("de", [link]), *owner.french]
    return NounPhrase(source, target, owned.gender, owned.plural, noun=owned.noun, definite=article.text == "the")


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
