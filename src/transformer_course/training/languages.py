"""The languages that the command line can train on, each with its splits and what turns their words into ids."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from transformer_course.common.tokens import Vocabulary
from transformer_course.data.batching import Example, make_examples
from transformer_course.data.byte_pairs import BytePairs
from transformer_course.data.corpus import load_corpus
from transformer_course.data.parallel_text import TextPair, load_multi30k, load_tatoeba
from transformer_course.data.sentences import SentencePair
from transformer_course.training.coders import BytePairWords, Coder

LANGUAGES = ("built-in", "tatoeba", "multi30k")
LONGEST = 256  # ids of a side of a pair that is trained on
VOCAB_SIZE = 4_000  # ids of joint byte pairs
NUM_HELD_OUT = 500  # English sentences of Tatoeba for validation, and as many for the test


@dataclass(frozen=True)
class Language:
    """Sentence pairs and the vocabularies of their training split.

    Args:
        splits: pairs by the name of their split; "train" is one of them.
        source_vocabulary: of the training sources.
        target_vocabulary: of the training targets.
        notes: what a program that uses the sentences must show: the licence, and what was not checked.
    """

    splits: dict[str, Sequence[SentencePair]]
    source_vocabulary: Coder
    target_vocabulary: Coder
    notes: tuple[str, ...] = ()

    def examples(self) -> list[Example]:
        """Return the training split as ids: ``(source ids, target ids)`` for each pair without a side too long."""
        examples = make_examples(self.splits["train"], self.source_vocabulary.encode, self.target_vocabulary.encode)
        return [(source, target) for source, target in examples if max(len(source), len(target)) <= LONGEST]


def built_in_language(num_train: int = 20_000, num_test: int = 1_000) -> Language:
    """Generate the built-in English-French language.

    Args:
        num_train: training pairs.
        num_test: pairs of each test split.

    Returns:
        The language.
    """
    corpus = load_corpus(num_train=num_train, num_test=num_test)
    splits = {name: getattr(corpus, name) for name in ("train", "validation", "test", "longer", "composition")}
    return Language(
        splits,
        Vocabulary.from_sentences(pair.source for pair in corpus.train),
        Vocabulary.from_sentences(pair.target for pair in corpus.train),
    )


def tatoeba_language(path: Path | None = None) -> Language:
    """Load English-French sentences of Tatoeba; a random part is held out for validation and test.

    Args:
        path: the tab-separated file; None downloads it on first use.

    Returns:
        The language. All translations of one English sentence are in one split.

    Raises:
        ValueError: if there are too few sentences to hold any out.
    """
    text = load_tatoeba(path)
    by_source: dict[str, list[TextPair]] = {}
    for pair in text.pairs:
        by_source.setdefault(pair.source, []).append(pair)
    sources = list(by_source)
    if len(sources) < 4 * NUM_HELD_OUT:
        raise ValueError(f"data: expected at least {4 * NUM_HELD_OUT} English sentences, got {len(sources)}")
    random.Random(0).shuffle(sources)
    parts = {
        "validation": sources[:NUM_HELD_OUT],
        "test": sources[NUM_HELD_OUT : 2 * NUM_HELD_OUT],
        "train": sources[2 * NUM_HELD_OUT :],
    }
    splits = {name: [pair for source in part for pair in by_source[source]] for name, part in parts.items()}
    return _real_language(splits, (text.licence, *text.notes))


def multi30k_language(folder: Path | None = None, tokenized: bool = True) -> Language:
    """Load German-English Multi30k.

    Args:
        folder: where its files lie; None downloads them on first use.
        tokenized: lower-cased, tokenised text; False is the text as it was written.

    Returns:
        The language.
    """
    names = {"train": "train", "validation": "val", "test": "test_2016_flickr"}
    texts = {split: load_multi30k(name, tokenized=tokenized, folder=folder) for split, name in names.items()}
    notes = (texts["train"].licence, *(note for text in texts.values() for note in text.notes))
    return _real_language({split: text.pairs for split, text in texts.items()}, notes)


def load_language(name: str, path: Path | None = None) -> Language:
    """Load a language by name.

    Args:
        name: one of LANGUAGES.
        path: where its files lie; None downloads them on first use. The built-in language has no files.

    Returns:
        The language.

    Raises:
        ValueError: if there is no such language, or the built-in one is to be read from files.
    """
    if name == "built-in":
        if path is not None:
            raise ValueError(f"data: the built-in language is generated; expected no files, got {path}")
        return built_in_language()
    if name not in LANGUAGES:
        raise ValueError(f"language: expected one of {', '.join(LANGUAGES)}, got {name!r}")
    return tatoeba_language(path) if name == "tatoeba" else multi30k_language(path)


def _real_language(splits: dict[str, Iterable[TextPair]], notes: tuple[str, ...]) -> Language:
    """Learn joint byte pairs on the training split only; there are no gold alignments."""
    train = splits["train"]
    texts = [text for pair in train for text in (pair.source, pair.target)]
    coder = BytePairWords(BytePairs.train(texts, VOCAB_SIZE))
    words = {
        name: [SentencePair(tuple(pair.source.split()), tuple(pair.target.split()), frozenset()) for pair in pairs]
        for name, pairs in splits.items()
    }
    return Language(words, coder, coder, notes)
