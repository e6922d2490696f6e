"""The small translators of chapters 10 to 12: two blocks a side, width 64, trained on short sentences in seconds.

Both sides read words; sentences have at most eight of them in English.
"""

import copy
from typing import NamedTuple

import torch
from torch import nn

from transformer_course.common.tokens import Vocabulary
from transformer_course.data.batching import make_examples
from transformer_course.data.corpus import load_corpus
from transformer_course.data.sentences import SentencePair
from transformer_course.training.config import TrainingConfig
from transformer_course.training.loop import Trainer
from transformer_course.transformer import Transformer

SIZES = {"d_model": 64, "num_heads": 4, "num_encoder_layers": 2, "num_decoder_layers": 2, "d_ff": 256}
SETTINGS = {"learning_rate": 5e-3, "warmup_steps": 60}
LONGEST = 8


class SmallTranslator(NamedTuple):
    """A trained model, what it was before training, and all that it takes to use both."""

    model: nn.Module
    untrained: nn.Module
    english: Vocabulary
    french: Vocabulary
    train: list[SentencePair]
    test: list[SentencePair]
    losses: list[float]


def short_pairs(num_train: int, num_test: int = 400) -> tuple[list[SentencePair], list[SentencePair]]:
    """Return the training and the test pairs of the built-in corpus whose source has at most ``LONGEST`` words."""
    corpus = load_corpus(num_train=num_train, num_test=num_test)
    return tuple([pair for pair in pairs if len(pair.source) <= LONGEST] for pairs in (corpus.train, corpus.test))


def new_small_translator(num_train: int, seed: int = 0) -> SmallTranslator:
    """Make a small Transformer for the short sentences of the built-in corpus, with its first weights.

    Args:
        num_train: pairs of the corpus, before the long ones are left out.
        seed: of the first weights.

    Returns:
        Twice the same model, in evaluation mode, with its vocabularies and sentences and no losses.
    """
    train, test = short_pairs(num_train)
    english = Vocabulary.from_sentences(pair.source for pair in train)
    french = Vocabulary.from_sentences(pair.target for pair in train)
    torch.manual_seed(seed)
    model = Transformer(len(english), len(french), **SIZES, dropout=0.0, norm_first=True, tie_weights=True).eval()
    return SmallTranslator(model, copy.deepcopy(model), english, french, train, test, [])


def train_small_translator(num_train: int, num_steps: int, seed: int = 0) -> SmallTranslator:
    """Train a small Transformer on short sentences of the built-in corpus.

    Args:
        num_train: pairs of the corpus, before the long ones are left out.
        num_steps: updates.
        seed: of the first weights; the batches are the same for all.

    Returns:
        The model in evaluation mode, with its vocabularies and sentences.
    """
    small = new_small_translator(num_train, seed)
    examples = make_examples(small.train, small.english.encode, small.french.encode)
    losses = Trainer(small.model, examples, TrainingConfig(num_steps=num_steps, **SETTINGS)).run()
    return small._replace(model=small.model.eval(), losses=losses)
