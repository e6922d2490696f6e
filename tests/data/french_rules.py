"""Rules of French and of word alignment, checked on finished sentence pairs; only the word tables are shared."""

import unicodedata

from transformer_course.data import lexicon, verbs

ASPIRATED = {"héros", "hibou", "hiboux", "hérisson", "hérissons"}
FAMILIES = (verbs.TRANSITIVE, verbs.GIVING, verbs.INTRANSITIVE, verbs.MOVING, verbs.SAYING)
NOUNS = {form: noun for noun in lexicon.NOUNS for form in (noun.english, noun.english_plural)}
FRENCH_NOUNS = {form for noun in lexicon.NOUNS for form in (noun.french, noun.french_plural)}
ADJECTIVES = {each.english: each for each in lexicon.ADJECTIVES}
VERBS = {form: each for family in FAMILIES for each in family for form in (each.base, each.third, each.past)}
PARTICIPLES = {each.french.participle: each for family in FAMILIES for each in family}

# Determiners by gender and number of their noun; "de" stands after many and how many, and after a negation.
_BOTH = {False: {"l'", "de", "d'", "mon", "votre", "son", "notre", "leur", "chaque"}}
_BOTH[True] = {"les", "des", "de", "d'", "aux", "ces", "mes", "vos", "ses", "nos", "leurs", "plusieurs", "quelques"}
DETERMINERS = {
    ("m", False): _BOTH[False] | {"le", "un", "du", "au", "ce", "cet", "quel"},
    ("f", False): _BOTH[False] | {"la", "une", "cette", "ma", "sa", "quelle"},
    ("m", True): _BOTH[True] | {"quels"},
    ("f", True): _BOTH[True] | {"quelles"},
}
NUMERALS = {french for _, french in lexicon.NUMERALS}
ADVERBS = {row[1] for row in lexicon.ADVERBS}
ONLY_BEFORE_CONSONANT = {"le", "la", "je", "ne", "me", "de", "que", "ce", "ma", "sa"}
ONLY_BEFORE_VOWEL = {"bel", "vieil", "nouvel", "cet"}
FORBIDDEN = {("de", "le"), ("de", "les"), ("à", "le"), ("à", "les"), ("de", "des"), ("de", "de")}


def has_vowel_sound(word):
    """A vowel letter without its accent, or an h that is not in the list of aspirated words."""
    first = unicodedata.normalize("NFD", word.lower().replace("œ", "oe"))[0]
    return first in "aeiou" or (first == "h" and word not in ASPIRATED)


def forms(adjective, gender, plural):
    table = {
        ("m", False): {adjective.masculine, adjective.before_vowel},
        ("f", False): {adjective.feminine},
        ("m", True): {adjective.masculine_plural},
        ("f", True): {adjective.feminine_plural},
    }
    return table[gender, plural]


def verb_forms(verb):
    french = verb.french
    return {
        *(*french.present, french.infinitive, french.future + "a", french.future + "ont"),
        *(french.participle + ending for ending in ("", "e", "s", "es")),
    }


def agreeing(participle, gender, plural):
    return participle + ("e" if gender == "f" else "") + ("s" if plural else "")


def check_spelling(pair):
    """Elision before vowels and never otherwise, contraction, forms before vowels, a and an, no empty word."""
    for word in pair.source + pair.target:
        assert word
        assert word == word.strip()
        assert " " not in word
    assert pair.source[-1] == pair.target[-1]
    assert pair.source[-1] in ".?"
    for word, after in zip(pair.target, pair.target[1:], strict=False):
        if has_vowel_sound(after):
            assert word not in ONLY_BEFORE_CONSONANT, (word, after)
            # il est beau et grand, but: un bel arbre
            assert word not in ("beau", "nouveau") or after not in FRENCH_NOUNS
        else:
            assert not word.endswith("'"), (word, after)
            assert word not in ONLY_BEFORE_VOWEL, (word, after)
        assert (word, after) not in FORBIDDEN
    for word, after in zip(pair.source, pair.source[1:], strict=False):
        if word in ("a", "an"):
            assert (word == "an") == (after[0].lower() in "aeiou")


def check_alignment(pair):
    """Links in range; every word linked; nouns, adjectives, verbs linked to a form of their translation."""
    rows, columns = {row for row, _ in pair.alignment}, {column for _, column in pair.alignment}
    assert rows == set(range(len(pair.target)))
    assert columns == set(range(len(pair.source)))
    for position, word in enumerate(pair.source):
        linked = {pair.target[row] for row, column in pair.alignment if column == position}
        if word in NOUNS:
            noun = NOUNS[word]
            assert linked == {noun.french_plural if word == noun.english_plural else noun.french}
        elif word in ADJECTIVES:
            every = {
                form for gender in "mf" for plural in (False, True) for form in forms(ADJECTIVES[word], gender, plural)
            }
            assert len(linked) == 1
            assert linked <= every
        elif word in VERBS:
            assert linked & verb_forms(VERBS[word]), (word, linked)
        elif word in ("not", "never"):
            assert linked in ({"ne", "pas"}, {"n'", "pas"}, {"ne", "jamais"}, {"n'", "jamais"})


def check_noun_phrases(pair):
    """Determiner, numeral, adjectives and noun agree, and each adjective is on its side."""
    every_before = {form for each in lexicon.ADJECTIVES if each.before_noun for form in _all_forms(each)}
    every_after = {form for each in lexicon.ADJECTIVES if not each.before_noun for form in _all_forms(each)}
    source_of = {}
    for row, column in sorted(pair.alignment):
        source_of.setdefault(row, []).append(pair.source[column])
    for position in range(len(pair.target)):
        english = source_of[position]
        if len(english) != 1 or english[0] not in NOUNS:
            continue
        noun = NOUNS[english[0]]
        key = (noun.gender, english[0] == noun.english_plural)
        start = position
        while pair.target[start - 1] in every_before:
            start -= 1
            assert pair.target[start] in forms(ADJECTIVES[source_of[start][0]], *key)
        before = pair.target[start:position]
        if pair.target[start - 1] in NUMERALS:
            start -= 1
            assert key[1]
            assert (
                source_of[start][0]
                == dict((french, english) for english, french in lexicon.NUMERALS)[pair.target[start]]
            )
        determiner = pair.target[start - 1]
        assert start > 0
        assert determiner in DETERMINERS[key], (determiner, pair.target[position])
        if source_of[start - 1] == ["some"]:
            assert (determiner in ("de", "d'")) == bool(before)
        end = position + 1
        if pair.target[end] in every_after:
            assert pair.target[end] in forms(ADJECTIVES[source_of[end][0]], *key)
        if start > 1 and source_of[start - 2] == ["all"]:
            assert pair.target[start - 2] == {"m": "tous", "f": "toutes"}[noun.gender]


def check_verbs(pair):
    """Negation on both sides of the verb; persons after pronouns; participles that agree."""
    target = pair.target
    assert sum(word in ("ne", "n'") for word in target) == sum(word in ("pas", "jamais") for word in target)
    finite = {
        "je": {verb.french.present[0] for verb in VERBS.values()} | {"ai", "suis", "étais", "peux", "dois", "veux"},
        "ils": {verb.french.present[4] for verb in VERBS.values()}
        | {verb.french.future + "ont" for verb in VERBS.values()}
        | {"ont", "sont", "étaient", "seront", "peuvent", "doivent", "veulent"},
        "il": {verb.french.present[1] for verb in VERBS.values()}
        | {verb.french.future + "a" for verb in VERBS.values()}
        | {"a", "est", "était", "sera", "peut", "doit", "veut"},
    }
    finite["j'"], finite["elle"] = finite["je"], finite["il"]
    clitics = {"ne", "n'", "me", "m'", "le", "la", "l'", "les", "lui", "leur", "nous", "vous"}
    for position, word in enumerate(target):
        if word in finite:
            after = position + 1
            while target[after] in clitics:
                after += 1
            assert target[after] in finite[word], target[position : after + 1]
    known = {"her": ("f", False), "him": ("m", False), "them": ("m", True)}
    for row, column in pair.alignment:
        if target[row] in ("la", "le", "l'", "les") and pair.source[column] in known:
            after = row + 1
            if target[after] in ("ai", "a", "avons", "avez", "ont"):
                after += 1
                while target[after] in ADVERBS | {"pas", "jamais"}:
                    after += 1
                assert target[after] in {agreeing(base, *known[pair.source[column]]) for base in PARTICIPLES}


def check_first_subject(pair):
    """A sentence that begins with determiner, noun and être: what follows agrees with the noun."""
    target = list(pair.target)
    sources = {row: pair.source[column] for row, column in sorted(pair.alignment, reverse=True)}
    every_adjective = {form for each in lexicon.ADJECTIVES for form in _all_forms(each)}
    position = 0
    while position < len(target) and sources[position] not in NOUNS:
        if target[position] not in every_adjective | NUMERALS | {
            "le",
            "la",
            "l'",
            "les",
            "tous",
            "toutes",
            "ce",
            "ces",
        }:
            return
        position += 1
    noun = NOUNS[sources[position]]
    plural = sources[position] == noun.english_plural
    position += 1
    while target[position] in every_adjective | {"ne", "n'"}:
        position += 1
    singular_forms, plural_forms = {"est", "était", "sera"}, {"sont", "étaient", "seront"}
    if target[position] not in singular_forms | plural_forms:
        return
    assert target[position] in (plural_forms if plural else singular_forms)
    position += 1
    while target[position] in ADVERBS | {"pas", "jamais"}:
        position += 1
    adjective_forms = {form for each in lexicon.ADJECTIVES for form in forms(each, noun.gender, plural)}
    participles = {agreeing(base, noun.gender, plural) for base in PARTICIPLES}
    assert target[position] in adjective_forms | participles, " ".join(target)


def _all_forms(adjective):
    return {form for gender in "mf" for plural in (False, True) for form in forms(adjective, gender, plural)}


ALL_CHECKS = (check_spelling, check_alignment, check_noun_phrases, check_verbs, check_first_subject)
