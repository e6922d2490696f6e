"""The verb and what stands around it: tense, negation, adverb, clitic, agreement of the participle, do-support."""

from dataclasses import dataclass

from transformer_course.data.noun_phrases import NounPhrase
from transformer_course.data.surface import English, French, english, french
from transformer_course.data.verbs import MODALS, Verb, auxiliary_form, be_form


@dataclass(frozen=True)
class Manner:
    """How a clause is said.

    Attributes:
        tense: ``present``, ``past``, ``future``, or a modal: ``can``, ``must``, ``want``.
        negation: ``""``, ``"not"`` or ``"never"``.
        adverb: English and French, or None.
        question: True where English puts the auxiliary before the subject.
    """

    tense: str
    negation: str = ""
    adverb: tuple[str, str] | None = None
    question: bool = False


@dataclass
class VerbGroup:
    """A verb with its auxiliaries in both languages; ``inverted`` is what English puts before the subject."""

    inverted: list[English]
    english: list[English]
    french: list[French]


def verb_group(
    verb: Verb,
    subject: NounPhrase,
    manner: Manner,
    clitic: tuple[str, str] | None = None,
    before: tuple[str, bool] | None = None,
) -> VerbGroup:
    """Put a verb in its form.

    Args:
        verb: the verb.
        subject: what it agrees with.
        manner: tense, negation, adverb, question.
        clitic: an object pronoun, English and French.
        before: gender and plural of a direct object before the verb, with which the participle agrees.

    Returns:
        The verb group, the clitic included on both sides.
    """
    person, plural = subject.person, subject.plural
    singular = person == 3 and not plural
    tense, negated = manner.tense, manner.negation == "not"
    supported = (negated or manner.question) and tense in ("present", "past", "want")
    helper = _helper(tense, supported, singular)
    not_words = english(manner.negation)
    adverb = english(manner.adverb[0]) if manner.adverb else []
    particle, clitic_words = english(verb.particle), english(clitic[0]) if clitic else []

    wish, to = [], []
    if tense == "want":
        wish, to = english("want" if supported else MODALS["want"][0 if singular else 1]), english("to")
    if helper or wish:
        main = english(verb.base)
    elif tense == "past":
        main = english(verb.past)
    else:
        main = english(verb.third if singular else verb.base)

    conjugation = verb.french
    meaning = main + particle
    # In a question the helper is "est-ce que"; elsewhere it belongs to the verb that carries the tense.
    carrier = [] if manner.question else helper
    infinitive: list[French] = []
    if tense == "present":
        finite = french(conjugation.present_form(person, plural), carrier + meaning)
    elif tense == "future":
        finite = french(conjugation.future_form(plural), helper + meaning)
    elif tense == "past":
        agreement = (subject.gender, plural) if conjugation.auxiliary == "être" else before
        participle = conjugation.participle_form(*agreement) if agreement else conjugation.participle
        finite = french(auxiliary_form(conjugation, person, plural), helper or main)
        infinitive = french(participle, meaning)
    else:
        finite = french(MODALS[tense][2].present_form(person, plural), wish + (carrier if wish else helper))
        infinitive = french(conjugation.infinitive, to + meaning)

    pronoun = french(clitic[1], clitic_words) if clitic else []
    ne, pas = _negation(manner.negation, not_words)
    after = pas + (french(manner.adverb[1], adverb) if manner.adverb else [])
    if tense in MODALS:  # ne peut pas souvent la voir
        target = ne + finite + after + pronoun + infinitive
    else:  # ne l' a pas souvent vue
        target = ne + pronoun + finite + after + infinitive
    # look for her, but: give her the book, come back
    rest = main + particle + clitic_words
    source = not_words + adverb + wish + to + rest
    if manner.question:
        return VerbGroup(helper, source, target)
    return VerbGroup([], helper + source, target)


def be_group(subject: NounPhrase, manner: Manner) -> VerbGroup:
    """Put *be* and être in their forms; the past of être is the imparfait."""
    person, plural = subject.person, subject.plural
    if manner.tense == "future":
        helper, main = english("will"), english("be")
    elif manner.tense == "past":
        helper, main = english("was" if not plural and person != 2 else "were"), []
    else:
        helper, main = english("am" if (person, plural) == (1, False) else "are" if plural else "is"), []
    not_words = english(manner.negation)
    adverb = english(manner.adverb[0]) if manner.adverb else []
    finite = french(be_form(manner.tense, person, plural), helper + main)
    ne, pas = _negation(manner.negation, not_words)
    target = ne + finite + pas + (french(manner.adverb[1], adverb) if manner.adverb else [])
    source = not_words + adverb + main
    if manner.question:
        return VerbGroup(helper, source, target)
    return VerbGroup([], helper + source, target)


def _helper(tense: str, supported: bool, singular: bool) -> list[English]:
    if tense in ("can", "must"):
        return english(tense)
    if tense == "future":
        return english("will")
    if not supported:
        return []
    if tense == "past":
        return english("did")
    return english("does" if singular else "do")


def _negation(negation: str, words: list[English]) -> tuple[list[French], list[French]]:
    if not negation:
        return [], []
    return french("ne", words), french("pas" if negation == "not" else "jamais", words)
