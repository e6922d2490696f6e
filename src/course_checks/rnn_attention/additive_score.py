"""Task `additive_score` of exercise 03."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.rnn_attention.shared import READY_MADE, UNIT, double
from course_checks.task import Task

task = Task("additive_score", UNIT, READY_MADE)


@task.oracle
def right(query, keys, w_query, w_key, v):
    """Compute the scores as Luong et al. write them: one matrix times query and key, one above the other."""
    both = torch.cat([query.unsqueeze(1).expand(-1, keys.shape[1], -1), keys], dim=-1)
    return F.linear(F.linear(both, torch.cat([w_query, w_key], dim=1)).tanh(), v[None]).squeeze(-1)


# fmt: off
_LINE = "compare your line with the formula, from the inside to the outside"
_SQUARE = "here all sizes are equal, so that every product runs: write the shapes down with d_q, d_k and d_a"
_LENGTH = "the query's part needs a dimension for the length: at which place of its shape?"
_OTHER, _BOUNDED = "right shapes, other scores", "all scores lie between -1 and 1"
_WITHOUT_V = "the scores do not depend on `v`"
_QUERY, _KEY = "query @ w_query.T", "keys @ w_key.T"
_SIDE = "multiplied from the wrong side, or transposed"
task.edit(_QUERY, {
    "query @ w_query": (f"`w_query` is {_SIDE}", _SQUARE, _OTHER),
    "query @ w_key.T": ("`w_key` is used for the query too", _SQUARE, _OTHER),
    "query": ("the query is not multiplied by `w_query`", _LINE)})
task.edit(_KEY, {
    "keys @ w_key": (f"`w_key` is {_SIDE}", _SQUARE, _OTHER),
    "keys @ w_query.T": ("`w_query` is used for the keys too", _SQUARE, _OTHER),
    "keys": ("the keys are not multiplied by `w_key`", _LINE),
    "torch.zeros_like(keys @ w_key.T)": ("the part of the keys is lost", _LINE, "all scores of a row are equal")})
task.edit_places({_QUERY: "query @ w_key.T", _KEY: "keys @ w_query.T"},
                 "the two matrices are exchanged", _SQUARE, _OTHER)
task.edit_places({_QUERY: "query @ w_query", _KEY: "keys @ w_key"}, f"both matrices are {_SIDE}", _SQUARE, _OTHER)
task.edit(".unsqueeze(1)", {
    "": ("the query's part `(batch, d_a)` broadcasts along the length, not along the batch", _LENGTH,
         "word j is compared with the query of sentence j"),
    "[:, None, None]": ("every query meets the keys of every sentence", _LENGTH),
    "[:1].unsqueeze(1)": ("the query of the first sentence is used for all", "each sentence has a query of its own")})
task.edit("from_query + ", {
    "from_query - ": ("the two parts are subtracted, not added", _LINE),
    "": ("the part of the query is lost", _LINE, "the scores do not depend on the query")})
task.edit("torch.tanh(", {
    "(": ("tanh is missing; then the query adds the same number to every score of a row, and softmax does not see it",
          _LINE, "the scores are those of a linear function"),
    "torch.sigmoid(": ("sigmoid in the place of tanh", _LINE),
    "torch.relu(": ("relu in the place of tanh", _LINE),
    "F.gelu(": ("gelu in the place of tanh", _LINE),
    "torch.softmax(dim=-1, input=": ("softmax over d_a in the place of tanh", _LINE)})
task.edit(f"torch.tanh(from_query + {_KEY})", {
    f"torch.tanh(from_query * ({_KEY}))": ("the two parts are multiplied, not added", _LINE),
    f"(from_query.tanh() + ({_KEY}).tanh())": ("tanh is taken of each part on its own, and then they are added", _LINE,
        "the score is a sum of one number for the query and one for the key"),
    f"(from_query + ({_KEY}).tanh())": ("tanh is taken of the keys' part alone", _LINE),
    f"(from_query.tanh() + {_KEY})": ("tanh is taken of the query's part alone", _LINE),
    f"torch.tanh(from_query + {_KEY}).tanh()": ("tanh is applied twice before `v`", _LINE)})
task.edit(" @ v", {
    ".sum(-1)": ("the sum over d_a is taken without `v`", _LINE, _WITHOUT_V),
    ".mean(-1)": ("a mean over d_a in the place of `v`", _LINE, _WITHOUT_V),
    " @ v / len(v)": ("the mean of v times tanh, not the sum", _LINE, "the scores are too small"),
    " @ v / math.sqrt(len(v))": ("the scores are divided by sqrt(d_a)", _LINE, "the scores are too small"),
    " * v": ("the products with `v` are not summed", "`v` times a vector is one number"),
    " @ v[:, None]": ("a dimension of size 1 is left at the end", "take it away with `squeeze(-1)`")})
for _change, *_words in (
    ("torch.tanh((", " @ v)", "tanh comes after `v`, not before it", _LINE, _BOUNDED),
    ("torch.tanh(torch.tanh(", " @ v)", "tanh is applied a second time, after `v`", _LINE, _BOUNDED),
    ("torch.tanh(v * (", ").sum(-1)", "`v` is multiplied in before tanh", _LINE),
    ("torch.softmax(dim=-1, input=torch.tanh(", " @ v)", "softmax is applied: these are weights, not scores", _LINE,
     "each row sums to 1"),
    ("(v * torch.tanh(", ").sum(1)", "the sum with `v` runs over the words, or `v` meets them",
     "`v` has one number for each of the d_a columns"),
    ("(torch.tanh(", " @ v).mT", "length comes first, then the batch", "compare the shape", "the result is transposed"),
):
    task.edit_places({"torch.tanh(": _change, " @ v": _words[0]}, *_words[1:])
# fmt: on

task.require(
    "v times tanh of the sum of both parts",
    "a number for each word: v . tanh(W_g g + W_h h_j)",
    [Case("all sizes equal 4, so that wrong products run too", drawn("4 4; 4 4 4; 4 4; 4 4; 4", dtype=double)),
     Case("batch 2, length 4, d_q = 3, d_k = 5, d_a = 6", drawn("2 3; 2 4 5; 6 3; 6 5; 6")),
     Case("one sentence", drawn("1 4; 1 5 3; 2 4; 2 3; 2", dtype=double)),
     Case("large numbers", drawn("2 3; 2 4 5; 6 3; 6 5; 6", dtype=double, scale=7.0))],
    [Case("batch 5, length 3, d_q = 6, d_k = 2, d_a = 4", drawn("5 6; 5 3 2; 4 6; 4 2; 4", dtype=double)),
     Case("all sizes equal 3", drawn("3 3; 3 3 3; 3 3; 3 3; 3", dtype=double)),
     Case("one sentence of other sizes", drawn("1 2; 1 7 6; 3 2; 3 6; 3", dtype=double)),
     Case("other large numbers", drawn("3 4; 3 5 2; 3 4; 3 2; 3", dtype=double, scale=7.0)),
     Case("float32", drawn("3 5; 3 7 4; 6 5; 6 4; 6"))],
    _LINE,
)  # fmt: skip
task.require(
    "the gradient is that of the formula",
    "the derivative with respect to query, keys and weights",
    [Case("the gradient, batch 2, length 3", drawn("2 4; 2 3 2; 3 4; 3 2; 3", dtype=double), gradients())],
    [Case("the gradient, other sizes", drawn("3 2; 3 2 3; 5 2; 5 3; 5", dtype=double), gradients())],
)
task.limits(
    "one word, d_a = 1, float16, and wrong input",
    [
        Case("one word in each sentence", drawn("3 2; 3 1 4; 5 2; 5 4; 5", dtype=double)),
        Case("d_a = 1", drawn("2 3; 2 6 4; 1 3; 1 4; 1", dtype=double)),
        Case("float16", drawn("2 3; 2 4 5; 6 3; 6 5; 6", dtype=torch.float16, scale=0.5)),
        refusal("a query without a batch", drawn("3; 2 4 5; 6 3; 6 5; 6")),
        refusal("keys of one sentence, which would broadcast", drawn("2 3; 1 4 5; 6 3; 6 5; 6")),
        refusal("a transposed w_query", drawn("2 3; 2 4 5; 3 6; 6 5; 6")),
        refusal("a w_key for another width", drawn("2 3; 2 4 5; 6 3; 6 4; 6")),
        refusal("a v of one number, which would broadcast", drawn("2 3; 2 4 5; 6 3; 6 5; 1")),
    ],
)
