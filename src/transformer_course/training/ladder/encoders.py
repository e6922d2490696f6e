"""Chapters 02 and 03 as layers: what the recurrent models of the ladder read the source sentence with.

`nn.GRU` computes what the loop over `gru_cell` in `encode` and `bidirectional_encode` computes, without the loop in
Python.

Dimension names: ``batch`` sentences, ``source_length`` positions of the padded source sentence.
"""

import torch
from torch import Tensor, nn

from transformer_course.common.tokens import PAD
from transformer_course.rnn_attention import reverse_sequences


class GRUEncoder(nn.Module):
    """Read the source sentence from the left.

    Source: Sutskever et al. (2014), section 2.

    Args:
        vocab_size: number of source words.
        d_embedding: width of an embedded word.
        d_hidden: width of the recurrent state.
    """

    def __init__(self, vocab_size: int, d_embedding: int, d_hidden: int):
        super().__init__()
        self.d_memory = d_hidden
        self.embedding = nn.Embedding(vocab_size, d_embedding, padding_idx=PAD)
        self.from_left = nn.GRU(d_embedding, d_hidden, batch_first=True)

    def forward(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Give the states at each word and the one at the end.

        Args:
            source: int64 ``(batch, source_length)``, padded on the right.

        Returns:
            The memory ``(batch, source_length, d_memory)``, 0 at padding, and the summary ``(batch, d_memory)``.
        """
        lengths = (source != PAD).sum(dim=1)  # (batch,)
        states, _ = self.from_left(self.embedding(source))  # (batch, source_length, d_hidden)
        return _without_padding(states, lengths), _last(states, lengths)


class BidirectionalGRUEncoder(GRUEncoder):
    """Read the source sentence from the left and from the right.

    Source: Bahdanau et al. (2015), section 3.2.

    Args:
        vocab_size: number of source words.
        d_embedding: width of an embedded word.
        d_hidden: width of the recurrent state of each direction.
    """

    def __init__(self, vocab_size: int, d_embedding: int, d_hidden: int):
        super().__init__(vocab_size, d_embedding, d_hidden)
        self.d_memory = 2 * d_hidden
        self.from_right = nn.GRU(d_embedding, d_hidden, batch_first=True)

    def forward(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Give the states of both directions at each word, and the one that each of them ends with.

        Args:
            source: int64 ``(batch, source_length)``, padded on the right.

        Returns:
            The memory ``(batch, source_length, d_memory)``, 0 at padding, and the summary ``(batch, d_memory)``.
        """
        lengths = (source != PAD).sum(dim=1)  # (batch,)
        embedded = self.embedding(source)  # (batch, source_length, d_embedding)
        left, _ = self.from_left(embedded)  # (batch, source_length, d_hidden)
        right, _ = self.from_right(reverse_sequences(embedded, lengths))  # (batch, source_length, d_hidden)
        memory = torch.cat([left, reverse_sequences(right, lengths)], dim=-1)  # (batch, source_length, d_memory)
        summary = torch.cat([_last(left, lengths), _last(right, lengths)], dim=-1)  # (batch, d_memory)
        return _without_padding(memory, lengths), summary


def _without_padding(states: Tensor, lengths: Tensor) -> Tensor:
    padding = torch.arange(states.shape[1], device=states.device) >= lengths.unsqueeze(1)  # (batch, source_length)
    return states.masked_fill(padding.unsqueeze(-1), 0.0)


def _last(states: Tensor, lengths: Tensor) -> Tensor:
    """Pick the state at the last real word, 0 for a sentence without words: ``(batch, d_hidden)``."""
    index = (lengths - 1).clamp(min=0).view(-1, 1, 1).expand(-1, 1, states.shape[2])  # (batch, 1, d_hidden)
    return states.gather(1, index).squeeze(1).masked_fill((lengths == 0).unsqueeze(1), 0.0)
