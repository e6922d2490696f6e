"""Has not begun."""

from torch import Tensor, nn

SAYS = "NotImplementedError"


class MendedTransformer(nn.Module):
    """Do what BrokenTransformer should have done."""

    def __init__(self, vocab_size: int, d_model: int, num_heads: int, num_layers: int, d_ff: int):
        super().__init__()
        raise NotImplementedError

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return logits (batch, target_length, vocab_size)."""
        raise NotImplementedError
