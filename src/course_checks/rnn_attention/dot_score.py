"""Task `dot_score` of exercise 03."""

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.rnn_attention.shared import READY_MADE, UNIT, double
from course_checks.task import Task

task = Task("dot_score", UNIT, READY_MADE)


@task.oracle
def right(query, keys):
    """Go through sentences and words."""
    rows = [torch.stack([q.dot(key) for key in words]) for q, words in zip(query, keys, strict=True)]
    return torch.stack(rows)


# fmt: off
_HAND = "work out two words of width 2 by hand, and compare"
_ALONE = "the task asks for the dot product alone"
_OWN = "each sentence has a query of its own"
_DIFFERENCE = ("the query is subtracted from the keys or they from it, not multiplied", _HAND)
_SUMMED = "are summed: `einsum` sums over a letter that is missing behind the arrow"
_UNIT_KEYS = "F.normalize(keys, dim=-1) * "
task.edit("keys * query.unsqueeze(1)", {
    _UNIT_KEYS + "F.normalize(query, dim=-1).unsqueeze(1)": ("query and keys are divided by their lengths: the cosine",
        _ALONE, "all numbers lie between -1 and 1"),
    _UNIT_KEYS + "query.unsqueeze(1)": ("the keys are divided by their lengths", _ALONE),
    "(keys - query.unsqueeze(1)).square()": (
        "a squared distance, not a product", _HAND, "all numbers are positive"),
    "keys - query.unsqueeze(1)": _DIFFERENCE,
    "query.unsqueeze(1) - keys": _DIFFERENCE,
    "keys + query.unsqueeze(1)": ("query and keys are added, not multiplied", _HAND),
    "-keys * query.unsqueeze(1)": ("the sign is turned round", _HAND, "every number has the wrong sign"),
    "keys * query": ("query `(batch, d)` broadcasts along the length, not along the batch",
        "the query needs a dimension for the length: at which place of its shape?",
        "word j is compared with the query of sentence j"),
    "keys * query[:, None, None]": ("every query is compared with the keys of every sentence", _OWN),
    "keys * query[:1].unsqueeze(1)": ("the query of the first sentence is used for all", _OWN),
    "keys.sum(0, keepdim=True) * query.unsqueeze(1)": (f"the keys of all sentences {_SUMMED}",
        "each sentence has letters of its own: which letter of the keys is that of the batch?",
        "all sentences share their keys"),
    "keys * query.sum(0)": (f"the queries of all sentences {_SUMMED}",
        f"{_OWN}: which letter of the keys is that of the batch?", "all sentences share their queries"),
    "keys * query.roll(1, 0).unsqueeze(1)": ("each sentence is compared with the query of another one", _HAND),
})
task.edit(".sum(dim=-1)", {
    ".sum(dim=-2)": ("the sum runs over the words, not over the columns", "over what is g . h a sum?"),
    ".sum(dim=0)": ("the sum runs over the sentences, not over the columns", "over what is g . h a sum?"),
    "": ("the products are not summed", _HAND, "there is a number for every column of every word"),
    ".mean(dim=-1)": ("the mean over the columns is taken, not the sum", _ALONE,
                      "the scores are too small by the factor d"),
    ".amax(dim=-1)": ("the largest product is taken, not the sum", _HAND),
    ".sum(dim=-1).abs()": ("the sign is lost: an absolute value or a square", _HAND, "no number is negative"),
    ".sum(dim=-1) / math.sqrt(query.shape[1])": ("the scores are divided by sqrt(d), as in a Transformer", _ALONE,
        "the scores are too small by the factor sqrt(d)"),
    ".sum(dim=-1) * math.sqrt(query.shape[1])": ("the scores are multiplied by sqrt(d)", _ALONE),
    ".sum(dim=-1).softmax(-1)": ("softmax is applied: these are weights, not scores", _ALONE, "each row sums to 1"),
    ".sum(dim=-1).softmax(0)": ("softmax is applied, and over the batch", _ALONE, "each column sums to 1"),
    ".sum(dim=-1).sigmoid()": ("a sigmoid is applied", _ALONE, "all numbers lie between 0 and 1"),
    ".sum(dim=-1).tanh()": ("tanh is applied", _ALONE, "all numbers lie between -1 and 1"),
    ".sum(dim=-1).unsqueeze(-1)": ("a dimension of size 1 is left at the end", "take it away with `squeeze(-1)`"),
    ".sum(dim=-1).unsqueeze(1)": ("a dimension of size 1 is left in the middle", "take it away with `squeeze(1)`"),
    ".sum(dim=-1).squeeze()": ("`squeeze()` without a dimension takes away every dimension of size 1, the batch too",
                               "say which dimension should go"),
    ".sum(dim=-1).mT": ("length comes first, then the batch", "compare the shape", "the result is transposed"),
})
# fmt: on

task.require(
    "the dot product of each query with the keys of its own sentence",
    "a number for each word of each sentence: the sum over d of query times key",
    [Case("as many sentences as words, 3; d = 5", drawn("3 5; 3 3 5", dtype=double)),
     Case("batch 2, length 4, d = 3", drawn("2 3; 2 4 3")), Case("one sentence", drawn("1 3; 1 4 3", dtype=double))],
    [Case("one sentence of other sizes", drawn("1 4; 1 6 4", dtype=double)),
     Case("batch 5, length 7, d = 2", drawn("5 2; 5 7 2", dtype=double)),
     Case("all sizes equal", drawn("4 4; 4 4 4", dtype=double)), Case("float32", drawn("3 5; 3 6 5"))],
    _HAND,
)  # fmt: skip
task.require(
    "the gradient is that of the formula",
    "the derivative with respect to query and keys",
    [Case("the gradient, batch 2, length 3, d = 4", drawn("2 4; 2 3 4", dtype=double), gradients())],
    [Case("the gradient, other sizes", drawn("3 2; 3 5 2", dtype=double), gradients())],
)
task.limits(
    "one word, d = 1, float16, and wrong input",
    [
        Case("one word in each sentence", drawn("3 4; 3 1 4", dtype=double)),
        Case("d = 1", drawn("2 1; 2 5 1", dtype=double)),
        Case("float16", drawn("2 3; 2 4 3", dtype=torch.float16)),
        refusal("a query without a batch", drawn("3; 2 4 3")),
        refusal("keys without a length", drawn("2 3; 2 3")),
        refusal("keys of one sentence, which would broadcast", drawn("2 3; 1 4 3")),
        refusal("a query of one number, which would broadcast", drawn("2 1; 2 4 3")),
    ],
)
