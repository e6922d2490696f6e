"""Subjects, predicates, objects and relative clauses of the built-in language.

Where English leaves open what French must say, the phrase is not built: no participle that agrees with *I*, *we*,
*you*, *me* or *us*; no second phrase to which a relative clause could belong; no negation over *every*, *some* or *a*
in the subject.
"""

from collections.abc import Callable, Sequence
from functools import cache

from transformer_course.data import lexicon, verbs
from transformer_course.data.lexicon import Adjective
from transformer_course.data.noun_phrases import (
    BEING,
    PERSON,
    Draft,
    NoSentence,
    NounPhrase,
    any_determiner,
    company,
    definite,
    name,
    owned_noun_phrase,
    place,
    pronoun,
    simple_noun_phrase,
)
from transformer_course.data.surface import English, French, english, french
from transformer_course.data.verb_groups import Manner, VerbGroup, be_group, verb_group
from transformer_course.data.verbs import Verb

TENSES = {"present": 6, "past": 3, "future": 2, "can": 0.5, "must": 0.3, "want": 0.5}
DEEPEST = 1
"""Relative clauses stand in one another at most so deep."""
POSSESSIVES = frozenset(determiner.english for determiner in lexicon.POSSESSIVE)


def subject(draft: Draft, depth: int = 0, short: bool = False) -> NounPhrase:
    """Draw a subject; ``short`` means a pronoun, a name, or determiner and noun."""
    choice = draft.rng.random()
    if choice < 0.25:
        return pronoun(draft.pronoun())
    if choice < 0.35:
        return name(draft)
    kinds = BEING
    if short:
        return simple_noun_phrase(draft, kinds, definite(draft), draft.richly(0.3))
    if draft.maybe(0.12):
        kinds = frozenset({"food", "thing", "text", "sight", "place"})
    if draft.richly(0.12):
        return together(draft, depth)
    if draft.maybe(0.1):
        return owned_noun_phrase(draft, kinds)
    phrase = simple_noun_phrase(draft, kinds, any_determiner(draft))
    return lengthened(draft, phrase, depth)


def together(draft: Draft, depth: int) -> NounPhrase:
    """Draw two people or animals joined by *and*."""
    first = simple_noun_phrase(draft, PERSON, definite(draft))
    second = name(draft) if draft.maybe(0.3) else simple_noun_phrase(draft, PERSON, definite(draft))
    words = english("and")
    gender = "f" if first.gender == second.gender == "f" else "m"
    draft.has_women |= gender == "f"
    return NounPhrase(
        first.english + words + second.english, first.french + french("et", words) + second.french, gender, True
    )


def lengthened(draft: Draft, phrase: NounPhrase, depth: int) -> NounPhrase:
    """Maybe add a relative clause or a place to a noun; never both, so that it is clear what the clause belongs to."""
    if depth < DEEPEST and phrase.english[0].text not in POSSESSIVES and draft.richly(0.3):
        source, target = relative_clause(draft, phrase, depth + 1)
    elif draft.richly(0.2) and phrase.kinds.isdisjoint({"place", "landmark", "audible"}):
        source, target = place(draft)
    else:
        return phrase
    phrase.english, phrase.french = phrase.english + source, phrase.french + target
    return phrase


def relative_clause(draft: Draft, head: NounPhrase, depth: int) -> tuple[list[English], list[French]]:
    """Draw a relative clause: the head is its subject (qui), its object (que), or its place (où)."""
    candidates = verbs_with(verbs.TRANSITIVE, objects=head.kinds)
    as_subject = not candidates or (not head.kinds.isdisjoint(BEING) and draft.maybe(0.5))
    if "place" in head.kinds and draft.maybe(0.5):
        link = english("where")
        who = subject(draft, depth, short=True)
        group = intransitive(draft, who, depth, somewhere=False, tenses=("present", "past", "future"))
        return link + who.english + group.english, french("où", link) + who.french + group.french
    if as_subject:
        link = english("who" if "person" in head.kinds else "that")
        group = predicate(draft, head, depth, may_negate=True)
        return link + group.english, french("qui", link) + group.french
    link = english("that")
    verb = draft.rng.choice(candidates)
    who = subject(draft, depth, short=True)
    manner = draw_manner(draft, who, verb, may_negate=who.definite, tenses=often_past(draft, verb))
    draft.meet(who, verb)
    group = verb_group(verb, who, manner, before=(head.gender, head.plural))
    return link + who.english + group.english, french("que", link) + who.french + group.french


def often_past(draft: Draft, verb: Verb) -> tuple[str, ...]:
    """Return tenses for a clause whose object stands before the verb: often the past, where the participle agrees."""
    return ("past",) if verb.has_past and draft.maybe(0.2) else tuple(TENSES)


def draw_manner(
    draft: Draft,
    who: NounPhrase,
    verb: Verb | None,
    may_negate: bool,
    tenses: Sequence[str] = tuple(TENSES),
    question: bool = False,
    past: bool = True,
    once: bool = False,
) -> Manner:
    """Draw tense, negation and adverb; ``verb`` is None for *be*; ``once`` forbids *never*, *often* and the like."""
    allowed = [tense for tense in tenses if tense != "past" or past]
    if verb is None or who.kinds.isdisjoint(BEING):
        allowed = [tense for tense in allowed if tense not in verbs.MODALS]
    if verb is not None and "past" in allowed:
        unknown_gender = verb.french.auxiliary == "être" and who.gender is None
        if unknown_gender or not verb.has_past:
            allowed.remove("past")
    if who.person != 3:  # a small language: its futur simple is for the third person
        allowed = [tense for tense in allowed if tense != "future"]
    if not allowed:
        raise NoSentence
    tense = draft.rng.choices(allowed, [TENSES[each] for each in allowed])[0]
    negation = ""
    if may_negate and draft.maybe(0.22):
        negation = "not" if question or once or draft.maybe(0.75) else "never"
    adverb = None
    if negation != "never" and not once and tense not in ("must", "want") and draft.maybe(0.08 + 0.08 * draft.richness):
        adverb = draft.rng.choice([row[:2] for row in lexicon.ADVERBS if row[2] or not negation])
    return Manner(tense, negation, adverb, question)


def predicate(
    draft: Draft,
    who: NounPhrase,
    depth: int = 0,
    may_negate: bool | None = None,
    question: bool = False,
    tenses: Sequence[str] = tuple(TENSES),
    once: bool = False,
) -> VerbGroup:
    """Draw a verb with its complements for a subject; the options are those of ``draw_manner``."""
    may_negate = who.definite if may_negate is None else may_negate
    options = {"may_negate": may_negate, "question": question, "tenses": tenses, "once": once}
    if "person" in who.kinds and depth == 0 and not question and "present" in tenses and draft.richly(0.08):
        return saying(draft, who)
    return draft.rng.choice(_builders(who.kinds, bool(_fitting_adjectives(who))))(draft, who, depth=depth, **options)


@cache
def _builders(kinds: frozenset[str], with_be: bool) -> list[Callable]:
    """Return what a subject of these kinds can do, each as often as it is likely."""
    builders: list[Callable] = [be, be, be] if with_be else []
    if kinds & (BEING | {"food", "thing"}):
        builders += [intransitive] * 3
    if kinds & BEING:
        builders += [transitive] * 8 + [moving] * 2
    if kinds & PERSON:
        builders += [giving]
    return builders


def _fitting_adjectives(who: NounPhrase) -> tuple[Adjective, ...]:
    """Return the adjectives that may say what somebody is; of *I* and *we* those with one form for both genders."""
    return adjectives_after_be(who.kinds, who.gender is not None, who.person)


@cache
def adjectives_after_be(kinds: frozenset[str], known_gender: bool, person: int) -> tuple[Adjective, ...]:
    """Return the adjectives that may say what something of these kinds is."""
    if not known_gender and person == 2:
        return ()  # vous leaves the number open, too
    fitting = (each for each in lexicon.ADJECTIVES if each.kinds & kinds and each.english not in lexicon.NOT_AFTER_BE)
    return tuple(each for each in fitting if known_gender or each.masculine == each.feminine)


@cache
def verbs_with(
    family: tuple[Verb, ...], subjects: frozenset[str] | None = None, objects: frozenset[str] | None = None
) -> tuple[Verb, ...]:
    """Return the verbs that go with a subject or an object of these kinds."""
    return tuple(
        verb
        for verb in family
        if (subjects is None or verb.subjects & subjects) and (objects is None or verb.objects & objects)
    )


def be(draft: Draft, who: NounPhrase, depth: int = 0, **options) -> VerbGroup:
    """Draw *be* with an adjective that agrees with the subject."""
    manner = draw_manner(draft, who, None, **options)
    group = be_group(who, manner)
    fitting = _fitting_adjectives(who)
    first, second = draft.rng.sample(fitting, 2)
    words = english(first.english)
    _append(group, (words, french(first.french(who.gender or "m", who.plural), words)))
    if not manner.negation and draft.richly(0.2):
        words = english(f"and {second.english}")
        _append(
            group, (words, french("et", words[:1]) + french(second.french(who.gender or "m", who.plural), words[1:]))
        )
    return group


def intransitive(draft: Draft, who: NounPhrase, depth: int = 0, somewhere: bool = True, **options) -> VerbGroup:
    """Draw a verb without object, maybe with a place (if ``somewhere``), company or time."""
    verb = _verb(draft, who, verbs.INTRANSITIVE)
    manner = draw_manner(draft, who, verb, **{"may_negate": who.definite, **options})
    group = verb_group(verb, who, manner)
    if somewhere and draft.maybe(0.15 + 0.25 * draft.richness):
        _append(group, place(draft))
    elif draft.richly(0.3) and not who.kinds.isdisjoint(BEING):
        _append(group, company(draft))
    return _with_time(draft, group, manner, depth)


def moving(draft: Draft, who: NounPhrase, depth: int = 0, **options) -> VerbGroup:
    """Draw a verb of motion with where to or where from."""
    verb = _verb(draft, who, verbs.MOVING)
    manner = draw_manner(draft, who, verb, **options)
    group = verb_group(verb, who, manner)
    words = english(verb.preposition[0])
    _append(group, (words, french(verb.preposition[1], words)))
    goal = simple_noun_phrase(draft, verb.objects, definite(draft))
    if depth == 0:
        goal = lengthened(draft, goal, depth)
    _append(group, (goal.english, goal.french))
    return group


def transitive(draft: Draft, who: NounPhrase, depth: int = 0, somewhere: bool = True, **options) -> VerbGroup:
    """Draw a verb with a direct object: a pronoun before the French verb, or a noun phrase after it."""
    verb = _verb(draft, who, verbs.TRANSITIVE)
    if "person" in verb.objects and draft.maybe(0.25):
        row = draft.pronoun(other_than=who.person)
        third = row[5] == 3
        manner = draw_manner(draft, who, verb, past=third, **options)
        before = (row[7], row[6]) if third else None
        group = verb_group(verb, who, manner, clitic=(row[1], row[3]), before=before)
        return _with_time(draft, group, manner, depth)
    manner = draw_manner(draft, who, verb, **options)
    group = verb_group(verb, who, manner)
    phrase = direct_object(draft, verb, manner, depth)
    long = len(phrase.english)
    _append(group, (phrase.english, phrase.french))
    if long <= 3 and somewhere and draft.richly(0.3):
        _append(group, place(draft))
        return group
    return _with_time(draft, group, manner, depth) if long <= 4 else group


def direct_object(draft: Draft, verb: Verb, manner: Manner, depth: int) -> NounPhrase:
    """Draw a noun phrase as direct object; after a negation, *a* and *any* are *de*."""
    if manner.negation:
        if verb.negates_a and draft.maybe(0.4):
            return simple_noun_phrase(draft, verb.objects, lexicon.AFTER_NEGATION)
        phrase = simple_noun_phrase(draft, verb.objects, definite(draft))
        return lengthened(draft, phrase, depth)
    if "person" in verb.objects and draft.maybe(0.08):
        return name(draft)
    if draft.maybe(0.12):
        return owned_noun_phrase(draft, verb.objects)
    phrase = simple_noun_phrase(draft, verb.objects, any_determiner(draft))
    if draft.richly(0.25):
        other = simple_noun_phrase(draft, verb.objects, any_determiner(draft))
        words = english("and")
        phrase.english = phrase.english + words + other.english
        phrase.french = phrase.french + french("et", words) + other.french
        return phrase
    return lengthened(draft, phrase, depth)


def giving(draft: Draft, who: NounPhrase, depth: int = 0, **options) -> VerbGroup:
    """Draw a verb of giving: what, and to whom, as a pronoun before the French verb or as a phrase with à."""
    verb = _verb(draft, who, verbs.GIVING)
    manner = draw_manner(draft, who, verb, **options)
    row = None
    if draft.maybe(0.5):
        row = draft.pronoun(other_than=who.person)
    group = verb_group(verb, who, manner, clitic=(row[1], row[4]) if row else None)
    if manner.negation and draft.maybe(0.4):
        gift = simple_noun_phrase(draft, verb.objects, lexicon.AFTER_NEGATION)
    else:
        gift = simple_noun_phrase(draft, verb.objects, definite(draft) if draft.maybe(0.5) else lexicon.A)
    _append(group, (gift.english, gift.french))
    if row:
        return _with_time(draft, group, manner, depth)
    receiver = name(draft) if draft.maybe(0.25) else simple_noun_phrase(draft, PERSON, definite(draft))
    words = english("to")
    _append(group, (words + receiver.english, french("à", words) + receiver.french))
    return group


def saying(draft: Draft, who: NounPhrase) -> VerbGroup:
    """Draw a verb with a clause: thinks that ..., always present and affirmed, for the indicative in French."""
    verb = _verb(draft, who, verbs.SAYING)
    group = verb_group(verb, who, Manner("present"))
    link = english("that")
    inner = subject(draft, 1)
    inner_group = predicate(draft, inner, 1)
    _append(
        group, (link + inner.english + inner_group.english, french("que", link) + inner.french + inner_group.french)
    )
    return group


def _verb(draft: Draft, who: NounPhrase, family: tuple[Verb, ...]) -> Verb:
    verb = draft.rng.choice(verbs_with(family, subjects=who.kinds))
    draft.meet(who, verb)
    return verb


def _append(group: VerbGroup, phrase: tuple[list[English], list[French]]) -> None:
    group.english += phrase[0]
    group.french += phrase[1]


def _with_time(draft: Draft, group: VerbGroup, manner: Manner, depth: int) -> VerbGroup:
    """Maybe say when."""
    usual = manner.adverb or manner.negation == "never" or manner.question
    if depth == 0 and manner.tense in lexicon.TIMES and not usual and draft.maybe(0.15):
        when, translation = lexicon.TIMES[manner.tense]
        words = english(when)
        _append(group, (words, french(translation, words)))
    return group
