"""The known mistakes of exercise 03 with the look: weights and contexts as code with the mistake would compute them."""

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.attention_mistakes import empty_row_is_zero, masked_softmax_mistakes
from transformer_course.checks.oracles_rnn_attention import right_attend
from transformer_course.checks.reporting import Mistake


def weight_mistakes(scores: Tensor, mask: Tensor | None = None) -> list[Mistake]:
    """Wrong shares of one look, with or without a mask; with one, every row allows some word."""
    over_words = "each sentence shares out its attention among its own words: softmax over the last dimension"
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    filled = scores.masked_fill(hidden, -torch.inf)
    found = [
        Mistake(
            filled.softmax(0),
            "not the rows but the columns sum to 1",
            "softmax runs over the batch (dim 0)",
            over_words,
        ),
        Mistake(
            filled.flatten().softmax(0).view_as(scores),
            "all numbers of the tensor together sum to 1",
            "softmax runs over all elements",
            over_words,
        ),
        Mistake(scores, "the rows do not sum to 1, and some are negative", "softmax is missing", over_words),
        Mistake(
            filled.sigmoid(), "the rows do not sum to 1", "sigmoid looks at each score alone", over_words
        ),
        Mistake(
            (filled == filled.amax(-1, keepdim=True)).to(scores.dtype),
            "one word has the weight 1, all others 0",
            "the best word is chosen (`argmax`), which gives no gradient",
            "softmax gives every word a share",
        ),
        Mistake(
            filled.exp(), "the rows do not sum to 1", "the exponentials are not divided by their sum", over_words
        ),
        Mistake((-filled.masked_fill(hidden, torch.inf)).softmax(-1), "the lowest score has the largest weight",
                "the sign of the scores is turned round", over_words),
        Mistake(
            (filled / scores.shape[-1] ** 0.5).softmax(-1),
            "the weights are flatter than they should be",
            "the scores are scaled once more, here",
            "softmax of the scores as they are",
        ),
    ]  # fmt: skip
    return found if mask is None else [*masked_softmax_mistakes(scores, mask), *found]


def context_mistakes(scores: Tensor, values: Tensor, mask: Tensor | None = None) -> list[Mistake]:
    """Wrong contexts beside right weights."""
    right, weights = right_attend(scores, values, mask)
    shares = "the context is the sum over the words of weight times value"
    alone, equal = "the values are only summed", "all words get the same share"
    sums = [(values.sum(1), values.mean(1))]
    if mask is not None:
        allowed = (mask.unsqueeze(-1) * values).sum(1)
        sums.append((allowed, allowed / mask.sum(1, keepdim=True)))
    found = [
        Mistake(each, "the context does not depend on the weights", cause, shares)
        for pair in sums
        for each, cause in zip(pair, (alone, equal), strict=True)
    ]
    found += [
        Mistake(
            values[torch.arange(len(values)), weights.argmax(1)],
            "the context is the value of one word alone",
            "the best word is chosen (`argmax`), which gives no gradient",
            shares,
        ),
        Mistake(right / scores.shape[1], "the context is too small", "a mean over the words of weight times value",
                shares),
        Mistake(
            torch.einsum("bl,bld->bd", scores, values),
            "the context is not a mean of the values",
            "the values are summed with the scores, not with the weights",
            shares,
        ),
    ]  # fmt: skip
    if mask is not None:
        found.append(
            Mistake(
                right_attend(scores, values)[0],
                "the context knows words that are hidden, though the weights do not",
                "the context is computed with weights from before the mask",
                "compute the context from the weights that you return",
            )
        )
    return found


def nothing_allowed_is_zero(subject: Answer, row: Tensor, situation: str) -> None:
    """Require weights of 0 where no word is allowed; here softmax is torch's own, and the advice speaks of it."""
    observed = "the row is NaN" if row.isnan().any() else "all weights of the row are equal"
    causes = {
        "the row is NaN": "softmax of a row of -inf only is 0 / 0",
        "all weights of the row are equal": "-inf was replaced by a large finite number such as -1e9, which makes all "
        "scores of the row the same",
    }
    if row.isnan().any() or (row.ne(0).any() and torch.allclose(row, row[0])):
        subject.fail(
            situation,
            observed,
            "zeros: what may attend to nothing gives no weight to anything",
            causes[observed],
            "with `torch.softmax`: keep -inf for hidden words, give a row without any allowed word the scores 0 first, "
            "and set its weights to 0 afterwards",
        )
    empty_row_is_zero(subject, row, situation)
