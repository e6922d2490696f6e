"""Translations and alignments written by hand, one or more for each phenomenon of the built-in language.

Each French word is followed by the positions of the English words that it translates. The grammar builds the same
sentence from its parts; both sides and all links must be equal.
"""

import pytest

from transformer_course.data import lexicon, verbs
from transformer_course.data.noun_phrases import NounPhrase, build_noun_phrase, build_owned, pronoun
from transformer_course.data.surface import english, french, write
from transformer_course.data.verb_groups import Manner, be_group, verb_group

DETERMINERS = [
    *(*lexicon.THE, *lexicon.THIS, *lexicon.POSSESSIVE, *lexicon.A, *lexicon.SOME, *lexicon.EVERY),
    *(*lexicon.SEVERAL, *lexicon.WHICH, *lexicon.HOW_MANY),
]
FAMILIES = (verbs.TRANSITIVE, verbs.GIVING, verbs.INTRANSITIVE, verbs.MOVING, verbs.SAYING)


def noun_phrase(text, after_negation=False):
    """Build "the two small owls" or a first name."""
    names = dict(lexicon.NAMES)
    if text in names:
        words = english(text)
        return NounPhrase(words, french(text, words), names[text], False)
    if " 's " in text or " ' " in text:
        owner, owned = text.split(" 's " if " 's " in text else " ' ")
        return build_owned(noun_phrase(f"the {owned}"), noun_phrase(owner))
    *words, last = text.split()
    noun = next(each for each in lexicon.NOUNS if last in (each.english, each.english_plural))
    every_one = words[0] == "all"
    words = words[every_one:]
    adjectives = [each for each in lexicon.ADJECTIVES if each.english in words]
    numeral = next((each for each in lexicon.NUMERALS if each[0] in words), None)
    known = {each.english for each in adjectives} | {numeral[0] if numeral else ""}
    determiner = " ".join(word for word in words if word not in known)
    choices = lexicon.AFTER_NEGATION if after_negation else DETERMINERS
    found = [each for each in choices if each.english == determiner and each.plural == (last == noun.english_plural)]
    return build_noun_phrase(found[0], noun, adjectives, numeral, every_one)


def who(text):
    row = next((each for each in lexicon.PRONOUNS if each[0] == text), None)
    return pronoun(row) if row else noun_phrase(text)


def words(text, translation):
    return english(text), translation


def verb(base, subject, tense="present", negation="", adverb=None, question=False, clitic=None, before=None):
    manner = Manner(tense, negation, adverb, question)
    if base == "be":
        return be_group(subject, manner)
    found = next(each for family in FAMILIES for each in family if each.base == base)
    return verb_group(found, subject, manner, clitic, before)


def sentence(*parts):
    """Join noun phrases, verb groups and (English words, French text) into a written sentence."""
    source, target = [], []
    for part in parts:
        if isinstance(part, tuple):
            source += part[0]
            target += french(part[1], part[0])
        else:
            source += part.english
            target += part.french
    return source, target


def asked(subject, group, *rest, first=None):
    """Put the auxiliary before the subject, and est-ce que before everything but a question word."""
    before = [first] if first else []
    return sentence(*before, (group.inverted, "est-ce que"), subject, group, *rest)


def simple(subject, *verb_arguments, rest=(), **options):
    subject = who(subject)
    return sentence(subject, verb(verb_arguments[0], subject, *verb_arguments[1:], **options), *rest)


def question(subject, *verb_arguments, rest=(), first=None, **options):
    subject = who(subject)
    group = verb(verb_arguments[0], subject, *verb_arguments[1:], question=True, **options)
    return asked(subject, group, *rest, first=first)


def be_adjective(adjective, feminine=False, plural=False):
    found = next(each for each in lexicon.ADJECTIVES if each.english == adjective)
    return words(adjective, found.french("f" if feminine else "m", plural))


def related(head, link, subject=None, base="see", **options):
    """Build a head with a relative clause: qui without a subject, else que."""
    head = noun_phrase(head)
    if subject is None:
        return head, words(link, "qui"), verb(base, head, **options)
    subject = who(subject)
    if options.get("tense") == "past":
        options["before"] = (head.gender, head.plural)
    return head, words(link, "que"), subject, verb(base, subject, **options)


OFTEN, ALWAYS = ("often", "souvent"), ("always", "toujours")
NP = noun_phrase
GOLD = [
    # gender and number, adjectives on both sides, a/an
    ("the small green apple", NP, "la/0 petite/1 pomme/3 verte/2"),
    ("an old owl", NP, "un/0 vieux/1 hibou/2"),
    ("an old elephant", NP, "un/0 vieil/1 éléphant/2"),
    ("the beautiful bird", NP, "le/0 bel/1 oiseau/2"),
    ("the new hotel", NP, "le/0 nouvel/1 hôtel/2"),
    ("the old hotels", NP, "les/0 vieux/1 hôtels/2"),
    ("some beautiful women", NP, "de/0 belles/1 femmes/2"),
    ("some happy women", NP, "des/0 femmes/2 heureuses/1"),
    ("the sad old man", NP, "le/0 vieil/2 homme/3 triste/1"),
    ("all the white horses", NP, "tous/0 les/1 chevaux/3 blancs/2"),
    # elision and aspirated h
    ("the island", NP, "l'/0 île/1"),
    ("the hero", NP, "le/0 héros/1"),
    ("many elephants", NP, "beaucoup/0 d'/0 éléphants/1"),
    ("many hedgehogs", NP, "beaucoup/0 de/0 hérissons/1"),
    ("how many oranges", NP, "combien/0,1 d'/0,1 oranges/2"),
    # possessives, demonstratives, numerals, owners, contraction
    ("my school", NP, "mon/0 école/1"),
    ("my small school", NP, "ma/0 petite/1 école/2"),
    ("her father", NP, "son/0 père/1"),
    ("his three sisters", NP, "ses/0 trois/1 sœurs/2"),
    ("this tree", NP, "cet/0 arbre/1"),
    ("this owl", NP, "ce/0 hibou/1"),
    ("this flower", NP, "cette/0 fleur/1"),
    ("the king 's two horses", NP, "les/2 deux/3 chevaux/4 du/0,2 roi/1"),
    ("the kings ' castle", NP, "le/2 château/3 des/0,2 rois/1"),
    ("my uncle 's boat", NP, "le/2 bateau/3 de/2 mon/0 oncle/1"),
    ("Emma 's letter", NP, "la/1 lettre/2 d'/1 Emma/0"),
    # negation, do-support, adverbs, tenses
    ("she does not sing", simple("she", "sing", "present", "not"), "elle/0 ne/2 chante/1,3 pas/2"),
    ("he never helps me", simple("he", "help", "present", "never", clitic=("me", "me")),
     "il/0 ne/1 m'/3 aide/2 jamais/1"),
    ("I did not often work", simple("I", "work", "past", "not", OFTEN),
     "je/0 n'/2 ai/1 pas/2 souvent/3 travaillé/4"),
    ("Paul will see her", simple("Paul", "see", "future", clitic=("her", "la")), "Paul/0 la/3 verra/1,2"),
    ("the queen always opens the window", simple("the queen", "open", "present", "", ALWAYS,
                                                 rest=(NP("the window"),)),
     "la/0 reine/1 ouvre/3 toujours/2 la/4 fenêtre/5"),
    ("the boy does not see a cat", simple("the boy", "see", "present", "not", rest=(NP("a cat", True),)),
     "le/0 garçon/1 ne/3 voit/2,4 pas/3 de/5 chat/6"),
    ("we did not buy any eggs", simple("we", "buy", "past", "not", rest=(NP("any eggs", True),)),
     "nous/0 n'/2 avons/1 pas/2 acheté/3 d'/4 œufs/5"),
    # clitics and agreement of the participle
    ("we saw her", simple("we", "see", "past", clitic=("her", "la"), before=("f", False)),
     "nous/0 l'/2 avons/1 vue/1"),
    ("you did not find them", simple("you", "find", "past", "not", clitic=("them", "les"), before=("m", True)),
     "vous/0 ne/2 les/4 avez/1 pas/2 trouvés/3"),
    ("I gave her a key", simple("I", "give", "past", clitic=("her", "lui"), rest=(NP("a key"),)),
     "je/0 lui/2 ai/1 donné/1 une/3 clé/4"),
    ("they look for you", simple("they", "look", clitic=("you", "vous")), "ils/0 vous/3 cherchent/1,2"),
    ("the bees came back from the garden", simple("the bees", "come", "past",
                                                  rest=(words("from", "de"), NP("the garden"))),
     "les/0 abeilles/1 sont/2 revenues/2,3 du/4,5 jardin/6"),
    ("Clara went to the church", simple("Clara", "go", "past", rest=(words("to", "à"), NP("the church"))),
     "Clara/0 est/1 allée/1 à/2 l'/3 église/4"),
    ("he goes to the market", simple("he", "go", rest=(words("to", "à"), NP("the market"))),
     "il/0 va/1 au/2,3 marché/4"),
    # infinitives
    ("she does not want to see him", simple("she", "see", "want", "not", clitic=("him", "le")),
     "elle/0 ne/2 veut/1,3 pas/2 le/6 voir/4,5"),
    ("we can help them", simple("we", "help", "can", clitic=("them", "les")), "nous/0 pouvons/1 les/3 aider/2"),
    # be
    ("the girls were never sad", simple("the girls", "be", "past", "never", rest=(be_adjective("sad", True, True),)),
     "les/0 filles/1 n'/3 étaient/2 jamais/3 tristes/4"),
    ("the car will be white", simple("the car", "be", "future", rest=(be_adjective("white", True),)),
     "la/0 voiture/1 sera/2,3 blanche/4"),
    # relative clauses, agreement across them
    ("the apple that the children ate", sentence(*related("the apple", "that", "the children", "eat", tense="past")),
     "la/0 pomme/1 que/2 les/3 enfants/4 ont/5 mangée/5"),
    ("the letters that I did not write", sentence(
        *related("the letters", "that", "I", "write", tense="past", negation="not")),
     "les/0 lettres/1 que/2 je/3 n'/5 ai/4 pas/5 écrites/6"),
    ("the flower that he follows", sentence(*related("the flower", "that", "he", "follow")),
     "la/0 fleur/1 qu'/2 il/3 suit/4"),
    ("the girl who left", sentence(*related("the girl", "who", base="leave", tense="past")),
     "la/0 fille/1 qui/2 est/3 partie/3"),
    # questions
    ("does she sleep", question("she", "sleep"), "est-ce/0 qu'/0 elle/1 dort/2"),
    ("where did the bird sing", question("the bird", "sing", "past", first=words("where", "où")),
     "où/0 est-ce/1 que/1 l'/2 oiseau/3 a/1 chanté/4"),
    ("what will Alice find", question("Alice", "find", "future", first=words("what", "que")),
     "qu'/0 est-ce/1 qu'/1 Alice/2 trouvera/1,3"),
    ("is the owl calm", question("the owl", "be", rest=(be_adjective("calm"),)),
     "est-ce/0 que/0 le/1 hibou/2 est/0 calme/3"),
    # places
    ("in front of the door", sentence(words("in front of", "devant"), NP("the door")), "devant/0,1,2 la/3 porte/4"),
    ("near the bridge", sentence(words("near", "près de"), NP("the bridge")), "près/0 du/0,1 pont/2"),
    ("next to the trees", sentence(words("next to", "à côté de"), NP("the trees")),
     "à/0,1 côté/0,1 des/0,1,2 arbres/3"),
    ("far from the island", sentence(words("far from", "loin de"), NP("the island")), "loin/0,1 de/0,1 l'/2 île/3"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "built", "expected"), GOLD, ids=[row[0] for row in GOLD])
def test_translation_and_alignment(text, built, expected):
    if built is noun_phrase:
        built = sentence(noun_phrase(text.replace("an ", "a ") if text.startswith("an ") else text))
    source, target, links = write(*built)
    written = [each.split("/") for each in expected.split()]
    assert " ".join(source) == text
    assert " ".join(target) == " ".join(word for word, _ in written)
    gold = {(row, int(column)) for row, (_, columns) in enumerate(written) for column in columns.split(",")}
    assert links == gold
