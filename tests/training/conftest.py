"""A tiny model and a tiny data set on which every part of training shows."""

import pytest
import torch

from transformer_course.common.tokens import BOS, EOS
from transformer_course.transformer import Transformer

VOCAB_SIZE = 11


@pytest.fixture
def examples():
    """Reverse a sequence: 60 examples of different lengths."""
    generator = torch.Generator().manual_seed(3)
    rows = []
    for _ in range(60):
        length = int(torch.randint(2, 7, (1,), generator=generator))
        words = torch.randint(4, VOCAB_SIZE, (length,), generator=generator).tolist()
        rows.append(([*words, EOS], [BOS, *reversed(words), EOS]))
    return rows


@pytest.fixture
def make_model():
    """Build the same small Transformer every time; dropout tells whether random numbers are restored."""

    def make(dropout: float = 0.0) -> Transformer:
        torch.manual_seed(5)
        return Transformer(
            VOCAB_SIZE,
            VOCAB_SIZE,
            d_model=8,
            num_heads=2,
            num_encoder_layers=1,
            num_decoder_layers=1,
            d_ff=16,
            dropout=dropout,
            norm_first=True,
        )

    return make
