"""From words to the ids that a model reads when it translates."""

from collections.abc import Sequence

from torch import Tensor

from transformer_course.common.tokens import EOS
from transformer_course.sequence_transduction import pad_sequences
from transformer_course.training.coders import Coder


def source_batch(sentences: Sequence[Sequence[str]], vocabulary: Coder) -> Tensor:
    """Turn sentences into one padded batch of sources; each ends with EOS.

    Args:
        sentences: lists of words.
        vocabulary: of the source language.

    Returns:
        ids ``(batch, source_length)``.
    """
    return pad_sequences([[*vocabulary.encode(sentence), EOS] for sentence in sentences])
