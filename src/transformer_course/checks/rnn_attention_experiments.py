"""The checks of exercise 03 for alignment, the decoder that a learner mends, and the experiment."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.causes import kind
from transformer_course.checks.oracles_rnn_attention import (
    best_links,
    right_alignment_error,
    right_decoder,
    right_share,
)
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import Mistake, draw
from transformer_course.checks.toy_models import toy_cell

UNIT = "rnn_attention"
Links = set[tuple[int, int]]
QUESTIONS = ("one vector, 6 words", "looks back, 6 words", "looks back, 9 words")
WORDS = ("all", "some", "none")
READY_MADE = ("scaled_dot_product", "multi_head_attention")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each question; not whether it is right."""
    require_predictions(predictions, QUESTIONS, WORDS, "task 8")


def require_number(
    subject: Answer, situation: str, result: Any, right: float, expected: str, causes: Mapping[str, float], hint: str
) -> None:
    """Require a Python float; if it is wrong, name every cause that gives this very number."""
    if type(result) is not float:
        cause = "still a tensor, or an integer, or nothing is returned"
        subject.fail(situation, f"it returned {kind(result)}", "a Python float", cause, "use `.item()` or `float(...)`")
    if math.isclose(result, right, rel_tol=1e-5, abs_tol=1e-6):
        return
    close = [cause for cause, wrong in causes.items() if math.isclose(result, wrong, rel_tol=1e-3, abs_tol=1e-6)]
    if math.isnan(result):
        close = ["0 / 0"]
    likely = " Or (it shows in the same way): ".join(close) or "none of the mistakes that we know"
    subject.fail(situation, f"it returned {result:.4f}", expected, likely, hint)


def _alignment_causes(weights: Tensor, sure: Links, possible: Links | None) -> dict[str, float]:
    """Compute what known mistakes return, where they return something."""
    links, allowed = best_links(weights), sure | (possible or set())
    alone, whole = possible or set(), len(links) + len(sure)
    rows = weights.tolist()
    last = {(target, len(row) - 1 - row[::-1].index(max(row))) for target, row in enumerate(rows)}
    columns = {(target, source) for source, target in best_links(weights.T)} if rows else set()

    def rate(hits: int, total: int = whole) -> float:
        return 1 - hits / total if total else math.nan

    def of(other: Links) -> float:
        return rate(len(other & sure) + len(other & allowed), len(other) + len(sure))

    in_sure, in_allowed = len(links & sure), len(links & allowed)
    return {
        "the agreement is returned, not the error": rate(whole - in_sure - in_allowed),
        "`possible` is not used": rate(2 * in_sure),
        "links in `sure` count as possible too, also where `possible` does not hold them": rate(
            in_sure + len(links & alone)
        ),
        "links of both kinds are counted as possible ones only": rate(2 * in_allowed),
        "a link that is sure is counted once; it counts twice, as sure and as possible": rate(in_allowed),
        "the possible links stand below the line; the sure ones belong there": rate(
            in_sure + in_allowed, len(links) + len(allowed)
        ),
        "all links are divided by |A| alone: links that are missing cost nothing": rate(in_allowed, len(links)),
        "all links are divided by |S| alone: links that are too many cost nothing": rate(in_sure, len(sure)),
        "pairs are (target, source); here they are turned round": of({(source, target) for target, source in links}),
        "each source word is linked to a target word: the maximum runs over the wrong dimension": of(columns),
        "on a tie the last source word is taken; the first one counts": of(last),
        "positions are counted from 1; they count from 0": of({(target + 1, source + 1) for target, source in links}),
        "every word with more than half of the attention is linked; only the highest weight of a row counts": of(
            {(target, source) for target, row in enumerate(rows) for source, x in enumerate(row) if x > 0.5}
        ),
        "the lowest weight is taken": of(best_links(-weights)),
        "where there is neither a target word nor a sure link, nothing is wrong": 1.0 if not whole else math.nan,
    }


def compare_alignment(
    subject: Answer, situation: str, weights: Tensor, sure: Links, possible: Links | None = None
) -> None:
    """Compare the error rate with that of counting link by link; the sets must stay as they are."""
    copies = set(sure), None if possible is None else set(possible)
    result = subject(situation, weights, sure) if possible is None else subject(situation, weights, sure, possible)
    if (sure, possible) != copies:
        subject.fail(
            situation,
            "the call changed one of the two sets",
            "sets that are the same after the call as before it",
            "an operation that works in place: `|=`, `&=`, `.add(...)`, `.update(...)`",
            "make a new set: `a | b` in the place of `a |= b`",
        )
    copies = copies[0], copies[1] or set()
    right = right_alignment_error(weights, *copies)
    causes = _alignment_causes(weights.detach(), *copies)
    expected = "1 - (|A and S| + |A and P|) / (|A| + |S|), where S is a part of P"
    require_number(subject, situation, result, right, expected, causes, "write down A, S and P for two target words")


def check_alignment_error_rate(alignment_error_rate: Callable) -> None:
    """Check the links, both sets, ties, and the case without any link."""
    subject = Answer(alignment_error_rate, "alignment_error_rate", UNIT)
    weights = (2 * draw(6, 7, seed=594)).softmax(-1)
    sure = {(0, 2), (1, 3), (1, 4), (2, 4), (3, 0), (4, 5), (5, 3), (5, 6)}
    possible = {(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4), (3, 5), (5, 0)}
    compare_alignment(subject, "6 target and 7 source words, sure links only", weights, sure)
    subject.passed("links are those of the highest weights, and sure links count")
    compare_alignment(subject, "the same, with possible links", weights, sure, possible)
    subject.passed("possible links count as far as they should")
    tie = torch.tensor([[0.5, 0.5, 0.0], [0.2, 0.4, 0.4], [0.1, 0.1, 0.8]])
    compare_alignment(subject, "two source words with the same weight", tie, {(0, 0), (1, 1), (1, 2), (2, 2)})
    subject.passed("on a tie the first source word counts")
    compare_alignment(subject, "no target word and no sure link", torch.zeros(0, 3), set())
    subject.passed("nothing to align gives 0")


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
) -> tuple[Tensor, Tensor]:
    """Decode as a wrong decoder would; `weigh` makes the weights that are returned, `see` those of the context."""
    first, start, states, rows = score(hidden, memory), hidden, [], []
    for word in embedded.unbind(1):
        before = start if keep_state else hidden
        scores = first if look_once else score(before, memory)
        context = torch.einsum("bn,bnd->bd", (see or weigh)(scores, mask), memory)
        hidden = cell(torch.cat([torch.zeros_like(word) if read_nothing else word, context], -1), before)
        states.append(hidden)
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


def compare_share(subject: Answer, target_length: int, source_length: int, lengths: list[int], seed: int) -> None:
    """Compare the share with that of adding up sentence by sentence."""
    weights = draw(len(lengths), target_length, source_length, seed=seed).double().softmax(-1)
    situation = f"target_length {target_length}, source_length {source_length}, lengths {lengths}"
    right, rows = right_share(weights, lengths), len(lengths) * target_length
    padded = sum(source_length - length for length in lengths)
    of_padding = right * rows / (padded * target_length) if padded else math.nan
    causes = {
        "the share of the real words is returned": 1 - right,
        "the sum over all rows, not their mean": right * rows,
        "the mean over the sentences is taken, but over the target words the sum": right * target_length,
        "the mean over the target words is taken, but over the sentences the sum": right * len(lengths),
        "the mean over the columns too, not their sum": right / source_length,
        "the mean over the weights on padding, not the mean over the rows": of_padding,
        "off by one: the last real word is taken for padding": right_share(weights, [max(n - 1, 0) for n in lengths]),
        "off by one: the first word of the padding is taken for real": right_share(weights, [n + 1 for n in lengths]),
        "the weights are not used: positions are counted": padded / (len(lengths) * source_length),
    }
    observed = subject(situation, weights, torch.tensor(lengths))
    expected = "for each row the sum of the weights on padding, and the mean of these sums"
    require_number(subject, situation, observed, right, expected, causes, "work out a row of three words by hand")


def check_share_on_padding(share_on_padding: Callable) -> None:
    """Check one batch with padding and one without."""
    subject = Answer(share_on_padding, "share_on_padding", UNIT)
    compare_share(subject, 3, 5, [5, 2, 1, 4], seed=91)
    compare_share(subject, 4, 3, [3, 3], seed=92)
    subject.passed("the share of the attention that falls on padding")
