"""Chapter 02: the encoder-decoder of two recurrent networks, and how it writes a sentence.

A recurrent cell reads one word and changes its state; ``gru_cell`` is one. ``encode`` reads the source with it, and
hands over the last state, one vector for the whole sentence. From there ``decode`` scores the words of a target that is
known, as in training. To write a sentence that is not known yet, ``greedy_decode`` and ``beam_search`` go word by word:
they give the last word to a function ``step``, get the logits of the next one, and choose. They know nothing else of
the model, so the Transformers of later chapters are decoded by them too.

Source: Cho et al. (2014), "Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine
Translation"; Sutskever et al. (2014), "Sequence to Sequence Learning with Neural Networks".

Dimension names: ``batch`` sentences, ``length`` positions of the padded sentence, ``d`` the width of an embedded word,
``d_hidden`` the width of the recurrent state, ``vocab_size`` words to choose from, ``hypotheses`` the unfinished
translations that beam search compares.
"""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.common.states import map_tensors, require_rows
from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.common.validation import (
    require_cell,
    require_not_negative,
    require_positive,
    require_sentences,
    require_shape,
    require_shapes,
)

Cell = Callable[[Tensor, Tensor], Tensor]  # (x, hidden) -> hidden: reads a word
Step = Callable[[Tensor, Any], tuple[Tensor, Any]]  # (tokens, state) -> (logits, state): reads a word, scores the next


def gru_cell(
    x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor
) -> Tensor:
    """Read one word with a gated recurrent unit (GRU), and return the state after it.

    Where the update gate is 1 the old state stays, where it is 0 a new candidate takes its place. The reset gate says
    how much of the old state the candidate gets to see.

    Source: Cho et al. (2014), section 2.3; with the reset gate applied after the matrix product, as in torch and cuDNN.

    Args:
        x: ``(batch, d)``, the word.
        hidden: ``(batch, d_hidden)``, the state before it.
        weight_ih: ``(3 * d_hidden, d)``; reset gate, update gate and candidate state, one block below the other.
        weight_hh: ``(3 * d_hidden, d_hidden)``, in the same order.
        bias_ih: ``(3 * d_hidden,)``, in the same order.
        bias_hh: ``(3 * d_hidden,)``, in the same order.

    Returns:
        The state after the word, ``(batch, d_hidden)``.
    """
    require_cell(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh, gates=3)
    from_word = F.linear(x, weight_ih, bias_ih)  # (batch, 3 * d_hidden)
    from_state = F.linear(hidden, weight_hh, bias_hh)  # (batch, 3 * d_hidden)
    word_reset, word_update, word_candidate = from_word.chunk(3, dim=-1)  # each (batch, d_hidden)
    state_reset, state_update, state_candidate = from_state.chunk(3, dim=-1)  # each (batch, d_hidden)
    reset = torch.sigmoid(word_reset + state_reset)
    update = torch.sigmoid(word_update + state_update)
    candidate = torch.tanh(word_candidate + reset * state_candidate)
    return (1 - update) * candidate + update * hidden


def encode(embedded: Tensor, lengths: Tensor, cell: Cell, hidden: Tensor) -> tuple[Tensor, Tensor]:
    """Read a batch of sentences word by word; a sentence that has ended keeps its last state.

    Source: Sutskever et al. (2014), section 2.

    Args:
        embedded: ``(batch, length, d)``, padded on the right.
        lengths: int64 ``(batch,)``, the number of real words in each sentence, from 0 to length.
        cell: ``cell(x, hidden) -> hidden`` with x ``(batch, d)`` and hidden ``(batch, d_hidden)``.
        hidden: ``(batch, d_hidden)``, the state before the first word.

    Returns:
        The states after each word ``(batch, length, d_hidden)``, 0 past the end of a sentence, and the state after its
        last real word ``(batch, d_hidden)``; for a sentence without words that is ``hidden``.
    """
    require_sentences(embedded, lengths, hidden)
    batch, length, _ = embedded.shape
    outputs = []
    for position in range(length):
        real = (position < lengths).unsqueeze(-1)  # (batch, 1)
        after = cell(embedded[:, position], hidden)
        require_shape("hidden returned by cell", after, tuple(hidden.shape))
        hidden = torch.where(real, after, hidden)
        outputs.append(hidden.masked_fill(~real, 0.0))
    if length == 0:
        return hidden.new_zeros(batch, 0, hidden.shape[1]), hidden
    return torch.stack(outputs, dim=1), hidden  # (batch, length, d_hidden), (batch, d_hidden)


def decode(embedded: Tensor, hidden: Tensor, cell: Cell, w_output: Tensor) -> Tensor:
    """Say how well each word would follow, at each position of the right answer.

    The last state of the encoder is the first of the decoder, and all that the decoder knows of the source.

    Source: Sutskever et al. (2014), section 2, figure 1.

    Args:
        embedded: ``(batch, length, d)``, the target words that are read, BOS first.
        hidden: ``(batch, d_hidden)``, the state with which ``encode`` ended.
        cell: the decoder's own, of the same form as in ``encode``.
        w_output: ``(vocab_size, d_hidden)``; there is no bias.

    Returns:
        The logits ``(batch, length, vocab_size)`` of the word after each position, from the words up to it. Padding is
        read like a word: the loss leaves out what is said there.
    """
    require_shapes(embedded=(embedded, "batch length d"), hidden=(hidden, "batch d_hidden"))
    require_shape("w_output", w_output, ("vocab_size", hidden.shape[1]))
    states = [hidden]
    for position in range(embedded.shape[1]):
        after = cell(embedded[:, position], states[-1])
        require_shape("hidden returned by cell", after, tuple(hidden.shape))
        states.append(after)
    return torch.stack(states, dim=1)[:, 1:] @ w_output.T  # (batch, length, vocab_size)


@torch.no_grad()
def greedy_decode(
    step: Step,
    state: Any,
    batch_size: int,
    max_length: int,
    bos_id: int = BOS,
    eos_id: int = EOS,
    pad_id: int = PAD,
) -> Tensor:
    """Write a batch of sentences, always with the word that is most probable next.

    Args:
        step: ``step(tokens, state) -> (logits, state)``; reads the last words ``(batch,)`` and says how well each word
            would follow, ``(batch, vocab_size)``.
        state: all that step needs to know of the source sentences and of the words before.
        batch_size: number of sentences.
        max_length: number of words after which a sentence is cut, EOS counted.
        bos_id: the token id that the first step reads.
        eos_id: the token id that ends a sentence.
        pad_id: the token id after the end.

    Returns:
        int64 ``(batch, <= max_length)``, without BOS, with EOS and padding after it; as long as the longest sentence.

    Raises:
        ValueError: if step returns logits with NaN, or with nothing but -inf, for a sentence that goes on.
    """
    require_not_negative("batch_size", batch_size)
    require_not_negative("max_length", max_length)
    device = next((tensor.device for tensor in _tensors(state)), None)
    tokens = torch.full((batch_size,), bos_id, dtype=torch.long, device=device)
    ended = torch.zeros_like(tokens, dtype=torch.bool)
    written = torch.empty(batch_size, 0, dtype=torch.long, device=device)
    while written.shape[1] < max_length and not ended.all():
        logits, state = step(tokens, state)
        require_shape("logits returned by step", logits, (batch_size, "vocab_size"))
        possible = logits.amax(dim=-1) > -torch.inf  # (batch,), False for NaN too, as every comparison with it
        if not (possible | ended).all():
            raise ValueError("logits returned by step: expected at least one word that is possible, got -inf or NaN")
        tokens = logits.argmax(dim=-1).masked_fill(ended, pad_id)  # (batch,)
        written = torch.cat([written, tokens.unsqueeze(1)], dim=1)  # (batch, length + 1)
        ended = ended | (tokens == eos_id)
    return written


def length_penalty(length: int, alpha: float) -> float:
    """Say by what to divide the log probability of a sentence, so that long ones can compete with short ones.

    Source: Wu et al. (2016), "Google's Neural Machine Translation System", section 7, equation 14.

    Args:
        length: number of tokens, EOS counted.
        alpha: 0 for no correction at all; 1 divides by ``(5 + length) / 6``.

    Returns:
        ``((5 + length) / 6) ** alpha``.
    """
    require_not_negative("length", length)
    return ((5 + length) / 6) ** alpha


@torch.no_grad()
def beam_search(
    step: Step,
    state: Any,
    beam_width: int,
    max_length: int,
    alpha: float = 0.0,
    bos_id: int = BOS,
    eos_id: int = EOS,
) -> list[tuple[list[int], float]]:
    """Write one sentence by following several hypotheses at once, and keep the most probable ones.

    Source: Sutskever et al. (2014), section 3.2; the score is that of Wu et al. (2016), section 7, without the coverage
    penalty.

    Args:
        step: ``step(tokens, state) -> (logits, state)``; reads the last words ``(hypotheses,)`` and says how well each
            word would follow, ``(hypotheses, vocab_size)``.
        state: a tensor, or a tuple, list or dict of states, with hypotheses (1 at the start) in dimension 0; or None.
        beam_width: how many extensions are kept at each step (those that end count), and at most returned.
        max_length: number of words after which a hypothesis is cut, EOS counted.
        alpha: exponent of the length penalty.
        bos_id: the token id that the first step reads.
        eos_id: the token id that ends a sentence.

    Returns:
        Pairs of tokens (no BOS; EOS at the end, unless cut at max_length) and score (sum of log probabilities over
        length penalty), best first.

    Raises:
        ValueError: if the state holds more than one sentence or something else than tensors, or step returns logits
            with NaN, or with nothing but -inf.
    """
    require_positive("beam_width", beam_width)
    require_not_negative("max_length", max_length)
    first = next(_tensors(state), torch.empty(1))
    require_rows("state", state, 1)

    active: list[list[int]] = [[]]
    totals = torch.zeros(1, device=first.device)  # (hypotheses,), the sum of log probabilities of each
    finished: list[tuple[list[int], float]] = []
    for length in range(max_length):
        last = [tokens[-1] if tokens else bos_id for tokens in active]
        logits, state = step(torch.tensor(last, device=first.device), state)
        require_shape("logits returned by step", logits, (len(active), "vocab_size"))
        require_rows("state returned by step", state, len(active))
        # Half precision would make hypotheses equal that are not.
        log_probabilities = logits.log_softmax(dim=-1, dtype=torch.promote_types(logits.dtype, torch.float32))
        candidates = (totals.unsqueeze(1) + log_probabilities).flatten()  # (hypotheses * vocab_size,)
        totals, chosen = _best(candidates, beam_width)
        if len(chosen) == 0 or candidates.isnan().any():
            raise ValueError("logits returned by step: expected at least one word that is possible, got -inf or NaN")

        # Index h * vocab_size + w is hypothesis h, longer by word w.
        parents, words = chosen // logits.shape[1], chosen % logits.shape[1]
        expanded = [active[parent] + [word] for parent, word in zip(parents.tolist(), words.tolist(), strict=True)]
        penalty = length_penalty(length + 1, alpha)
        for tokens, total in zip(expanded, totals.tolist(), strict=True):
            if tokens[-1] == eos_id:
                finished.append((tokens, total / penalty))

        going_on = words != eos_id
        totals, parents = totals[going_on], parents[going_on]
        state = _select_rows(state, parents)
        active = [tokens for tokens in expanded if tokens[-1] != eos_id]
        if not active:
            break
        # A sum of log probabilities is at most 0 and never rises. So an active hypothesis scores, when it is finished,
        # at most totals[0], the best sum so far, over the largest penalty ahead: at max_length or, for alpha < 0, now.
        largest_penalty = max(penalty, length_penalty(max_length, alpha))
        finished = sorted(finished, key=_score, reverse=True)[:beam_width]
        if len(finished) == beam_width and _score(finished[-1]) >= float(totals[0]) / largest_penalty:
            return finished

    penalty = length_penalty(max_length, alpha)  # what is still active is as long as this
    cut = [(tokens, total / penalty) for tokens, total in zip(active, totals.tolist(), strict=True)]
    return sorted(finished + cut, key=_score, reverse=True)[:beam_width]


def _best(candidates: Tensor, number: int) -> tuple[Tensor, Tensor]:
    """Find the highest values and their indices, best first; on a tie the first one, as argmax does."""
    # topk itself breaks ties as it likes, and a beam of 1 has to give what argmax gives on these sums.
    lowest = candidates.topk(min(number, candidates.shape[0])).values[-1]
    possible = (candidates >= lowest) & (candidates > -torch.inf)
    indices = possible.nonzero().squeeze(1)
    values, order = candidates[indices].sort(descending=True, stable=True)
    return values[:number], indices[order[:number]]


def _tensors(state: Any) -> Iterator[Tensor]:
    """Walk through the tensors of a state."""
    if isinstance(state, Tensor):
        yield state
    elif isinstance(state, dict):
        yield from _tensors(list(state.values()))
    elif isinstance(state, tuple | list):
        for part in state:
            yield from _tensors(part)


def _select_rows(state: Any, rows: Tensor) -> Any:
    """Keep these hypotheses in each tensor of a state, in this order."""
    return map_tensors(lambda tensor: tensor.index_select(0, rows), state)


def _score(entry: tuple[list[int], float]) -> float:
    return entry[1]
