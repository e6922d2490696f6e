"""The first two models of the ladder: all that the decoder knows of the source sentence is one vector.

Chapter 02, and the encoder of chapter 03. Dimension names: ``batch`` sentences, ``source_length`` and
``target_length`` positions of the padded sentences, ``vocab_size`` target words.
"""

from torch import Tensor, nn

from transformer_course.common.tokens import PAD
from transformer_course.training.ladder.encoders import BidirectionalGRUEncoder, GRUEncoder

State = dict[str, Tensor]


class GRUTranslator(nn.Module):
    """Encoder and decoder are one GRU each; the last state of the one is the first of the other.

    Source: Sutskever et al. (2014), section 2, with GRUs of one layer in place of deep LSTMs.

    Args:
        source_vocab_size: number of source words.
        target_vocab_size: number of target words.
        d_embedding: width of an embedded word.
        d_hidden: width of the recurrent states.
    """

    def __init__(self, source_vocab_size: int, target_vocab_size: int, d_embedding: int = 128, d_hidden: int = 264):
        super().__init__()
        self.encoder = self.make_encoder(source_vocab_size, d_embedding, d_hidden)
        self.embedding = nn.Embedding(target_vocab_size, d_embedding, padding_idx=PAD)
        self.decoder = nn.GRU(d_embedding, d_hidden, batch_first=True)
        self.output = nn.Linear(d_hidden, target_vocab_size)

    def make_encoder(self, vocab_size: int, d_embedding: int, d_hidden: int) -> nn.Module:
        """Choose the encoder; its summary is as wide as the decoder's state."""
        return GRUEncoder(vocab_size, d_embedding, d_hidden)

    def forward(self, source: Tensor, target_input: Tensor) -> Tensor:
        """Say how well each word would follow, at each position of the right answer.

        Args:
            source: int64 ``(batch, source_length)``, padded on the right.
            target_input: int64 ``(batch, target_length)``; the word before, BOS first.

        Returns:
            The logits ``(batch, target_length, vocab_size)``.
        """
        hidden = self.start_decoding(source)["hidden"]  # (batch, d_hidden)
        states, _ = self.decoder(self.embedding(target_input), hidden.unsqueeze(0))  # (batch, target_length, d_hidden)
        return self.output(states)  # (batch, target_length, vocab_size)

    def attention_weights(self, source: Tensor, target_input: Tensor) -> Tensor:
        """Raise: this model looks at no word in particular."""
        raise NotImplementedError(f"{type(self).__name__} has no attention; the models of chapter 03 have")

    def start_decoding(self, source: Tensor) -> State:
        """Read the source sentences ``(batch, source_length)``; the state has sentences in dimension 0."""
        _, summary = self.encoder(source)
        return {"hidden": summary}

    def decode_step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read the last words ``(batch,)``; give the logits of the next ``(batch, vocab_size)`` and the new state."""
        states, hidden = self.decoder(self.embedding(tokens.unsqueeze(1)), state["hidden"].unsqueeze(0))
        return self.output(states.squeeze(1)), {"hidden": hidden.squeeze(0)}


class BidirectionalGRUTranslator(GRUTranslator):
    """The same, but the summary is half written from the left and half from the right.

    Source: Bahdanau et al. (2015), section 3.2, for the encoder.

    Args:
        source_vocab_size: number of source words.
        target_vocab_size: number of target words.
        d_embedding: width of an embedded word.
        d_hidden: width of the decoder's state, even; each direction of the encoder has half of it.
    """

    def __init__(self, source_vocab_size: int, target_vocab_size: int, d_embedding: int = 128, d_hidden: int = 288):
        if d_hidden % 2 != 0:
            raise ValueError(f"d_hidden: expected an even number, half for each direction, got {d_hidden}")
        super().__init__(source_vocab_size, target_vocab_size, d_embedding, d_hidden)

    def make_encoder(self, vocab_size: int, d_embedding: int, d_hidden: int) -> nn.Module:
        """Choose the encoder of both directions."""
        return BidirectionalGRUEncoder(vocab_size, d_embedding, d_hidden // 2)
