"""The words of the built-in language, verbs excepted: nouns, adjectives, names, determiners, small words.

One English word has one French translation. Words whose gender English leaves open (friend, teacher), whose number it
leaves open (sheep) or whose tense it leaves open (read) are not in the list.

Every noun has *kinds*, and every adjective, verb and preposition says which kinds it goes with, so that most sentences
make sense.
"""

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Noun:
    """One noun in both languages, with its gender in French (``m`` or ``f``) and its kinds."""

    english: str
    english_plural: str
    french: str
    french_plural: str
    gender: str
    kinds: frozenset[str]


@dataclass(frozen=True, eq=False)
class Adjective:
    """One adjective in both languages.

    ``rank`` orders adjectives in English (opinion 0, size 1, age 2, colour 3). ``before_noun`` is its place in French,
    ``before_vowel`` the masculine singular before a vowel (vieil, bel, nouvel). ``kinds`` are the nouns that it fits.
    """

    english: str
    rank: int
    before_noun: bool
    masculine: str
    feminine: str
    masculine_plural: str
    feminine_plural: str
    before_vowel: str
    kinds: frozenset[str]

    def french(self, gender: str, plural: bool) -> str:
        """Return the form for one gender and number."""
        if gender == "m":
            return self.masculine_plural if plural else self.masculine
        return self.feminine_plural if plural else self.feminine


def _rows(table: str) -> list[list[str]]:
    return [line.split() for line in table.strip().splitlines()]


# English, its plural, French, its plural, gender, kinds. "nobodys": my woman would be my wife (ma femme).
NOUNS = tuple(
    Noun(*row[:5], frozenset(row[5:]))
    for row in _rows("""
    man          men            homme         hommes         m  person nobodys
    woman        women          femme         femmes         f  person nobodys
    boy          boys           garçon        garçons        m  person nobodys
    girl         girls          fille         filles         f  person nobodys
    child        children       enfant        enfants        m  person
    mother       mothers        mère          mères          f  person
    father       fathers        père          pères          m  person
    sister       sisters        sœur          sœurs          f  person
    uncle        uncles         oncle         oncles         m  person
    king         kings          roi           rois           m  person
    queen        queens         reine         reines         f  person
    hero         heroes         héros         héros          m  person
    actress      actresses      actrice       actrices       f  person
    cat          cats           chat          chats          m  animal
    dog          dogs           chien         chiens         m  animal
    horse        horses         cheval        chevaux        m  animal
    bird         birds          oiseau        oiseaux        m  animal
    owl          owls           hibou         hiboux         m  animal
    hedgehog     hedgehogs      hérisson      hérissons      m  animal
    elephant     elephants      éléphant      éléphants      m  animal
    mouse        mice           souris        souris         f  animal
    bee          bees           abeille       abeilles       f  animal
    apple        apples         pomme         pommes         f  food
    orange       oranges        orange        oranges        f  food
    egg          eggs           œuf           œufs           m  food
    book         books          livre         livres         m  thing text openable
    letter       letters        lettre        lettres        f  thing text openable
    song         songs          chanson       chansons       f  text audible
    key          keys           clé           clés           f  thing
    flower       flowers        fleur         fleurs         f  thing
    hat          hats           chapeau       chapeaux       m  thing
    tree         trees          arbre         arbres         m  sight landmark shelter
    table        tables         table         tables         f  thing landmark shelter top
    door         doors          porte         portes         f  openable landmark
    window       windows        fenêtre       fenêtres       f  openable landmark
    boat         boats          bateau        bateaux        m  sight landmark top
    car          cars           voiture       voitures       f  sight landmark inside
    garden       gardens        jardin        jardins        m  place goal landmark inside
    house        houses         maison        maisons        f  place goal landmark inside
    school       schools        école         écoles         f  place goal landmark inside
    market       markets        marché        marchés        m  place goal landmark
    castle       castles        château       châteaux       m  place goal landmark inside
    hotel        hotels         hôtel         hôtels         m  place goal landmark inside
    church       churches       église        églises        f  place goal landmark inside
    island       islands        île           îles           f  place landmark top
    bridge       bridges        pont          ponts          m  place goal landmark shelter top
    """)
)

# English, rank, place in French, four forms, form before a vowel, kinds.
ADJECTIVES = tuple(
    Adjective(row[0], int(row[1]), row[2] == "before", *row[3:8], frozenset(row[8:]))
    for row in _rows("""
    small      1 before petit     petite     petits     petites     petit     person animal food thing place sight
    big        1 before grand     grande     grands     grandes     grand     animal thing place sight
    young      2 before jeune     jeune      jeunes     jeunes      jeune     person animal
    old        2 before vieux     vieille    vieux      vieilles    vieil     person animal thing place sight
    new        2 before nouveau   nouvelle   nouveaux   nouvelles   nouvel    text thing place
    beautiful  0 before beau      belle      beaux      belles      bel       person animal text thing place sight
    good       0 before bon       bonne      bons       bonnes      bon       food text
    red        3 after  rouge     rouge      rouges     rouges      rouge     food thing openable
    blue       3 after  bleu      bleue      bleus      bleues      bleu      thing openable sight
    green      3 after  vert      verte      verts      vertes      vert      food thing openable
    white      3 after  blanc     blanche    blancs     blanches    blanc     animal thing openable place
    black      3 after  noir      noire      noirs      noires      noir      animal thing openable
    happy      0 after  heureux   heureuse   heureux    heureuses   heureux   person animal
    sad        0 after  triste    triste     tristes    tristes     triste    person animal text
    tired      0 after  fatigué   fatiguée   fatigués   fatiguées   fatigué   person animal
    calm       2 after  calme     calme      calmes     calmes      calme     person animal place
    long       1 before long      longue     longs      longues     long      text
    """)
)

NOT_AFTER_BE = frozenset({"new"})
"""Adjectives that stand only beside a noun: after *be*, *new* would have two translations (nouveau, neuf)."""

NAMES = (("Emma", "f"), ("Alice", "f"), ("Clara", "f"), ("Paul", "m"), ("Louis", "m"), ("Victor", "m"))

ASPIRATED = frozenset({"héros", "hibou", "hiboux", "hérisson", "hérissons"})
"""Words whose h blocks elision: *le hibou*, but *l'homme*."""


@dataclass(frozen=True, eq=False)
class Determiner:
    """One determiner in one number, with its French forms for a masculine and a feminine noun."""

    english: str
    plural: bool
    masculine: str
    feminine: str


THE = (Determiner("the", False, "le", "la"), Determiner("the", True, "les", "les"))
THIS = (Determiner("this", False, "ce", "cette"), Determiner("these", True, "ces", "ces"))
POSSESSIVE = tuple(
    Determiner(english, plural, *forms)
    for english, masculine, feminine, plurals in (
        ("my", "mon", "ma", "mes"),
        ("your", "votre", "votre", "vos"),
        ("his", "son", "sa", "ses"),
        ("her", "son", "sa", "ses"),
        ("our", "notre", "notre", "nos"),
        ("their", "leur", "leur", "leurs"),
    )
    for plural, forms in ((False, (masculine, feminine)), (True, (plurals, plurals)))
)
KNOWN = frozenset((*THE, *THIS, *POSSESSIVE))
"""Determiners of what is known: a numeral can follow them, and they may stand in the subject of a negation."""
A = (Determiner("a", False, "un", "une"),)
SOME = (Determiner("some", True, "des", "des"),)
EVERY = (Determiner("every", False, "chaque", "chaque"),)
SEVERAL = (
    Determiner("several", True, "plusieurs", "plusieurs"),
    Determiner("a few", True, "quelques", "quelques"),
    Determiner("many", True, "beaucoup de", "beaucoup de"),
)
AFTER_NEGATION = (Determiner("a", False, "de", "de"), Determiner("any", True, "de", "de"))
WHICH = (Determiner("which", False, "quel", "quelle"), Determiner("which", True, "quels", "quelles"))
HOW_MANY = (Determiner("how many", True, "combien de", "combien de"),)
NUMERALS = (("two", "deux"), ("three", "trois"), ("four", "quatre"), ("five", "cinq"), ("six", "six"), ("ten", "dix"))

# English, French, kinds of the noun that follows.
PREPOSITIONS = (
    ("in", "dans", frozenset({"inside"})),
    ("on", "sur", frozenset({"top"})),
    ("under", "sous", frozenset({"shelter"})),
    ("behind", "derrière", frozenset({"landmark"})),
    ("in front of", "devant", frozenset({"landmark"})),
    ("near", "près de", frozenset({"landmark"})),
    ("next to", "à côté de", frozenset({"landmark"})),
    ("far from", "loin de", frozenset({"place"})),
)
COMPANY = (("with", "avec"), ("without", "sans"))

# English, French, may stand with "not".
ADVERBS = (
    ("often", "souvent", True),
    ("always", "toujours", True),
    ("sometimes", "parfois", False),
    ("rarely", "rarement", False),
)
TIMES = {"present": ("today", "aujourd'hui"), "past": ("yesterday", "hier"), "future": ("tomorrow", "demain")}

# English subject and object, French subject, direct object, indirect object, person, plural, gender where it is known.
PRONOUNS = (
    ("I", "me", "je", "me", "me", 1, False, None),
    ("we", "us", "nous", "nous", "nous", 1, True, None),
    ("you", "you", "vous", "vous", "vous", 2, True, None),
    ("he", "him", "il", "le", "lui", 3, False, "m"),
    ("she", "her", "elle", "la", "lui", 3, False, "f"),
    ("they", "them", "ils", "les", "leur", 3, True, "m"),
)
