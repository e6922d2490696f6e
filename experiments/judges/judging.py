"""Other judges of grammar, beside the masked language model of chapter 14: a causal model, n-grams, a linear layer.

Dimension names: ``pairs`` minimal pairs; ``batch`` sentences of ``length`` words.
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from torch import Tensor
from torch.nn import functional as F

from experiments.masked_language.pretraining import Run, Text, batches_of_one_length, train_on
from transformer_course.common.tokens import BOS, PAD
from transformer_course.data.agreement_pairs import Group
from transformer_course.generation.kneser_ney import KneserNey
from transformer_course.masked_language_model import MaskedLanguageModel, mean_pool

Score = Callable[[Tensor], Tensor]
"""From sentences ``(batch, length)`` to the log probability of each word given those before it; 0 for padding."""


class CausalModel(MaskedLanguageModel):
    """The network of chapter 14, weight for weight, under the causal mask of chapter 13.

    Padding stands behind the words, where the causal mask hides it.
    """

    def encode(self, tokens: Tensor) -> Tensor:
        """Read from left to right: token ids ``(batch, length)`` to vectors ``(batch, length, d_model)``."""
        x = self.token(tokens) + self.position.weight[: tokens.shape[1]]  # (batch, length, d_model)
        for block in self.blocks:
            x = block(x, is_causal=True)
        return self.norm(x)


def words_before(tokens: Tensor) -> Tensor:
    """Move sentences ``(batch, length)`` one to the right, so that each place holds the word before it."""
    return torch.cat([torch.full_like(tokens[:, :1], BOS), tokens[:, :-1]], dim=1)


def pretrain_causal(
    model: CausalModel,
    sentences: Sequence[Tensor],
    num_updates: int,
    seed: int = 0,
    learning_rate: float = 4e-3,
    max_tokens: int = 512,
) -> Run:
    """Let a model predict each word from those before it, on the batches that `pretrain` would read.

    Args:
        model: to be trained.
        sentences: what it reads.
        num_updates: how often its weights change.
        seed: for the order of the sentences.
        learning_rate: the highest.
        max_tokens: at most so many tokens in a batch.

    Returns:
        The run.
    """
    batches = batches_of_one_length(sentences, max_tokens, torch.Generator().manual_seed(seed))

    def loss_of() -> Tensor:
        tokens = next(batches)
        return F.cross_entropy(model(words_before(tokens)).mT, tokens)

    return train_on(model, loss_of, num_updates, learning_rate, num_updates // 20)


def by_model(model: CausalModel) -> Score:
    """Let a causal model say how probable each word is after those before it."""

    def score(tokens: Tensor) -> Tensor:
        with torch.no_grad():
            said = model(words_before(tokens)).log_softmax(dim=-1)  # (batch, length, vocab_size)
        return said.gather(2, tokens[..., None])[..., 0].where(tokens != PAD, 0)

    return score


def by_counts(text: Text, order: int) -> Score:
    """Count n-grams in a text, each sentence after a token for its beginning, and let the counts say the same."""
    ngrams = KneserNey(torch.cat([F.pad(each, (1, 0), value=BOS) for each in text.train]), order, len(text.vocabulary))

    def score(tokens: Tensor) -> Tensor:
        rows = [ngrams.probabilities_of(F.pad(row, (1, 0), value=BOS))[1:].log() for row in tokens]
        return torch.stack(rows).where(tokens != PAD, 0)

    return score


def of_pairs(score: Score, groups: Sequence[Group], text: Text) -> tuple[Tensor, Tensor, Tensor]:
    """Judge minimal pairs from left to right.

    Args:
        score: of each word, given those before it.
        groups: of four sentences.
        text: for its vocabulary.

    Returns:
        Whether the right form of the verb is the more probable one after the words before it, ``(pairs,)``; the log
        probabilities of the right sentences, ``(pairs,)``; and those of the wrong ones.
    """
    pairs = [pair for group in groups for pair in group.pairs]
    right, wrong = (score(text.encode([pair[side] for pair in pairs])) for side in (0, 1))  # (pairs, length)
    rows, places = torch.arange(len(pairs)), torch.tensor([place for _, _, place in pairs])
    return right[rows, places] > wrong[rows, places], right.sum(dim=1), wrong.sum(dim=1)


def sentence_vectors(model: MaskedLanguageModel, tokens: Tensor) -> Tensor:
    """Give what the linear layer of a classifier sees: the mean of the vectors of each sentence, ``(batch, d)``."""
    with torch.no_grad():
        return mean_pool(model.encode(tokens), tokens != PAD)


def fit_head(vectors: Tensor, labels: Tensor, strength: float = 1.0) -> Callable[[Tensor, Tensor], float]:
    """Fit a linear layer to the end, by logistic regression on vectors of mean 0 and deviation 1.

    Args:
        vectors: ``(num_sentences, d)``, of a model that does not change.
        labels: ``(num_sentences,)``.
        strength: of the labels against the penalty on large weights.

    Returns:
        A function from vectors and labels to the share that is labelled rightly.
    """
    mean, deviation = vectors.mean(dim=0), vectors.std(dim=0)
    learned = LogisticRegression(C=strength, max_iter=10_000).fit(
        ((vectors - mean) / deviation).numpy(), labels.numpy()
    )

    def share_right(some: Tensor, known: Tensor) -> float:
        return float(np.mean(learned.predict(((some - mean) / deviation).numpy()) == known.numpy()))

    return share_right
