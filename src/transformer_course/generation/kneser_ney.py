"""The best model of text before neural networks: counts of n-grams, smoothed as Kneser and Ney said.

Source: Kneser & Ney (1995), "Improved Backing-off for M-gram Language Modeling"; Chen & Goodman (1999), "An Empirical
Study of Smoothing Techniques for Language Modeling", section 3, for the modified form with three discounts.

Dimension names: ``num_tokens`` of a text; ``vocab_size`` tokens to choose from. An n-gram is one integer, its tokens
the digits in base ``vocab_size``.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from transformer_course.common.validation import require_long, require_positive, require_shape


class Level(NamedTuple):
    """What is known of the n-grams of one length: the sorted n-grams with their shares, the sorted contexts.

    Args:
        grams: ``(num_grams,)``, sorted.
        shares: ``(num_grams,)``, the discounted count over the total of the context.
        contexts: ``(num_contexts,)``, sorted: the n-grams without their last token.
        left: ``(num_contexts,)``, the share that the discounts leave to the shorter context.
    """

    grams: Tensor
    shares: Tensor
    contexts: Tensor
    left: Tensor


class KneserNey:
    """Predict the next token from the last ``order - 1`` tokens, by counting.

    A context that was seen gives each token that followed it its count, less a discount; what the discounts take away
    is shared out as the next shorter context says. The longest n-grams are counted as they occur; shorter ones by how
    many different tokens stood before them.

    Source: Chen & Goodman (1999), section 3, equations 22 to 26.

    Args:
        tokens: int64 ``(num_tokens,)``, the text to count in.
        order: length of the longest n-gram, the predicted token included.
        vocab_size: number of different tokens.

    Raises:
        ValueError: if tokens are no such tensor, or the n-grams do not fit into 64 bits.

    >>> model = KneserNey(torch.tensor([0, 1, 0, 1, 0, 2, 0, 1, 0]), order=2, vocab_size=3)
    >>> model.next_probabilities(torch.tensor([0])).sum()
    tensor(1., dtype=torch.float64)
    """

    def __init__(self, tokens: Tensor, order: int, vocab_size: int):
        require_long("tokens", tokens)
        require_shape("tokens", tokens, ("num_tokens",))
        require_positive("order", order)
        require_positive("vocab_size", vocab_size)
        if vocab_size**order >= 2**63:
            raise ValueError(f"order: expected n-grams that fit into 64 bits, got {vocab_size} ** {order}")
        self.order, self.vocab_size = order, vocab_size
        self.levels: list[Level] = []
        grams, counts = torch.unique(_grams(tokens, order, vocab_size), return_counts=True)
        for length in range(order, 0, -1):
            self.levels.insert(0, _level(grams, counts, vocab_size))
            # A shorter n-gram counts once for each longer one that ends with it.
            grams, counts = torch.unique(grams % vocab_size ** (length - 1), return_counts=True)

    @property
    def num_grams(self) -> int:
        """How many n-grams of all lengths the model has seen."""
        return sum(len(level.grams) for level in self.levels)

    def probabilities_of(self, tokens: Tensor) -> Tensor:
        """Say how probable each token of a text was, given those before it: ``(num_tokens,)``, float64."""
        require_long("tokens", tokens)
        result = torch.full(tokens.shape, 1 / self.vocab_size, dtype=torch.float64)
        for length, level in enumerate(self.levels, start=1):
            if len(tokens) >= length:
                grams = _grams(tokens, length, self.vocab_size)
                result[length - 1 :] = _refine(level, grams, self.vocab_size, result[length - 1 :])
        return result

    def next_probabilities(self, context: Tensor) -> Tensor:
        """Say how probable each token is after a text ``(length,)``: ``(vocab_size,)``, float64."""
        words = torch.arange(self.vocab_size)
        result = torch.full((self.vocab_size,), 1 / self.vocab_size, dtype=torch.float64)
        for length, level in enumerate(self.levels, start=1):
            if len(context) >= length - 1:
                before = 0
                for token in context[len(context) - length + 1 :].tolist():
                    before = before * self.vocab_size + token
                result = _refine(level, before * self.vocab_size + words, self.vocab_size, result)
        return result

    def write(self, prompt: Tensor, num_tokens: int, generator: torch.Generator | None = None) -> Tensor:
        """Go on with a text ``(length,)``, each token drawn: ``(length + num_tokens,)``."""
        tokens = prompt.tolist()
        for _ in range(num_tokens):
            context = torch.tensor(tokens[-self.order :], dtype=torch.long)
            tokens.append(torch.multinomial(self.next_probabilities(context), 1, generator=generator).item())
        return torch.tensor(tokens, dtype=torch.long)


def _grams(tokens: Tensor, length: int, vocab_size: int) -> Tensor:
    """Number all n-grams of a text, ``(num_tokens - length + 1,)``; the last token is the lowest digit."""
    windows = tokens.unfold(0, length, 1)  # (num_tokens - length + 1, length)
    result = torch.zeros(windows.shape[0], dtype=torch.long)
    for column in windows.unbind(dim=1):
        result = result * vocab_size + column
    return result


def _level(grams: Tensor, counts: Tensor, vocab_size: int) -> Level:
    discount = _discounts(counts)[counts.clamp(max=3)]  # (num_grams,)
    contexts, place = torch.unique(grams // vocab_size, return_inverse=True)
    zeros = torch.zeros(len(contexts), dtype=torch.float64)
    total = zeros.index_add(0, place, counts.double())
    taken = zeros.index_add(0, place, discount)
    return Level(grams, (counts - discount) / total[place], contexts, taken / total)


def _discounts(counts: Tensor) -> Tensor:
    """What is taken off a count of 0, 1, 2, and 3 or more, estimated from how many n-grams occur 1 to 4 times."""
    occur = [int((counts == times).sum()) for times in range(5)]
    found = [0.5, 0.5, 0.5]  # where there is too little text to estimate them from
    if 0 not in occur[1:]:
        ratio = occur[1] / (occur[1] + 2 * occur[2])
        found = [times - (times + 1) * ratio * occur[times + 1] / occur[times] for times in (1, 2, 3)]
    limited = [min(max(each, 0.0), times) for times, each in enumerate(found, start=1)]
    return torch.tensor([0.0, *limited], dtype=torch.float64)


def _refine(level: Level, grams: Tensor, vocab_size: int, shorter: Tensor) -> Tensor:
    """Replace what the shorter contexts say, wherever this length of context was seen."""
    share, known = _look_up(level.grams, level.shares, grams)
    left, seen = _look_up(level.contexts, level.left, grams // vocab_size)
    return torch.where(seen, torch.where(known, share, 0.0) + left * shorter, shorter)


def _look_up(keys: Tensor, values: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    place = torch.searchsorted(keys, wanted).clamp(max=len(keys) - 1)
    return values[place], keys[place] == wanted
