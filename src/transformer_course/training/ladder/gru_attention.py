"""Models three and four of the ladder: for every target word, the decoder looks back at all source words.

Chapter 03. Dimension names: ``batch`` sentences, ``source_length`` and ``target_length`` positions of the padded
sentences, ``vocab_size`` target words, ``d_memory`` the width of the encoder's states, ``d_attention`` the width of
the hidden layer of the additive score.
"""

import torch
from torch import Tensor, nn

from transformer_course.common.tokens import PAD
from transformer_course.masking import masked_softmax
from transformer_course.rnn_attention import attend
from transformer_course.training.ladder.encoders import BidirectionalGRUEncoder
from transformer_course.training.ladder.gru import State


class AttentionTranslator(nn.Module):
    """What the two models have in common; in `_read` each says how its decoder goes through words that are given."""

    def forward(self, source: Tensor, target_input: Tensor) -> Tensor:
        """Say how well each word would follow, at each position of the right answer.

        Args:
            source: int64 ``(batch, source_length)``, padded on the right.
            target_input: int64 ``(batch, target_length)``; the word before, BOS first.

        Returns:
            The logits ``(batch, target_length, vocab_size)``.
        """
        logits, _, _ = self._read(target_input, self.start_decoding(source))
        return logits

    def attention_weights(self, source: Tensor, target_input: Tensor) -> Tensor:
        """Say where the decoder looks for each word, ``(batch, target_length, source_length)``; 0 at padding."""
        _, weights, _ = self._read(target_input, self.start_decoding(source))
        return weights

    def start_decoding(self, source: Tensor) -> State:
        """Read the source sentences ``(batch, source_length)``; the state has sentences in dimension 0."""
        memory, summary = self.encoder(source)
        return {
            "hidden": torch.tanh(self.first_hidden(summary)),  # (batch, d_hidden)
            "memory": memory,  # (batch, source_length, d_memory)
            "mask": source != PAD,  # (batch, source_length)
        }

    def decode_step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read the last words ``(batch,)``; give the logits of the next ``(batch, vocab_size)`` and the new state."""
        logits, _, hidden = self._read(tokens.unsqueeze(1), state)
        return logits.squeeze(1), {**state, "hidden": hidden}


class BahdanauTranslator(AttentionTranslator):
    """Look first, with the state before the word, and then read the word and what was seen.

    Source: Bahdanau et al. (2015), section 3 and appendix A; the last layer is the one of Luong et al. (2015) in place
    of the maxout layer.

    Args:
        source_vocab_size: number of source words.
        target_vocab_size: number of target words.
        d_embedding: width of an embedded word.
        d_encoder: width of the recurrent state of each direction of the encoder.
        d_hidden: width of the decoder's state.
        d_attention: width of the hidden layer of the score.
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        d_embedding: int = 128,
        d_encoder: int = 112,
        d_hidden: int = 232,
        d_attention: int = 128,
    ):
        super().__init__()
        self.encoder = BidirectionalGRUEncoder(source_vocab_size, d_embedding, d_encoder)
        d_memory = self.encoder.d_memory
        self.first_hidden = nn.Linear(d_memory, d_hidden)
        self.embedding = nn.Embedding(target_vocab_size, d_embedding, padding_idx=PAD)
        self.w_query = nn.Linear(d_hidden, d_attention, bias=False)
        self.w_key = nn.Linear(d_memory, d_attention, bias=False)
        self.v = nn.Linear(d_attention, 1, bias=False)
        self.cell = nn.GRUCell(d_embedding + d_memory, d_hidden)
        self.combine = nn.Linear(d_hidden + d_memory, d_embedding)
        self.output = nn.Linear(d_embedding, target_vocab_size)

    def start_decoding(self, source: Tensor) -> State:
        """Read the source sentences, and project their keys, which are the same for every target word."""
        state = super().start_decoding(source)
        return {**state, "keys": self.w_key(state["memory"])}  # (batch, source_length, d_attention)

    def _read(self, target_input: Tensor, state: State) -> tuple[Tensor, Tensor, Tensor]:
        """Go through the words one by one: the state needs the context, which needs the state before."""
        hidden, seen, maps = state["hidden"], [], []
        for embedded in self.embedding(target_input).unbind(dim=1):
            from_query = self.w_query(hidden).unsqueeze(1)  # (batch, 1, d_attention)
            scores = self.v(torch.tanh(from_query + state["keys"])).squeeze(-1)  # (batch, source_length)
            context, weights = attend(scores, state["memory"], state["mask"])  # (batch, d_memory)
            hidden = self.cell(torch.cat([embedded, context], dim=-1), hidden)  # (batch, d_hidden)
            seen.append(torch.cat([hidden, context], dim=-1))
            maps.append(weights)
        logits = self.output(torch.tanh(self.combine(torch.stack(seen, dim=1))))  # (batch, target_length, vocab_size)
        return logits, torch.stack(maps, dim=1), hidden


class LuongTranslator(AttentionTranslator):
    """Read the word first, and then look, with the state after it: no loop is needed.

    Source: Luong et al. (2015), section 3.1 (global attention, score "general"), without the input feeding of section
    3.3, which would need the loop again.

    Args:
        source_vocab_size: number of source words.
        target_vocab_size: number of target words.
        d_embedding: width of an embedded word.
        d_encoder: width of the recurrent state of each direction of the encoder.
        d_hidden: width of the decoder's state.
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        d_embedding: int = 128,
        d_encoder: int = 128,
        d_hidden: int = 272,
    ):
        super().__init__()
        self.encoder = BidirectionalGRUEncoder(source_vocab_size, d_embedding, d_encoder)
        d_memory = self.encoder.d_memory
        self.first_hidden = nn.Linear(d_memory, d_hidden)
        self.embedding = nn.Embedding(target_vocab_size, d_embedding, padding_idx=PAD)
        self.decoder = nn.GRU(d_embedding, d_hidden, batch_first=True)
        self.w_query = nn.Linear(d_hidden, d_memory, bias=False)
        self.combine = nn.Linear(d_hidden + d_memory, d_embedding)
        self.output = nn.Linear(d_embedding, target_vocab_size)

    def _read(self, target_input: Tensor, state: State) -> tuple[Tensor, Tensor, Tensor]:
        """Read any number of words at once: all states first, then all looks back in one matrix product."""
        memory = state["memory"]
        hidden, last = self.decoder(self.embedding(target_input), state["hidden"].unsqueeze(0))
        scores = self.w_query(hidden) @ memory.transpose(1, 2)  # (batch, target_length, source_length)
        weights = masked_softmax(scores, state["mask"].unsqueeze(1))
        context = weights @ memory  # (batch, target_length, d_memory)
        seen = torch.cat([hidden, context], dim=-1)  # (batch, target_length, d_hidden + d_memory)
        return self.output(torch.tanh(self.combine(seen))), weights, last.squeeze(0)
