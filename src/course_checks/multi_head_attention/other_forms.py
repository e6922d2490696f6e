"""Tasks `heads_one_by_one`, `fixed_heads` and `grouped_attention` of exercise 07."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients
from course_checks.multi_head_attention.shared import (
    MERGE,
    READY_MADE,
    SPLIT,
    UNIT,
    merge,
    right_merge,
    right_split,
    split,
)
from course_checks.task import Task
from course_checks.words import Wrong

one_by_one = Task("heads_one_by_one", UNIT, READY_MADE)
fixed = Task("fixed_heads", UNIT, READY_MADE)
grouped = Task("grouped_attention", UNIT, READY_MADE)
_ROWS = "nn.Linear computes `x @ weight.T`: which rows of the weight make the columns of head i?"


@one_by_one.oracle
def right_one_by_one(x, w_query, w_key, w_value, w_output, num_heads):
    """Project with all heads at once, and cut afterwards."""
    heads = [right_split(F.linear(x, weight), num_heads) for weight in (w_query, w_key, w_value)]
    return F.linear(right_merge(F.scaled_dot_product_attention(*heads)), w_output)


@one_by_one.pipeline(
    rows={
        "columns": Wrong("a head takes columns of the weights where it owns rows", "", _ROWS),
        "not transposed": Wrong("the weights are not transposed: `x @ w` in the place of `x @ w.T`", "", _ROWS),
        "piece of x": Wrong("each head sees a piece of x, not all of its columns", "", "a head reads the whole word"),
        "wide": Wrong("every head has all rows, as wide as d_model", "", _ROWS),
        "same": Wrong("every head uses the rows of head 0", "", "the loop variable says which rows a head owns"),
    },
    together={
        "sum": Wrong("the heads are added, not written side by side", "", "the formula says Concat"),
        "reversed": Wrong("the heads come in reverse order", "", "head 0 comes first"),
        "by words": Wrong("the heads are concatenated along the words, not along the columns", "",
                          "which dimension holds d_k?"),
    },
    last={"missing": Wrong("the result does not go through w_output", "", "the last step of the formula"),
          "not transposed": Wrong("w_output is not transposed", "", _ROWS)},
    scale={"d_model": Wrong("the scores are divided by the root of d_model; a head has d_k columns", "",
                            "how wide is the query of one head?")},
)  # fmt: skip
def heads_one_by_one(
    x, w_query, w_key, w_value, w_output, num_heads, *, rows="rows", together="columns", last="right", scale="d_k"
):
    """Loop with one choice for each step."""
    d_k, heads = x.shape[-1] // num_heads, []
    for head in range(num_heads):
        own = (
            slice(0, x.shape[-1] if rows == "wide" else d_k)
            if rows in ("same", "wide")
            else slice(head * d_k, (head + 1) * d_k)
        )
        three = []
        for weight in (w_query, w_key, w_value):
            if rows == "piece of x":
                three.append(x[..., own] @ weight[own, own].T)
            else:
                three.append(x @ {"columns": weight[:, own], "not transposed": weight[:, own]}.get(rows, weight[own].T))
        if rows == "columns":
            three = [x @ weight.T[own].T for weight in (w_query, w_key, w_value)]
        root = x.shape[-1] if scale == "d_model" else d_k
        weights = torch.softmax(three[0] @ three[1].transpose(-2, -1) / root**0.5, -1)
        heads.append(weights @ three[2])
    heads = heads[::-1] if together == "reversed" else heads
    if together == "by words":
        mixed = torch.cat(heads, 1)
        return mixed.reshape(*x.shape) @ w_output.T
    heads = heads[:1] if rows == "wide" else heads
    mixed = sum(heads).repeat(1, 1, num_heads) if together == "sum" else torch.cat(heads, -1)
    return mixed if last == "missing" else mixed @ (w_output if last == "not transposed" else w_output.T)


def weights_and_words(batch, length, d_model, num_heads):
    """Draw words and four matrices."""
    return lambda draw: (draw(batch, length, d_model, dtype=torch.float64),
                         *(draw(d_model, d_model, dtype=torch.float64, scale=0.5) for _ in range(4)),
                         num_heads)  # fmt: skip


one_by_one.require(
    "the list of heads says what all heads at once say",
    "the output of multi-head attention: each head with its own rows of the matrices, side by side, through w_output",
    [Case("2 sentences of 5 words, d_model = 6, 3 heads", weights_and_words(2, 5, 6, 3)),
     Case("the gradient", weights_and_words(2, 3, 4, 2), gradients())],
    [Case("one head", weights_and_words(2, 5, 6, 1)), Case("heads of width 1", weights_and_words(3, 4, 5, 5)),
     Case("four heads", weights_and_words(1, 3, 8, 4)), Case("one word", weights_and_words(2, 1, 9, 3))],
)  # fmt: skip


@fixed.oracle
def right_heads(query, key, value, num_heads):
    """Attend head by head with torch."""
    return right_merge(F.scaled_dot_product_attention(*(right_split(x, num_heads) for x in (query, key, value))))


@fixed.pipeline(
    cut={name: SPLIT[name] for name in ("viewed", "interleaved")}
    | {"value left": Wrong("queries and keys are cut as they should, the values are not", "", "all three are cut")},
    glue={name: MERGE[name] for name in ("viewed", "interleaved")},
    root={"d_model": Wrong("the root is still that of d_model", "", "which number stands under the root of a head?"),
          "none": Wrong("the scores are not divided at all", "", "which number stands under the root of a head?"),
          "heads": Wrong("the root is that of the number of heads", "", "which number stands under the root?")},
)  # fmt: skip
def fixed_heads(query, key, value, num_heads, *, cut="right", glue="right", root="d_k"):
    """Fix with one choice for each line."""
    hows = ("right", "right", "viewed") if cut == "value left" else (cut,) * 3
    q, k, v = (split(x, num_heads, how) for x, how in zip((query, key, value), hows, strict=True))
    sizes = {"d_model": query.shape[-1], "none": 1, "heads": num_heads}
    weights = torch.softmax(q @ k.transpose(-2, -1) / sizes.get(root, q.shape[-1]) ** 0.5, -1)
    return merge(weights @ v, glue)


def projected(batch, m, n, d_model, num_heads):
    """Draw projected inputs."""
    return lambda draw: (*(draw(batch, length, d_model, dtype=torch.float64) for length in (m, n, n)), num_heads)


fixed.require(
    "each head holds its own columns of every word, and its own scale",
    "the output of every head, side by side",
    [Case("batch 2, 3 queries, 5 keys, d_model = 6, 2 heads", projected(2, 3, 5, 6, 2)),
     Case("the gradient", projected(2, 3, 4, 6, 3), gradients())],
    [Case("one head", projected(2, 3, 5, 6, 1)), Case("heads of width 1", projected(3, 4, 2, 5, 5)),
     Case("one query", projected(2, 1, 4, 9, 3)), Case("as many of everything", projected(4, 4, 4, 16, 4))],
)  # fmt: skip


@grouped.oracle
def right_grouped(query, key, value):
    """Copy each key head for its query heads."""
    times = query.shape[1] // key.shape[1]
    return F.scaled_dot_product_attention(query, *(x.repeat_interleave(times, 1) for x in (key, value)))


@grouped.pipeline(
    shares={
        "in turn": Wrong("the key heads are dealt out in turn: query heads 0, 3, 6 share one; neighbours should", "",
                         "which key head does query head 1 use?"),
        "first": Wrong("all query heads use key head 0", "", "which key head does the last query head use?"),
    },
    scale={"none": Wrong("the scores are not divided by the root of d_k", "", "as in exercise 04")},
)  # fmt: skip
def grouped_attention(query, key, value, *, shares="neighbours", scale="d_k"):
    """Share with one choice for each step."""
    times = query.shape[1] // key.shape[1]
    if shares == "first":
        key, value = (x[:, :1].repeat(1, query.shape[1], 1, 1) for x in (key, value))
    elif shares == "in turn":
        key, value = (x.repeat(1, times, 1, 1) for x in (key, value))
    else:
        key, value = (x.repeat_interleave(times, 1) for x in (key, value))
    return F.scaled_dot_product_attention(query, key, value, scale=1.0 if scale == "none" else None)


def shared_heads(heads, groups, m=3, n=5, d_k=4):
    """Draw many query heads and few key heads."""
    return lambda draw: (draw(2, heads, m, d_k), draw(2, groups, n, d_k), draw(2, groups, n, d_k))


grouped.require(
    "neighbouring query heads share a key head",
    "query heads 0 to heads / groups - 1 share key head 0, the next ones key head 1, and so on",
    [Case("6 query heads, 3 key heads", shared_heads(6, 3)), Case("4 query heads, 1 key head", shared_heads(4, 1)),
     Case("2 heads each", shared_heads(2, 2))],
)  # fmt: skip
