"""Whole sentences of the built-in language: statements, joined statements, questions."""

import random
from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass

from transformer_course.data import lexicon, verbs
from transformer_course.data.clauses import (
    DEEPEST,
    draw_manner,
    intransitive,
    often_past,
    predicate,
    subject,
    transitive,
    verbs_with,
)
from transformer_course.data.noun_phrases import (
    BEING,
    Draft,
    NoSentence,
    NounPhrase,
    definite,
    name,
    simple_noun_phrase,
)
from transformer_course.data.surface import English, French, english, french, write
from transformer_course.data.verb_groups import VerbGroup, verb_group


@dataclass(frozen=True)
class SentencePair:
    """A sentence and its translation.

    Attributes:
        source: English words.
        target: French words.
        alignment: gold links ``(target index, source index)``.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: frozenset[tuple[int, int]]

    @property
    def sure_links(self) -> frozenset[tuple[int, int]]:
        """The links of two words that have no other link; within groups (*will see*, *verra*) links are only possible.

        Source: Och & Ney (2003), the part on evaluation, where people mark links that are sure and links that are
        possible, the latter for idioms, free translations and function words that one language lacks.
        """
        of_target, of_source = (Counter(link[end] for link in self.alignment) for end in (0, 1))
        return frozenset((i, j) for i, j in self.alignment if of_target[i] == of_source[j] == 1)


Phrase = tuple[list[English], list[French]]


def draw_sentence(
    rng: random.Random, richness: float, accept: Callable[[int, Set[tuple[str, str]]], bool]
) -> SentencePair | None:
    """Draw one sentence.

    Args:
        rng: the source of all choices.
        richness: from 0 (short) to 2 (long).
        accept: is asked with the number of English words and the pairs of words that meet (noun with adjective, subject
            with verb), before the sentence is written out.

    Returns:
        The pair, or None if it was not accepted.
    """
    draft = Draft(rng, richness)
    asks = draft.maybe(0.25)
    try:
        source, target = question(draft) if asks else statement(draft)
    except NoSentence:
        return None
    if (draft.has_they and draft.has_women) or not accept(len(source) + 1, draft.combinations):
        return None
    mark = english("?" if asks else ".")
    return SentencePair(*write(source + mark, target + french(mark[0].text, mark)))


def statement(draft: Draft) -> Phrase:
    """Draw a statement: one clause, one clause with two verbs, or two clauses."""
    if draft.maybe(0.06):
        tense = draft.rng.choice(list(lexicon.TIMES))
        when, translation = lexicon.TIMES[tense]
        words = english(f"{when} ,")
        source, target = clause(draft, tenses=(tense,), once=True)
        return words + source, [*french(translation, words[:1]), *french(",", words[1:]), *target]
    if draft.richly(0.15):
        return two_verbs(draft)
    source, target = clause(draft)
    if draft.richly(0.55):
        link, translation = draft.rng.choice(
            (("and", "et"), ("but", "mais"), ("because", "parce que"), ("because", "parce que"))
        )
        words = english(link)
        other_source, other_target = clause(draft)
        return source + words + other_source, target + french(translation, words) + other_target
    return source, target


def clause(draft: Draft, **options) -> Phrase:
    """Draw subject and predicate."""
    who = subject(draft)
    group = predicate(draft, who, **options)
    return who.english + group.english, who.french + group.french


def two_verbs(draft: Draft) -> Phrase:
    """Draw one subject with two verbs in one simple tense: sings and dances."""
    who = subject(draft)
    tenses = (draft.rng.choice(("present", "future")),)
    # No relative clause in the first: the second verb could belong to it.
    first = predicate(draft, who, DEEPEST, may_negate=False, tenses=tenses)
    second = predicate(draft, who, DEEPEST, may_negate=False, tenses=tenses)
    words = english("and")
    source = who.english + first.english + words + second.english
    return source, who.french + first.french + french("et", words) + second.french


def question(draft: Draft) -> Phrase:
    """Draw a question: yes or no, where and why, about the subject, or about the object."""
    kinds = (yes_no_question, adverb_question, subject_question, object_question, whereabouts_question)
    return draft.rng.choices(kinds, (4, 3, 2, 4, 0.5))[0](draft)


def _inverted(who: NounPhrase, group: VerbGroup) -> Phrase:
    """Put a question around subject and verb: does she see, est-ce qu'elle voit."""
    source = group.inverted + who.english + group.english
    return source, french("est-ce que", group.inverted) + who.french + group.french


def yes_no_question(draft: Draft) -> Phrase:
    """Draw a question that begins with an auxiliary; French begins with est-ce que."""
    who = subject(draft)
    return _inverted(who, predicate(draft, who, question=True))


def adverb_question(draft: Draft) -> Phrase:
    """Draw a question with where, why, when or how."""
    word, translation = draft.rng.choice((("why", "pourquoi"), ("when", "quand"), ("how", "comment"), ("where", "où")))
    words = english(word)
    who = subject(draft)
    options = {"question": True, "may_negate": word == "why" and who.definite}
    if word == "why":
        group = predicate(draft, who, **options)
    else:
        tenses = ("past", "future") if word == "when" else ("present", "past", "future")
        builder = draft.rng.choice((transitive, intransitive))
        if who.kinds.isdisjoint(BEING):
            raise NoSentence
        group = builder(draft, who, somewhere=word != "where", tenses=tenses, once=True, **options)
    source, target = _inverted(who, group)
    return words + source, french(translation, words) + target


def whereabouts_question(draft: Draft) -> Phrase:
    """Draw a question after the place of something: where is the cat?"""
    kinds = BEING | {"food", "thing", "place", "sight"}
    who = name(draft) if draft.maybe(0.1) else simple_noun_phrase(draft, kinds, definite(draft))
    source = english("where are" if who.plural else "where is")
    target = french("où", source[:1]) + french("sont" if who.plural else "est", source[1:])
    return source + who.english, target + who.french


def subject_question(draft: Draft) -> Phrase:
    """Draw a question about the subject: who, which or how many."""
    choice = draft.rng.random()
    if choice < 0.4:
        words = english("who")
        who = NounPhrase(words, french("qui", words), "m", False, definite=False)
    else:
        who = simple_noun_phrase(draft, BEING, lexicon.WHICH if choice < 0.75 else lexicon.HOW_MANY)
        who.definite = False
    group = predicate(draft, who, depth=1)
    return who.english + group.english, who.french + group.french


def object_question(draft: Draft) -> Phrase:
    """Draw a question about the object: what, who, which or how many."""
    who = subject(draft, short=True)
    verb = draft.rng.choice(verbs_with(verbs.TRANSITIVE, subjects=who.kinds))
    draft.meet(who, verb)
    choice = draft.rng.random()
    before = None
    if choice < 0.35:
        animate = not verb.objects.isdisjoint(BEING)
        only_animate = verb.objects <= BEING
        words = english("who" if only_animate or (animate and draft.maybe(0.5)) else "what")
        asked = words, french("qui" if words[0].text == "who" else "que", words)
    else:
        phrase = simple_noun_phrase(draft, verb.objects, lexicon.WHICH if choice < 0.75 else lexicon.HOW_MANY)
        asked, before = (phrase.english, phrase.french), (phrase.gender, phrase.plural)
    manner = draw_manner(draft, who, verb, may_negate=False, question=True, tenses=often_past(draft, verb))
    source, target = _inverted(who, verb_group(verb, who, manner, before=before))
    return asked[0] + source, asked[1] + target
