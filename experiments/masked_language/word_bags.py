"""Baselines of chapter 14: logistic regression on the words of a sentence, or on its pairs of neighbours."""

from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

Words = Sequence[str]


def counts(words: Words, longest: int = 1) -> dict[str, int]:
    """Count the runs of 1 to ``longest`` words of a sentence."""
    found: dict[str, int] = {}
    for size in range(1, longest + 1):
        for start in range(len(words) - size + 1):
            run = " ".join(words[start : start + size])
            found[run] = found.get(run, 0) + 1
    return found


def bag_accuracy(
    train: Sequence[Words], labels: Sequence[int], test: Sequence[Words], test_labels: Sequence[int], longest: int = 1
) -> float:
    """Train logistic regression on counts, and give the share of test sentences that it labels rightly.

    Args:
        train: sentences to learn from.
        labels: one for each.
        test: other sentences.
        test_labels: one for each of them.
        longest: count runs of up to so many words; 1 is a bag of words.

    Returns:
        The share, from 0 to 1.

    Raises:
        ValueError: if longest is below 1.
    """
    if longest < 1:
        raise ValueError(f"longest: expected at least 1, got {longest}")
    vectors = DictVectorizer()
    learned = LogisticRegression(C=1.0, max_iter=2000)
    learned.fit(vectors.fit_transform([counts(words, longest) for words in train]), np.asarray(labels))
    said = learned.predict(vectors.transform([counts(words, longest) for words in test]))
    return float((said == np.asarray(test_labels)).mean())
