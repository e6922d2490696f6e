"""The rungs of the ladder by name, in the order of the chapters."""

from collections.abc import Callable

from torch import nn

from transformer_course.ladder.gru import BidirectionalGRUTranslator, GRUTranslator
from transformer_course.ladder.gru_attention import BahdanauTranslator, LuongTranslator

# Each takes the sizes of the source and the target vocabulary; with those of the built-in language it has about one
# million parameters.
RUNGS: dict[str, Callable[[int, int], nn.Module]] = {
    "gru": GRUTranslator,
    "bidirectional": BidirectionalGRUTranslator,
    "bahdanau": BahdanauTranslator,
    "luong": LuongTranslator,
}
