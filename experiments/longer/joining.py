"""Two ways to train positions that no training sentence reaches, with the same sentence pairs.

Dimension names: ``batch`` sentences, ``length`` positions of the longest of them.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch

from transformer_course.data.batching import Batch, Example
from transformer_course.training.config import TrainingConfig
from transformer_course.training.loop import Trainer
from transformer_course.transformer import Transformer


def join_pairs(examples: Sequence[Example], share: float, rng: random.Random) -> list[Example]:
    """Join some of the pairs by twos: source after source, target after target.

    No pair is left out and none comes twice. The EOS of the first sentence and the BOS of the second are dropped.

    Source: Kondo et al. (2021), "Sentence Concatenation Approach to Data Augmentation for Neural Machine Translation".

    Args:
        examples: source ids that end with EOS, target ids from BOS to EOS.
        share: of the pairs that are joined, 0 to 1.
        rng: chooses which, and with which other.

    Returns:
        Fewer and longer examples: the pairs that stay as they are, then the joined ones.

    Raises:
        ValueError: if share lies outside 0 to 1.

    >>> join_pairs([([7, 2], [1, 8, 2]), ([7, 2], [1, 8, 2])], 1.0, random.Random(0))
    [([7, 7, 2], [1, 8, 8, 2])]
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share: expected a number from 0 to 1, got {share}")
    order = rng.sample(range(len(examples)), len(examples))
    num_joined = int(share * len(order)) // 2 * 2
    joined = []
    for first, second in zip(order[:num_joined:2], order[1:num_joined:2], strict=True):
        (source, target), (next_source, next_target) = examples[first], examples[second]
        joined.append((source[:-1] + next_source, target[:-1] + next_target[1:]))
    return [examples[index] for index in order[num_joined:]] + joined


class JoiningTrainer(Trainer):
    """Join a part of the pairs, others with others in every pass over the data.

    Args:
        model: as for `Trainer`.
        examples: likewise.
        config: likewise.
        share: of the pairs that are joined.
        num_plain: how many passes over the data come first in which no pair is joined.
    """

    def __init__(
        self,
        model: Transformer,
        examples: Sequence[Example],
        config: TrainingConfig,
        share: float,
        num_plain: int = 0,
    ) -> None:
        super().__init__(model, examples, config)
        self.share, self.num_plain = share, num_plain

    def examples_of_epoch(self) -> Sequence[Example]:
        """Join the pairs; which, depends on the seed and on the number of the pass."""
        if self.progress.epoch < self.num_plain:
            return self.examples
        return join_pairs(self.examples, self.share, random.Random(f"{self.config.seed} {self.progress.epoch}"))


@contextmanager
def positions_from(model: Transformer, source_start: int, target_start: int) -> Iterator[None]:
    """Let a model count its positions from other numbers than 0.

    Args:
        model: adds encodings of positions to its embeddings.
        source_start: the position of the first source token.
        target_start: the position of BOS.

    Yields:
        Nothing; at the end the model counts from 0 again.
    """
    embeddings = (model.source_embedding, model.target_embedding)
    whole = [embedding.encoding for embedding in embeddings]
    try:
        for embedding, encoding, start in zip(embeddings, whole, (source_start, target_start), strict=True):
            embedding.encoding = encoding[start:]  # (max_length - start, d_model)
        yield
    finally:
        for embedding, encoding in zip(embeddings, whole, strict=True):
            embedding.encoding = encoding


class ShiftingTrainer(Trainer):
    """Let the positions of every batch start at a number between 0 and a largest one, the same on both sides.

    Source: Kiyono et al. (2021), "SHAPE: Shifted Absolute Position Embedding for Transformers".

    Args:
        model: as for `Trainer`.
        examples: likewise.
        config: likewise.
        largest: the largest start.
    """

    def __init__(self, model: Transformer, examples: Sequence[Example], config: TrainingConfig, largest: int) -> None:
        super().__init__(model, examples, config)
        self.largest = largest

    def _loss(self, batch: Batch) -> torch.Tensor:
        start = int(torch.randint(self.largest + 1, ()))
        with positions_from(self.model, start, start):
            return super()._loss(batch)
