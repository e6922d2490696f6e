"""The built-in corpus: English-French sentence pairs with gold alignments, from the grammar of this package.

**One right translation.** The corpus is a function from English to French, so exact match is a fair measure. What
English leaves open is either not generated or decided once:

- no words of open gender (friend), number (sheep) or tense (read); no *it*; no perfect tenses beside the simple past;
- participles and adjectives agree only with what has a gender in English: never with I, we, you, me, us;
- *you* is *vous*; *they* and *them* are *ils* and *les*, and stand in no sentence with a feminine plural noun;
- *can*, *must* and *want* are *pouvoir*, *devoir* and *vouloir*; the past is the passé composé, but *was* is *était*;
- a relative clause belongs to the noun right before it, and no other noun of the phrase could have it;
- adverbs have one place on each side; questions have *est-ce que*, except about the subject and after *where is*.

**Splits.** Training, validation, test and composition sentences have 4 to 20 words, about equally many of each length;
those of ``longer`` have 21 to 30. All sets are disjoint in their English sentences. ``composition`` sentences each
hold a pair of words that meet in no other set: a noun with an adjective beside it, or a noun as the subject of a verb.
"""

import math
import random
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache

from transformer_course.data import lexicon, verbs
from transformer_course.data.sentences import SentencePair, draw_sentence

SHORTEST, LONGEST, LONGEST_OF_ALL = 4, 20, 30


@dataclass(frozen=True)
class Corpus:
    """Five lists of sentence pairs; see the module's text for what they are."""

    train: list[SentencePair]
    validation: list[SentencePair]
    test: list[SentencePair]
    longer: list[SentencePair]
    composition: list[SentencePair]


def load_corpus(num_train: int = 20_000, num_validation: int = 500, num_test: int = 1_000, seed: int = 0) -> Corpus:
    """Generate the corpus; the same arguments give the same corpus on every machine.

    Args:
        num_train: number of training pairs.
        num_validation: number of validation pairs.
        num_test: number of pairs in each of the three test sets.
        seed: another seed is another corpus. The test sets depend on nothing else than ``num_test`` and ``seed``.

    Returns:
        The corpus.

    Raises:
        ValueError: if a number is negative.
    """
    for name, number in (("num_train", num_train), ("num_validation", num_validation), ("num_test", num_test)):
        if number < 0:
            raise ValueError(f"{name}: expected 0 or more, got {number}")
    return Corpus(*map(list, _generate(num_train, num_validation, num_test, seed)))


@lru_cache(maxsize=4)
def _generate(num_train: int, num_validation: int, num_test: int, seed: int) -> tuple[tuple[SentencePair, ...], ...]:
    seen: set[tuple[str, ...]] = set()

    def draw(
        name: str, number: int, lengths: range, composed: bool = False, slack: float = 1.0
    ) -> tuple[SentencePair, ...]:
        return _draw_set(random.Random(f"{name} {seed}"), number, lengths, seen, composed, slack)

    usual = range(SHORTEST, LONGEST + 1)
    test = draw("test", num_test, usual)
    longer = draw("longer", num_test, range(LONGEST + 1, LONGEST_OF_ALL + 1))
    composition = draw("composition", num_test, usual, composed=True)
    validation = draw("validation", num_validation, usual)
    train = draw("train", num_train, usual, slack=1.2)
    return train, validation, test, longer, composition


def _draw_set(
    rng: random.Random, number: int, lengths: range, seen: set[tuple[str, ...]], composed: bool, slack: float
) -> tuple[SentencePair, ...]:
    """Draw sentences that were not seen, about equally many of each length, in random order.

    ``slack`` is how much room each length has, as a multiple of its even share: with more than 1 there is less waiting
    for the last sentences of rare lengths.
    """
    room = {length: math.ceil(slack * number / len(lengths)) for length in lengths}
    pairs: list[SentencePair] = []

    def accept(length: int, combinations: Set[tuple[str, str]]) -> bool:
        return room.get(length, 0) > 0 and composed != HELD_OUT.isdisjoint(combinations)

    while len(pairs) < number:
        wanted = rng.choice(lengths)
        if not room[wanted]:
            continue
        pair = draw_sentence(rng, (wanted - SHORTEST) / 13, accept)
        if pair and pair.source not in seen:
            seen.add(pair.source)
            room[len(pair.source)] -= 1
            pairs.append(pair)
    rng.shuffle(pairs)
    return tuple(pairs)


def _choose_held_out() -> frozenset[tuple[str, str]]:
    """Choose about one in twelve pairs, spread evenly: no noun, adjective or verb loses many of its partners."""
    partners = [each.english for each in lexicon.ADJECTIVES]
    for family in (verbs.TRANSITIVE, verbs.GIVING, verbs.INTRANSITIVE, verbs.MOVING, verbs.SAYING):
        partners += [verb.base for verb in family]
    return frozenset(
        (noun.english, partner)
        for row, noun in enumerate(lexicon.NOUNS)
        for column, partner in enumerate(partners)
        if (5 * row + 7 * column) % 12 == 0
    )


# Pairs of English base forms that meet only in ``composition``: (noun, adjective) and (noun, verb).
HELD_OUT = _choose_held_out()
