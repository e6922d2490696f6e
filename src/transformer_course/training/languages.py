"""The languages that the command line can train on, each with its vocabularies and its splits."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from transformer_course.common.tokens import Vocabulary
from transformer_course.data.batching import Example, make_examples
from transformer_course.data.corpus import SentencePair, load_corpus

LANGUAGES = ("built-in",)


@dataclass(frozen=True)
class Language:
    """Sentence pairs and the vocabularies of their training split.

    Args:
        splits: pairs by the name of their split; "train" is one of them.
        source_vocabulary: of the training sources.
        target_vocabulary: of the training targets.
    """

    splits: dict[str, Sequence[SentencePair]]
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary

    def examples(self) -> list[Example]:
        """Return the training split as ids."""
        return make_examples(self.splits["train"], self.source_vocabulary.encode, self.target_vocabulary.encode)


def built_in_language(num_train: int = 20_000, num_test: int = 1_000, seed: int = 0) -> Language:
    """Generate the built-in English-French language.

    Args:
        num_train: training pairs.
        num_test: pairs of each test split.
        seed: of the generator.

    Returns:
        The language.
    """
    corpus = load_corpus(num_train=num_train, num_test=num_test, seed=seed)
    splits = {name: getattr(corpus, name) for name in ("train", "validation", "test", "longer", "composition")}
    return Language(
        splits,
        Vocabulary.from_sentences(pair.source for pair in corpus.train),
        Vocabulary.from_sentences(pair.target for pair in corpus.train),
    )


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
    if name not in LANGUAGES:
        raise ValueError(f"language: expected one of {', '.join(LANGUAGES)}, got {name!r}")
    if path is not None:
        raise ValueError(f"data: the built-in language is generated; expected no files, got {path}")
    return built_in_language()
