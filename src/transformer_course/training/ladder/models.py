"""The models of the ladder by name, in the order of the chapters."""

from collections.abc import Callable

from torch import nn

from transformer_course.training.ladder.gru import BidirectionalGRUTranslator, GRUTranslator
from transformer_course.training.ladder.gru_attention import BahdanauTranslator, LuongTranslator
from transformer_course.transformer import Transformer


def small_transformer(
    source_vocab_size: int, target_vocab_size: int, num_heads: int = 4, dropout: float = 0.0
) -> Transformer:
    """Build the Transformer of the ladder: two blocks a side, d_model 128, d_ff 512, norms first, tied weights.

    Args:
        source_vocab_size: number of different source tokens.
        target_vocab_size: number of different target tokens.
        num_heads: a divisor of 128.
        dropout: probability; the built-in language needs none, real sentences do.

    Returns:
        The model, with fresh weights.
    """
    return Transformer(
        source_vocab_size,
        target_vocab_size,
        d_model=128,
        num_heads=num_heads,
        num_encoder_layers=2,
        num_decoder_layers=2,
        d_ff=512,
        dropout=dropout,
        norm_first=True,
        tie_weights=True,
    )


# Each takes the sizes of the source and the target vocabulary; with those of the built-in language it has about one
# million parameters.
MODELS: dict[str, Callable[[int, int], nn.Module]] = {
    "gru": GRUTranslator,
    "bidirectional": BidirectionalGRUTranslator,
    "bahdanau": BahdanauTranslator,
    "luong": LuongTranslator,
    "transformer": small_transformer,
}
