"""Luong's model with a choice of scores, with weights that can be taken from its hands, and how the small ones learn.

Chapter 03. Dimension names as in ``gru_attention``.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.tokens import PAD
from transformer_course.masking import masked_softmax
from transformer_course.training.ladder.gru import State
from transformer_course.training.ladder.gru_attention import LuongTranslator
from transformer_course.training.updates import make_updates

SCORES = ("dot", "general", "concat", "uniform")


class ScoredTranslator(LuongTranslator):
    """Luong's translator with a choice of scores, or without any choice of where to look.

    Source: Luong et al. (2015), section 3.1, equation 8. "uniform" gives every source word the same weight, always:
    the baseline of Wiegreffe & Pinter (2019).

    Args:
        score: one of ``SCORES``.
        source_vocab_size: number of source words.
        target_vocab_size: number of target words.
        d_embedding: width of an embedded word.
        d_hidden: width of the decoder's state, even; each direction of the encoder has half of it.

    Raises:
        ValueError: if the score is unknown.
    """

    def __init__(self, score: str, source_vocab_size: int, target_vocab_size: int, d_embedding: int, d_hidden: int):
        if score not in SCORES:
            raise ValueError(f"score: expected one of {', '.join(SCORES)}, got {score!r}")
        super().__init__(source_vocab_size, target_vocab_size, d_embedding, d_encoder=d_hidden // 2, d_hidden=d_hidden)
        self.kind = score
        if score != "general":
            del self.w_query
        if score == "concat":
            d_attention = d_hidden // 2
            self.w_query = nn.Linear(d_hidden, d_attention, bias=False)
            self.w_key = nn.Linear(d_hidden, d_attention, bias=False)
            self.v = nn.Linear(d_attention, 1, bias=False)

    def logits_with(self, source: Tensor, target_input: Tensor, weights: Tensor) -> Tensor:
        """Say how well each word would follow if the decoder had looked elsewhere.

        No look depends on an earlier one in this model, so each row of weights changes the logits of its word alone.

        Args:
            source: int64 ``(batch, source_length)``, padded on the right.
            target_input: int64 ``(batch, target_length)``; the word before, BOS first.
            weights: ``(batch, target_length, source_length)``, in place of the model's own.

        Returns:
            The logits ``(batch, target_length, vocab_size)``.
        """
        state = self.start_decoding(source)
        hidden, _ = self.decoder(self.embedding(target_input), state["hidden"].unsqueeze(0))
        return self._answer(hidden, state["memory"], weights)

    def _read(self, target_input: Tensor, state: State) -> tuple[Tensor, Tensor, Tensor]:
        memory = state["memory"]
        hidden, last = self.decoder(self.embedding(target_input), state["hidden"].unsqueeze(0))
        weights = masked_softmax(self._scores(hidden, memory), state["mask"].unsqueeze(1))
        return self._answer(hidden, memory, weights), weights, last.squeeze(0)

    def _scores(self, hidden: Tensor, memory: Tensor) -> Tensor:
        """Compare every state of the decoder with every source word, ``(batch, target_length, source_length)``."""
        if self.kind == "uniform":
            return hidden.new_zeros(*hidden.shape[:2], memory.shape[1])
        if self.kind == "concat":
            pairs = self.w_query(hidden).unsqueeze(2) + self.w_key(memory).unsqueeze(1)
            return self.v(torch.tanh(pairs)).squeeze(-1)
        query = self.w_query(hidden) if self.kind == "general" else hidden
        return query @ memory.transpose(1, 2)

    def _answer(self, hidden: Tensor, memory: Tensor, weights: Tensor) -> Tensor:
        seen = torch.cat([hidden, weights @ memory], dim=-1)  # (batch, target_length, d_hidden + d_memory)
        return self.output(torch.tanh(self.combine(seen)))  # (batch, target_length, vocab_size)


def train_small(model: nn.Module, source: Tensor, target: Tensor, num_updates: int, learning_rate: float) -> nn.Module:
    """Train with Adam on 32 sentences at a time, with a learning rate that falls in a straight line to a twentieth.

    Which sentences come when is drawn from torch's own generator, as the first weights are: seed it before both.

    Args:
        model: a translator of the ladder.
        source: int64 ``(batch, source_length)``, all sentences.
        target: int64 ``(batch, target_length)``, their translations with BOS and EOS.
        num_updates: how many.
        learning_rate: of the first update.

    Returns:
        The model, in eval mode.
    """

    def loss_of_batch() -> Tensor:
        chosen = torch.randint(len(source), (32,))
        logits = model(source[chosen], target[chosen, :-1])  # (batch, target_length, vocab_size)
        return F.cross_entropy(logits.flatten(0, 1), target[chosen, 1:].flatten(), ignore_index=PAD)

    def rate_at(step: float) -> float:
        return learning_rate * (1 - 0.95 * step / num_updates)

    make_updates(torch.optim.Adam(model.parameters()), loss_of_batch, num_updates, rate_at=rate_at, max_grad_norm=1.0)
    return model.eval()
