"""The verbs of the built-in language: English forms, French conjugation, and what each goes with."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Conjugation:
    """One French verb. ``present`` holds je, il, nous, vous, ils; ``future`` is the stem before -ai, -a, -ons, ..."""

    infinitive: str
    present: tuple[str, str, str, str, str]
    future: str
    participle: str
    auxiliary: str = "avoir"

    def present_form(self, person: int, plural: bool) -> str:
        """Return the present for one person."""
        return self.present[_column(person, plural)]

    def future_form(self, plural: bool) -> str:
        """Return the futur simple for the third person, the only one that the language uses."""
        return self.future + ("ont" if plural else "a")

    def participle_form(self, gender: str, plural: bool) -> str:
        """Return the past participle for one gender and number."""
        return self.participle + ("e" if gender == "f" else "") + ("s" if plural else "")


def _column(person: int, plural: bool) -> int:
    return {(1, False): 0, (3, False): 1, (1, True): 2, (2, True): 3, (3, True): 4}[person, plural]


def regular(infinitive: str, auxiliary: str = "avoir") -> Conjugation:
    """Conjugate a regular verb in -er (*-ger* keeps its e before o)."""
    stem = infinitive.removesuffix("er")
    soft = "e" if stem.endswith("g") else ""
    present = (stem + "e", stem + "e", stem + soft + "ons", stem + "ez", stem + "ent")
    return Conjugation(infinitive, present, infinitive, stem + "é", auxiliary)


def _irregular(text: str, auxiliary: str = "avoir") -> Conjugation:
    infinitive, *present, future, participle = text.split()
    return Conjugation(infinitive, tuple(present), future, participle, auxiliary)


@dataclass(frozen=True, eq=False)
class Verb:
    """One verb in both languages.

    ``particle`` belongs to the English verb (look *for*); ``preposition`` stands before a complement on both sides
    (go *to*, aller *à*). ``subjects`` and ``objects`` are kinds of nouns. ``has_past`` is False where the English past
    calls for the imparfait rather than the passé composé; ``negates_a`` where *not ... a* is not *ne ... pas de*.
    """

    base: str
    third: str
    past: str
    french: Conjugation
    subjects: frozenset[str]
    objects: frozenset[str] = frozenset()
    particle: str = ""
    preposition: tuple[str, str] | None = None
    has_past: bool = True
    negates_a: bool = True


def _verb(english: str, french: Conjugation, subjects: str, objects: str = "", **others) -> Verb:
    base, third, past = english.split()
    return Verb(base, third, past, french, frozenset(subjects.split()), frozenset(objects.split()), **others)


TRANSITIVE = (
    _verb(
        "see sees saw",
        _irregular("voir vois voit voyons voyez voient verr vu"),
        "person animal",
        "person animal food thing place sight",
    ),
    _verb("find finds found", regular("trouver"), "person animal", "person animal food thing"),
    _verb(
        "follow follows followed",
        _irregular("suivre suis suit suivons suivez suivent suivr suivi"),
        "person animal",
        "person animal",
    ),
    _verb(
        "hear hears heard",
        _irregular("entendre entends entend entendons entendez entendent entendr entendu"),
        "person animal",
        "person animal audible",
    ),
    _verb(
        "love loves loved",
        regular("aimer"),
        "person animal",
        "person animal food text place",
        has_past=False,
        negates_a=False,
    ),
    _verb("watch watches watched", regular("regarder"), "person animal", "person animal sight"),
    _verb(
        "buy buys bought",
        _irregular("acheter achète achète achetons achetez achètent achèter acheté"),
        "person",
        "food thing",
    ),
    _verb(
        "open opens opened",
        _irregular("ouvrir ouvre ouvre ouvrons ouvrez ouvrent ouvrir ouvert"),
        "person",
        "openable",
    ),
    _verb("eat eats ate", regular("manger"), "person animal", "food"),
    _verb(
        "write writes wrote",
        _irregular("écrire écris écrit écrivons écrivez écrivent écrir écrit"),
        "person",
        "text",
    ),
    _verb("help helps helped", regular("aider"), "person animal", "person animal"),
    _verb(
        "look looks looked",
        regular("chercher"),
        "person animal",
        "person animal food thing place",
        particle="for",
    ),
    _verb(
        "wait waits waited",
        _irregular("attendre attends attend attendons attendez attendent attendr attendu"),
        "person animal",
        "person animal",
        particle="for",
    ),
)

GIVING = (
    _verb("give gives gave", regular("donner"), "person", "food thing"),
    _verb("show shows showed", regular("montrer"), "person", "food thing animal"),
)

INTRANSITIVE = (
    _verb("sleep sleeps slept", _irregular("dormir dors dort dormons dormez dorment dormir dormi"), "person animal"),
    _verb("sing sings sang", regular("chanter"), "person animal"),
    _verb("work works worked", regular("travailler"), "person"),
    _verb("run runs ran", _irregular("courir cours court courons courez courent courr couru"), "person animal"),
    _verb("arrive arrives arrived", regular("arriver", "être"), "person animal"),
    _verb("fall falls fell", regular("tomber", "être"), "person animal food thing"),
    _verb(
        "leave leaves left",
        _irregular("partir pars part partons partez partent partir parti", "être"),
        "person animal",
    ),
)

MOVING = (
    _verb(
        "go goes went",
        _irregular("aller vais va allons allez vont ir allé", "être"),
        "person animal",
        "goal",
        preposition=("to", "à"),
    ),
    _verb(
        "come comes came",
        _irregular("revenir reviens revient revenons revenez reviennent reviendr revenu", "être"),
        "person animal",
        "place",
        particle="back",
        preposition=("from", "de"),
    ),
)

# Followed by a clause: only in the present, only affirmed, so that the French clause is in the indicative.
SAYING = (
    _verb("think thinks thought", regular("penser"), "person"),
    _verb("say says said", _irregular("dire dis dit disons dites disent dir dit"), "person"),
    _verb("know knows knew", _irregular("savoir sais sait savons savez savent saur su"), "person animal"),
)

# Followed by an infinitive; the English forms are for the third person singular and for all others.
MODALS = {
    "can": ("can", "can", _irregular("pouvoir peux peut pouvons pouvez peuvent pourr pu")),
    "must": ("must", "must", _irregular("devoir dois doit devons devez doivent devr dû")),
    "want": ("wants", "want", _irregular("vouloir veux veut voulons voulez veulent voudr voulu")),
}

AVOIR = ("ai", "a", "avons", "avez", "ont")
ETRE = {
    "present": ("suis", "est", "sommes", "êtes", "sont"),
    "past": ("étais", "était", "étions", "étiez", "étaient"),
    "future": ("serai", "sera", "serons", "serez", "seront"),
}


def auxiliary_form(verb: Conjugation, person: int, plural: bool) -> str:
    """Return the present of the verb's auxiliary for one person."""
    forms = AVOIR if verb.auxiliary == "avoir" else ETRE["present"]
    return forms[_column(person, plural)]


def be_form(tense: str, person: int, plural: bool) -> str:
    """Return the form of être for a tense (past = imparfait) and person."""
    return ETRE[tense][_column(person, plural)]
