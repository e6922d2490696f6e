"""Tasks `heads_one_by_one`, `fixed_heads` and `grouped_attention` of exercise 07."""

from torch.nn import functional as F

from course_checks.cases import Case, drawn, gradients
from course_checks.multi_head_attention import shared
from course_checks.multi_head_attention.shared import right_merge, right_split
from course_checks.scaled_dot_product_attention.shared import double
from course_checks.task import Task

one_by_one = Task("heads_one_by_one", shared.UNIT, shared.READY_MADE)
fixed = Task("fixed_heads", shared.UNIT, shared.READY_MADE)
grouped = Task("grouped_attention", shared.UNIT, shared.READY_MADE)
_ROWS = "nn.Linear computes `x @ weight.T`: which rows of the weight make the columns of head i?"
_ROOT = "which number stands under the root of a head?"


@one_by_one.oracle
def right_one_by_one(x, w_query, w_key, w_value, w_output, num_heads):
    """Project with all heads at once, and cut afterwards."""
    heads = [right_split(F.linear(x, weight), num_heads) for weight in (w_query, w_key, w_value)]
    return F.linear(right_merge(F.scaled_dot_product_attention(*heads)), w_output)


# fmt: off
_WIDE = ("every head has all rows, as wide as d_model", _ROWS)
one_by_one.edit_places({"d_k = x.shape[-1] // num_heads": "d_k = x.shape[-1]",
                        "(query, key, value)[0]": "(query * num_heads**0.5, key, value)[0]"}, *_WIDE)
one_by_one.edit("x @ weight[start : start + d_k].T", {
    "x @ weight[:, start : start + d_k]": ("a head takes columns of the weights where it owns rows; the weights are "
        "not transposed: `x @ w` in the place of `x @ w.T`", _ROWS),
    "x[..., start : start + d_k] @ weight[start : start + d_k, start : start + d_k].T": (
        "each head sees a piece of x, not all of its columns", "a head reads the whole word"),
    "x @ weight.T": _WIDE,
    "x @ weight[start // d_k :: num_heads].T": (
        "a head takes every num_heads-th row of the weights, where it owns rows that lie side by side", _ROWS),
    "x @ weight[:d_k].T": ("every head uses the rows of head 0", "the loop variable says which rows a head owns"),
})
one_by_one.edit("range(0, x.shape[-1], d_k)", {"range(num_heads)": (
    "the rows of head r begin at row r: the heads overlap", "which rows does head 1 own, if d_k is 4?")})
one_by_one.edit("torch.cat(heads, dim=-1)", {
    "sum(heads).repeat(1, 1, num_heads)": ("the heads are added, not written side by side", "the formula says Concat"),
    "torch.cat(heads[::-1], dim=-1)": ("the heads come in reverse order", "head 0 comes first"),
    "torch.cat(heads, dim=1).reshape(x.shape)": ("the heads are concatenated along the words, not along the columns",
        "which dimension holds d_k?"),
})
one_by_one.edit(" @ w_output.T", {
    "": ("the result does not go through w_output", "the last step of the formula"),
    " @ w_output": ("w_output is not transposed", _ROWS),
})
one_by_one.edit("(w_query, w_key, w_value))", {
    "(w_query, w_query, w_value))": ("the keys are made with w_query", "which matrix makes the keys?"),
    "(w_query, w_key, w_value.unflatten(0, (d_k, num_heads)).transpose(0, 1).flatten(0, 1)))": (
        "a head takes every num_heads-th row of w_value alone, and neighbours of the other two", _ROWS)})
one_by_one.edit("(query, key, value)[0]", {
    "(query / num_heads**0.5, key, value)[0]": (
        "the scores are divided by the root of d_model; a head has d_k columns", "how wide is the query of one head?"),
    "(key, query, value)[0]": ("query and key change places in the call", "which argument holds what asks?")})
# fmt: on


def weights_and_words(batch, length, d_model, num_heads):
    """Draw words and four matrices."""
    return drawn(f"{batch} {length} {d_model}" + 4 * f"; {d_model} {d_model}", num_heads, dtype=double, scale=0.7)


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


# fmt: off
fixed.edit("x.reshape(batch, -1, num_heads, d_k).transpose(1, 2)", {
    "x.reshape(batch, num_heads, -1, d_k)": shared.SPLIT_VIEWED,
    "x.reshape(batch, -1, d_k, num_heads).permute(0, 3, 1, 2)": shared.SPLIT_WOVEN,
})
fixed.edit(" @ value", {" @ value.transpose(1, 2).reshape(value.shape)": (
    "queries and keys are cut as they should, the values are not", "all three are cut")})
fixed.edit("mixed.transpose(1, 2)", {
    "mixed": shared.MERGE_VIEWED, "mixed.permute(0, 2, 3, 1)": shared.MERGE_WOVEN})
fixed.edit("d_k**0.5", {
    "d_model**0.5": ("the root is still that of d_model", _ROOT),
    "1": ("the scores are not divided at all", _ROOT),
    "num_heads**0.5": ("the root is that of the number of heads", _ROOT),
    "d_k": ("the scores are divided by d_k itself: the root is missing", _ROOT),
    "key.shape[2]**0.5": ("the root is that of the number of keys", _ROOT),
})
# fmt: on

fixed.require("each head holds its own columns of every word, and its own scale",
              "the output of every head, side by side",
              [Case("batch 2, 3 queries, 5 keys, d_model = 6, 2 heads", drawn("2 3 6; 2 5 6; 2 5 6", 2, dtype=double)),
               Case("the gradient", drawn("2 3 6; 2 4 6; 2 4 6", 3, dtype=double), gradients())],
              [Case("one head", drawn("2 3 6; 2 5 6; 2 5 6", 1, dtype=double)),
               Case("heads of width 1", drawn("3 4 5; 3 2 5; 3 2 5", 5, dtype=double)),
               Case("one query", drawn("2 1 9; 2 4 9; 2 4 9", 3, dtype=double)),
               Case("as many of everything", drawn("4 4 16; 4 4 16; 4 4 16", 4, dtype=double))])  # fmt: skip


@grouped.oracle
def right_grouped(query, key, value):
    """Copy each key head for its query heads."""
    times = query.shape[1] // key.shape[1]
    return F.scaled_dot_product_attention(query, *(x.repeat_interleave(times, 1) for x in (key, value)))


# fmt: off
_SHARED = "key.unsqueeze(2), value.unsqueeze(2)"
grouped.edit_places({"(groups, heads // groups)": "(heads // groups, groups)", _SHARED: _SHARED.replace("2", "1")},
                    "the key heads are dealt out in turn: query heads 0, 3, 6 share one; neighbours should",
                    "which key head does query head 1 use?")
grouped.edit(_SHARED, {"key[:, :1, None], value[:, :1, None]": (
    "all query heads use key head 0", "which key head does the last query head use?")})
_IN_TURN = "torch.arange(heads).view(groups, -1) % groups]"
for _name, _other in (("key", "value"), ("value", "key")):
    grouped.edit(f"{_name}.unsqueeze(2)", {f"{_name}[:, {_IN_TURN}": (
        f"the heads of `{_name}` are dealt out in turn, while those of `{_other}` are shared by neighbours",
        f"which head of `{_name}` does query head 1 use?")})
grouped.edit("output, _ = scaled_dot_product_attention(grouped, key.unsqueeze(2), value.unsqueeze(2))", {
    "output = (grouped @ key.unsqueeze(2).mT / key.shape[-1] ** 0.5).softmax(-2) @ value.unsqueeze(2)": (
        "softmax runs over the queries, not over the keys", "the weights of a query sum to 1 over the keys")})
grouped.edit("output.flatten(1, 2)", {"output.transpose(1, 2).flatten(1, 2)": (
    "the heads are brought into another order when the groups are glued together",
    "the first heads / groups heads of the result come from group 0")})
grouped.edit("(grouped, ", {"(grouped * query.shape[-1] ** 0.5, ": (
    "the scores are not divided by the root of d_k", "as in exercise 04")})
# fmt: on

grouped.require("neighbouring query heads share a key head",
                "query heads 0 to heads / groups - 1 share key head 0, the next ones key head 1, and so on",
                [Case("6 query heads, 3 key heads", drawn("2 6 3 4; 2 3 5 4; 2 3 5 4")),
                 Case("4 query heads, 1 key head", drawn("2 4 3 4; 2 1 5 4; 2 1 5 4")),
                 Case("2 heads each", drawn("2 2 3 4; 2 2 5 4; 2 2 5 4"))])  # fmt: skip
