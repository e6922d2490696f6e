"""The known mistakes of exercise 03 with states and scores, each as code with the mistake would compute it."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.checks.oracles_recurrent import right_encoding
from transformer_course.checks.oracles_rnn_attention import right_additive, right_bidirectional, right_dot
from transformer_course.checks.reporting import Mistake, same

ORDER = "print for one short sentence in which order the second network reads the words, and where it puts its states"
BY_HAND = "work out two words of width 2 by hand, and compare"


def turned(x: Tensor, lengths: Tensor) -> Tensor:
    """Turn the real words of each sentence round, one sentence at a time."""
    rows = [torch.cat([row[:real].flip(0), row[real:]]) for row, real in zip(x, lengths.tolist(), strict=True)]
    return torch.stack(rows)


def bidirectional_mistakes(
    embedded: Tensor, lengths: Tensor, forward_cell: Callable, backward_cell: Callable, hidden: Tensor
) -> list[Mistake]:
    """Wrong states of an encoder that reads from both sides; some sentence is shorter than the padded length."""
    past = (torch.arange(embedded.shape[1]) >= lengths.unsqueeze(1)).unsqueeze(-1)
    full = torch.full_like(lengths, embedded.shape[1])
    right = right_bidirectional(embedded, lengths, forward_cell, backward_cell, hidden)
    left_half, right_half = right.chunk(2, -1)

    def read(words: Tensor, numbers: Tensor = lengths, cell: Callable = backward_cell, state: Tensor = hidden):
        return right_encoding(words, numbers, cell, state)

    def second(states: Tensor) -> Tensor:
        return torch.cat([left_half, states], -1)

    turned_words = turned(embedded, lengths)
    padding_first = "the second network starts at the padding"
    whole = "the whole width is turned round (`flip`), so that short sentences begin with their padding"
    own_end = "each sentence has an end of its own: which column does its last word have?"
    final = read(embedded, cell=forward_cell)[1]
    column, length = torch.arange(embedded.shape[1]), embedded.shape[1]
    one_too_far = lengths.unsqueeze(1) - column
    late = []  # the ways to make columns of the negative numbers past the end
    for order in (torch.where(one_too_far < 0, column, one_too_far), one_too_far, one_too_far % length):
        index = order.clamp(0, length - 1).unsqueeze(-1)
        states = read(embedded.gather(1, index.expand_as(embedded)))[0]
        states = states.gather(1, index.expand_as(states))
        late += [states, states.masked_fill(past, 0.0)]
    zeros = torch.zeros_like(hidden)
    both = right_bidirectional(embedded, lengths, forward_cell, backward_cell, zeros)
    found = [
        Mistake(
            second(read(turned_words)[0]),
            "in the second half, the first row of a sentence holds the state at its last word",
            "the states of the second network are in the order in which it reads; they are not turned round again",
            "row j must belong to word j in both halves",
        ),
        Mistake(
            second(read(embedded)[0]),
            "the second half does not know the words that come after",
            "the second network reads from left to right too",
            ORDER,
        ),
        *(
            Mistake(second(states), padding_first, whole, own_end)
            for states in (
                read(embedded.flip(1), full)[0].flip(1).masked_fill(past, 0.0),
                read(embedded.flip(1), full)[0].flip(1),
            )
        ),
        *(
            Mistake(second(states), f"{padding_first}, and ends before the first word", whole, own_end)
            for states in (
                read(embedded.flip(1))[0].flip(1),
                read(embedded.flip(1))[0],
                turned(read(embedded.flip(1))[0], lengths),
            )
        ),
        Mistake(
            lambda result: any(same(result, second(states)) for states in late),
            "the second network starts one word too late, in the padding, and does not reach the first word",
            "the index of the turned words is `lengths - k`",
            "which word is at k = 0? The last one of a sentence has the number `lengths - 1`",
        ),
        Mistake(
            second(read(turned_words)[0].flip(1)),
            "the second half of a short sentence stands in the wrong columns",
            "the words are turned round sentence by sentence, their states over the whole width (`flip`)",
            "turn the states as you turned the words",
        ),
        Mistake(
            torch.cat([right_half, left_half], -1),
            "the two halves are exchanged",
            "the backward states are put first",
            "the forward half comes first",
        ),
        Mistake(
            right_bidirectional(embedded, lengths, backward_cell, forward_cell, hidden),
            "the first half was computed with backward_cell, the second with forward_cell",
            "the two cells are exchanged",
            "which of the cells reads from left to right?",
        ),
        Mistake(
            right_bidirectional(embedded, lengths, forward_cell, forward_cell, hidden),
            "both halves were computed with forward_cell",
            "the second direction has a cell of its own, `backward_cell`, which is not used",
            "look at the call for the second direction",
        ),
        Mistake(
            second(turned(read(turned_words, state=final)[0], lengths)),
            "the second network does not start from `hidden`",
            "it goes on from the final state of the first one",
            "both directions start from the same state",
        ),
        Mistake(both, "both halves start from zeros", "`hidden` is not used", "`hidden` is the state before reading"),
        Mistake(
            second(both.chunk(2, -1)[1]),
            "the second half starts from zeros",
            "`hidden` is used in the first direction only",
            "both directions start from the same state",
        ),
        Mistake(
            lambda result: torch.allclose(result.masked_fill(past, 0.0), right),
            "states past the end of a sentence are not 0",
            "what the second network, or both, computed at padding is left there",
            "set what stands past the end to 0 at the end",
        ),
    ]
    return found


def dot_mistakes(query: Tensor, keys: Tensor) -> list[Mistake]:
    """Wrong dot products."""
    right, d = right_dot(query, keys), query.shape[1]
    plain = "the task asks for the dot product alone"
    found = [
        Mistake(right / d**0.5, "the scores are too small by the factor sqrt(d)", "they are scaled, as in a Transformer"
                " (exercise 04)", plain),
        Mistake(right / d, "the scores are too small by the factor d", "the mean is taken, not the sum", plain),
        Mistake(right.softmax(-1), "each row sums to 1", "softmax is applied: these are weights, not scores", plain),
        Mistake(
            F.cosine_similarity(query.unsqueeze(1), keys, dim=-1),
            "all numbers lie between -1 and 1",
            "the cosine: query and keys are divided by their lengths",
            plain,
        ),
        Mistake(
            right_dot(query.roll(1, 0), keys),
            "each sentence is compared with the query of another one",
            "a roll or a flip of the batch",
            BY_HAND,
        ),
        Mistake(-right, "all signs are turned round", "a difference in the place of a product", BY_HAND),
        Mistake(
            (query.unsqueeze(1) - keys).square().sum(-1), "all numbers are positive", "a squared distance", BY_HAND
        ),
    ]  # fmt: skip
    if query.shape[0] == keys.shape[1]:
        found.append(
            Mistake(
                (query.unsqueeze(0) * keys).sum(-1),
                "word j is compared with the query of sentence j",
                "query `(batch, d)` broadcasts against keys `(batch, length, d)` along the length, which happens to be "
                "as large as the batch",
                "give the query a dimension for the length: `(batch, 1, d)`",
            )
        )
    return found


def additive_mistakes(query: Tensor, keys: Tensor, w_query: Tensor, w_key: Tensor, v: Tensor) -> list[Mistake]:
    """Wrong additive scores; with square matrices, also those of matrices that are exchanged or transposed."""
    right = right_additive(query, keys, w_query, w_key, v)
    from_query, from_keys = (query @ w_query.T).unsqueeze(1), keys @ w_key.T
    total = from_query + from_keys
    line = "compare your line with the formula, from the inside to the outside"
    found = [
        Mistake(
            total @ v,
            "the scores are those of a linear function",
            "tanh is missing. Then the query adds the same number to every score of a row, and softmax does not see it",
            line,
        ),
        Mistake((total @ v).tanh(), "all scores lie between -1 and 1", "tanh comes after `v`, not before it", line),
        Mistake(right.tanh(), "all scores lie between -1 and 1", "tanh is applied a second time, after `v`", line),
        Mistake(
            (from_query.tanh() + from_keys.tanh()) @ v,
            "the score is a sum of one number for the query and one for the key",
            "tanh is taken of each part on its own, and then they are added",
            "add first, then tanh",
        ),
        Mistake((from_query * from_keys).tanh() @ v, "another score", "the two parts are multiplied, not added", line),
        Mistake((from_query - from_keys).tanh() @ v, "another score", "the two parts are subtracted, not added", line),
        Mistake(total.sigmoid() @ v, "another score", "sigmoid in the place of tanh", line),
        Mistake(total.relu() @ v, "another score", "relu in the place of tanh", line),
        Mistake(total.tanh().sum(-1), "the scores do not depend on `v`", "the sum over d_a is taken without `v`", line),
        Mistake(total.tanh().mean(-1), "the scores do not depend on `v`", "a mean over d_a in the place of `v`", line),
        Mistake(right.softmax(-1), "each row sums to 1", "softmax is applied: these are weights, not scores", line),
        Mistake(
            right / len(v) ** 0.5, "the scores are too small by the factor sqrt(d_a)", "they are scaled", line
        ),
        Mistake(from_keys.tanh() @ v, "the scores do not depend on the query", "the part of the query is lost", line),
        Mistake(
            (from_query.tanh() @ v).expand_as(right),
            "all scores of a row are equal",
            "the part of the keys is lost",
            line,
        ),
    ]  # fmt: skip
    if w_query.shape == w_key.shape == (len(v), len(v)):
        square = "print the shapes in a case in which d_q, d_k and d_a differ: it cannot run there"
        for matrices, cause in [
            ((w_key, w_query), "the two matrices are exchanged"),
            ((w_query.T, w_key), "`w_query` is multiplied from the wrong side, or transposed"),
            ((w_query, w_key.T), "`w_key` is multiplied from the wrong side, or transposed"),
            ((w_query.T, w_key.T), "both matrices are multiplied from the wrong side, or transposed"),
        ]:
            wrong = right_additive(query, keys, *matrices, v)
            found.append(Mistake(wrong, "right shapes, other scores", cause, square))
    if query.shape[0] == keys.shape[1]:
        found.append(
            Mistake(
                ((query @ w_query.T).unsqueeze(0) + from_keys).tanh() @ v,
                "word j is compared with the query of sentence j",
                "the query's part `(batch, d_a)` broadcasts against `(batch, length, d_a)` along the length, which "
                "happens to be as large as the batch",
                "give the query's part a dimension for the length: `(batch, 1, d_a)`",
            )
        )
    return found
