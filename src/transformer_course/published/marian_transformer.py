"""The Transformer of chapter 10 as Marian's models use it: their decoder begins with the padding token.

Source: Junczys-Dowmunt et al. (2018), "Marian: Fast Neural Machine Translation in C++"; Tiedemann and Thottingal
(2020), "OPUS-MT: Building open translation services for the World", for the published models.

Dimension names: ``batch`` sentences; ``source_length`` and ``length`` tokens that are read and written.
"""

import torch
from torch import Tensor

from transformer_course.common.tokens import BOS, EOS
from transformer_course.decoding import CachedDecoder, State
from transformer_course.transformer import Transformer


class MarianTransformer(Transformer):
    """A ``Transformer`` whose target begins with padding, and which never writes it.

    Arguments are those of ``Transformer``; whoever loads weights sets the two attributes.

    Attributes:
        bos_id: the token that the decoder reads first.
        eos_id: the token that ends a sentence.
    """

    bos_id, eos_id = BOS, EOS

    def start_decoding(self, source: Tensor) -> State:
        """Read the source ``(batch, source_length)``, and keep what writing needs of it; see ``CachedDecoder``."""
        return CachedDecoder(self).start_decoding(source)

    def decode_step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one more token of each sentence, ids ``(batch,)``, and say which comes next: never padding.

        The row of padding is zero in the table of the published models, and so is its logit: above that of most words.
        """
        logits, state = CachedDecoder(self).decode_step(tokens, state)  # (batch, vocab_size)
        padding = torch.tensor([self.pad_id], device=logits.device)
        return logits.index_fill(-1, padding, -torch.inf), state
