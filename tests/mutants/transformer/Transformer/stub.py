"""Has not begun."""

from torch import Tensor, nn

from transformer_course.common.tokens import PAD

SAYS = "NotImplementedError"


class Transformer(nn.Module):
    """Read a sentence with a stack of encoder blocks, write another with a stack of decoder blocks."""

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        d_model: int = 512,
        num_heads: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        d_ff: int = 2048,
        dropout: float = 0.1,
        norm_first: bool = False,
        max_length: int = 512,
        tie_weights: bool = False,
        pad_id: int = PAD,
    ):
        super().__init__()
        raise NotImplementedError

    def encode(self, source: Tensor) -> Tensor:
        """Read: token ids (batch, source_length) to the memory (batch, source_length, d_model)."""
        raise NotImplementedError

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Say what comes next at each position of the target: logits (batch, target_length, target_vocab_size)."""
        raise NotImplementedError

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Read the source, and say at each position of the target what comes next."""
        raise NotImplementedError
