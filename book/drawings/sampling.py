"""Drawing sentences from a model in the place of searching for the best one: chapter 11.

Source: Holtzman et al. (2020), "The Curious Case of Neural Text Degeneration", section 3.1 (nucleus); Fan et al.
(2018), "Hierarchical Neural Story Generation", section 5.4 (top k); Eikema & Aziz (2020), "Is MAP Decoding All You
Need?", section 6 (minimum Bayes risk from samples).

Dimension names: ``batch`` sentences; ``vocab_size`` words to choose from.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from transformer_course.common.validation import require_floating, require_within
from transformer_course.language_model import filter_logits
from transformer_course.rnn_encoder_decoder import Step, greedy_decode


def kept_probabilities(
    logits: Tensor, temperature: float = 1.0, top_k: int | None = None, nucleus: float = 1.0
) -> Tensor:
    """Return the probabilities with which words are drawn: made sharper or flatter, and without the tail.

    Args:
        logits: ``(..., vocab_size)``.
        temperature: divides the logits; below 1 the probable words gain.
        top_k: how many words stay, the most probable ones; None keeps all.
        nucleus: the fewest words that together have at least this probability stay, the most probable ones first.

    Returns:
        Probabilities of the same shape; each row sums to 1, and the most probable word always stays.

    Raises:
        ValueError: if logits are not floating, or a number is out of range.
    """
    require_floating("logits", logits)
    if temperature <= 0:
        raise ValueError(f"temperature: expected a number above 0, got {temperature}")
    require_within("nucleus", nucleus, 0, 1)
    return filter_logits(logits / temperature, top_k, nucleus).softmax(dim=-1)


def draw_sentences(
    step: Step, state: Any, batch_size: int, max_length: int, generator: torch.Generator | None = None, **how: Any
) -> Tensor:
    """Write a batch of sentences, each word drawn from what the model says comes next.

    Args:
        step: ``step(tokens, state) -> (logits, state)``, as for ``greedy_decode``.
        state: all that step needs.
        batch_size: number of sentences.
        max_length: number of words after which a sentence is cut, EOS counted.
        generator: where to draw from; None means torch's global one.
        **how: ``temperature``, ``top_k`` and ``nucleus`` of ``kept_probabilities``.

    Returns:
        int64 ``(batch, <= max_length)`` as from ``greedy_decode``.
    """

    def drawing_step(tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        logits, state = step(tokens, state)
        drawn = torch.multinomial(kept_probabilities(logits, **how), 1, generator=generator)  # (batch, 1)
        return torch.full_like(logits, -torch.inf).scatter(1, drawn, 0.0), state

    return greedy_decode(drawing_step, state, batch_size, max_length)


def overlap(hypothesis: Sequence[Any], reference: Sequence[Any]) -> float:
    """Compare two sentences by their words and pairs of words: twice what they share over what both have, 0 to 1.

    A sentence without words has overlap 1 with another one without words.
    """
    found, wanted = (Counter([*words, *zip(words, words[1:], strict=False)]) for words in (hypothesis, reference))
    total = found.total() + wanted.total()
    return 2 * (found & wanted).total() / total if total else 1.0


def minimum_bayes_risk(samples: Sequence[Sequence[Any]]) -> list[Any]:
    """Choose from drawn sentences the one that agrees best with all of them, by mean ``overlap``.

    Source: Kumar & Byrne (2004), "Minimum Bayes-Risk Decoding for Statistical Machine Translation"; with samples as
    candidates and as evidence, Eikema & Aziz (2020).

    Args:
        samples: drawn translations of one sentence, each a list of words.

    Returns:
        The chosen one; on a tie the one that was drawn first.

    Raises:
        ValueError: if there is none.
    """
    if not samples:
        raise ValueError("samples: expected at least one sentence, got none")
    counts = Counter(tuple(words) for words in samples)
    return list(max(counts, key=lambda chosen: sum(n * overlap(chosen, other) for other, n in counts.items())))
