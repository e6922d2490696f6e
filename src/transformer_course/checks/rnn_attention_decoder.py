"""The check of exercise 03 for the decoder that a learner mends, and the mistakes that it knows."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles_rnn_attention import right_decoder
from transformer_course.checks.reporting import Mistake, draw
from transformer_course.checks.toy_models import toy_cell

UNIT = "rnn_attention"
READY_MADE = ("scaled_dot_product", "multi_head_attention")


def toy_score(d_query: int, d_keys: int, seed: int) -> Callable[[Tensor, Tensor], Tensor]:
    """Make a score with fixed weights."""
    from_query, from_keys = draw(d_query, 5, seed=seed).double(), draw(d_keys, 5, seed=seed + 1).double()

    def score(query: Tensor, keys: Tensor) -> Tensor:
        return 2 * torch.tanh((query @ from_query).unsqueeze(1) + keys @ from_keys).sum(-1)

    return score


def decoder_inputs(
    batch: int, target_length: int, source_length: int, d: int, d_memory: int, d_hidden: int, seed: int
) -> tuple[Any, ...]:
    """Draw target words, a first state, a memory and its mask; make a cell and a score."""
    lengths = torch.arange(batch) % source_length + 1
    return (
        draw(batch, target_length, d, seed=seed).double(),
        draw(batch, d_hidden, seed=seed + 1).double(),
        draw(batch, source_length, d_memory, seed=seed + 2).double(),
        torch.arange(source_length) < lengths.unsqueeze(1),
        toy_cell(d + d_memory, d_hidden, seed=seed + 3),
        toy_score(d_hidden, d_memory, seed=seed + 5),
    )


Look = Callable[[Tensor, Tensor], Tensor]


def _after(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.softmax(-1) * mask


def _before(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -math.inf).softmax(-1)


def _no_mask(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.softmax(-1)


def _decode(
    embedded: Tensor,
    hidden: Tensor,
    memory: Tensor,
    mask: Tensor,
    cell: Callable,
    score: Look,
    *,
    weigh: Look = _before,
    see: Look | None = None,
    look_once: bool = False,
    keep_state: bool = False,
    read_nothing: bool = False,
    context_first: bool = False,
    return_before: bool = False,
    row_after: bool = False,
    look_after: bool = False,
) -> tuple[Tensor, Tensor]:
    """Decode as a wrong decoder would; `weigh` makes the weights that are returned, `see` those of the context."""
    first, start, states, rows = score(hidden, memory), hidden, [], []
    context = torch.zeros_like(memory[:, 0])
    for word in embedded.unbind(1):
        before = start if keep_state else hidden
        scores = first if look_once else score(before, memory)
        if not look_after:
            context = torch.einsum("bn,bnd->bd", (see or weigh)(scores, mask), memory)
        read = [torch.zeros_like(word) if read_nothing else word, context]
        hidden = cell(torch.cat(read[::-1] if context_first else read, -1), before)
        if row_after or look_after:
            scores = score(hidden, memory)
        if look_after:
            context = torch.einsum("bn,bnd->bd", weigh(scores, mask), memory)
        states.append(before if return_before else hidden)
        rows.append(weigh(scores, mask))
    return torch.stack(states, 1), torch.stack(rows, 1)


def _decoder_mistakes(inputs: tuple[Any, ...]) -> tuple[list[Mistake], list[Mistake]]:
    """List wrong states and wrong weights, in the same order."""
    same_look = "every target word looks at the source in the same way"
    lost = "the weights of a sentence with padding do not sum to 1"
    looked = "padding is looked at"
    per_word = "the query is the decoder's state, which changes with every word"
    share = "hidden words must get nothing, and the others all of it"
    reads = "what was right must stay: the cell reads the word and the context, and its state goes on"
    late = "the mask comes after softmax, so that padding keeps its share of the total"
    product = "the mask is multiplied into the scores: e^0 is 1, not 0"
    turned = "the mask is used the wrong way round"
    unseen = "the context is computed with weights from before the mask"
    known = [
        (
            {"weigh": _after, "look_once": True},
            f"nothing has changed: {same_look}, and {lost}",
            "both bugs are still there",
            "print the weights of two target words",
        ),
        ({"look_once": True}, same_look, "the scores are computed once, before the first word", per_word),
        ({"weigh": _after}, lost, late, share),
        ({"weigh": _no_mask}, looked, "the mask is gone", share),
        ({"weigh": lambda scores, mask: (scores * mask).softmax(-1)}, looked, product, share),
        (
            {"weigh": lambda scores, mask: (scores + mask).softmax(-1)},
            looked,
            "the mask itself is added to the scores, as 0 and 1",
            share,
        ),
        (
            {"weigh": lambda scores, mask: _before(scores, ~mask).nan_to_num()},
            "only padding is looked at",
            turned,
            share,
        ),
        (
            {"weigh": lambda scores, mask: _before(scores, ~mask)},
            "exactly the words that should be hidden have all the weight, and a sentence without padding is NaN",
            f"{turned} (inverted)",
            "True means `may be attended to`: fill the scores where the mask is False",
        ),
        (
            {"weigh": lambda scores, mask: scores.masked_fill(mask, -1e9).softmax(-1)},
            "exactly the words that should be hidden have all the weight, and a sentence without padding has equal "
            "weights",
            f"{turned} (inverted)",
            "True means `may be attended to`: fill the scores where the mask is False",
        ),
        (
            {"row_after": True},
            "the row of each word is the look of the word after it",
            "the row is made after reading: the weights of step i are computed with the state after word i; Bahdanau "
            "looks before",
            "return the weights that made the context of this word",
        ),
        (
            {"look_after": True},
            "the first context is zero, and each look comes one step late",
            "the word is read before the look: the weights of step i are computed with the state after word i, as "
            "Luong does; Bahdanau looks before",
            "in each step first look, then read the word and what was seen",
        ),
        (
            {"context_first": True},
            "the first look is right, the state after it is not",
            "the context stands before the word in what the cell reads; both together have the right width, so that "
            "nothing complains",
            "the word first, then the context, as in the broken decoder",
        ),
        (
            {"return_before": True},
            "all looks are right, but the states are one word behind: the first one is `hidden` itself",
            "the state before reading is kept, not the one after it",
            "when is the state appended, and when does it change?",
        ),
        (
            {"keep_state": True},
            "the state is the same for every look",
            "the state is not handed on from word to word",
            per_word,
        ),
        ({"see": _no_mask}, "the first look is right, but the state after it knows hidden words", unseen, share),
        ({"read_nothing": True}, "the first look is right, the state after it is not", "the words are not read", reads),
    ]
    results = [(_decode(*inputs, **change), words) for change, *words in known]
    return tuple([Mistake(result[number], *words) for result, words in results] for number in (0, 1))


def check_mended_decoder(mended_decoder: Callable) -> None:
    """Check weights and states; say which of the two bugs is left, not where it is."""
    subject = Answer(mended_decoder, "mended_decoder", UNIT, READY_MADE)
    inputs = decoder_inputs(3, 4, 6, 2, 5, 7, seed=81)
    inputs = (*inputs[:3], torch.arange(6) < torch.tensor([[6], [2], [4]]), *inputs[4:])
    situation = "3 sentences with 6, 2 and 4 source words, 4 target words"

    right, (states, weights) = right_decoder(*inputs), _decoder_mistakes(inputs)
    names = ("states", "weights")
    result = subject.require_pair(situation, subject(situation, *inputs), right, names)
    subject.compare(situation, result[1], right[1], "a look of its own for every word", weights)
    subject.compare(situation, result[0], right[0], "the states after word and context", states)
    subject.passed("every word has its own look, and padding has no share in it")
