"""The most probable sentence of all, found with certainty: what chapter 11 measures beam search against.

Source: Stahlberg & Byrne (2019), "On NMT Search Errors and Model Errors: Cat Got Your Tongue?", algorithm 1, here by
levels in the place of depth first.

Dimension names: ``prefixes``, the beginnings that are still open; ``vocab_size``.
"""

from typing import Any

import torch

from transformer_course.common.states import map_tensors, require_rows
from transformer_course.common.tokens import BOS, EOS
from transformer_course.common.validation import require_positive
from transformer_course.rnn_encoder_decoder import Step


@torch.no_grad()
def exact_search(
    step: Step, state: Any, max_length: int, at_least: float = -torch.inf, bos_id: int = BOS, eos_id: int = EOS
) -> tuple[list[int] | None, float, int]:
    """Find the most probable sentence of at most max_length tokens, EOS counted.

    A prefix is dropped only when it is no more probable than a whole sentence that is known already: a longer sentence
    is never more probable than its beginning. So nothing better is lost. If the best sentence has probability p, no
    more than 1 / p prefixes of any one length can be more probable: a model that is sure of something is cheap.

    Args:
        step: ``step(tokens, state) -> (logits, state)``, as for ``beam_search``.
        state: with 1 hypothesis in dimension 0.
        max_length: longest sentence, EOS counted; a sentence without EOS is none.
        at_least: log probability of a sentence that is known, from a beam search for instance; it saves work.
        bos_id: the token id that the first step reads.
        eos_id: the token id that ends a sentence.

    Returns:
        The tokens with EOS, their log probability, and the number of prefixes that were read. The tokens are None,
        and the probability ``at_least``, if no sentence is more probable than that.

    Raises:
        ValueError: if max_length is not positive or state starts with other than 1 hypothesis.
    """
    require_positive("max_length", max_length)
    require_rows("state", state, 1)
    best, best_total, num_read = None, at_least, 0
    prefixes: list[list[int]] = [[]]
    totals = torch.zeros(1)  # (prefixes,)
    for _ in range(max_length):
        last = torch.tensor([prefix[-1] if prefix else bos_id for prefix in prefixes])
        logits, state = step(last, state)
        num_read += len(prefixes)
        extended = totals.unsqueeze(1) + logits.log_softmax(dim=-1)  # (prefixes, vocab_size)
        ended = int(extended[:, eos_id].argmax())
        if extended[ended, eos_id] > best_total:
            best, best_total = [*prefixes[ended], eos_id], extended[ended, eos_id].item()
        extended[:, eos_id] = -torch.inf
        rows, words = (extended > best_total).nonzero(as_tuple=True)
        if len(rows) == 0:
            break
        totals = extended[rows, words]
        prefixes = [[*prefixes[row], word] for row, word in zip(rows.tolist(), words.tolist(), strict=True)]
        state = map_tensors(lambda tensor, rows=rows: tensor.index_select(0, rows), state)
    return best, best_total, num_read
