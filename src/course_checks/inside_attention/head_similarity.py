"""Tasks `head_similarity` and `fixed_diversity` of exercise 12."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.inside_attention.inputs import UNIT, maps
from course_checks.task import Task

task = Task("head_similarity", UNIT, ("cosine_similarity", "cosine_embedding", "corrcoef"))
fixed = Task("fixed_diversity", UNIT)
_TWICE = "take two heads with the same map: their cosine must be 1, whatever is in the map"


@task.oracle
def right(weights):
    """Let torch compare every pair of flattened maps."""
    flat = weights.flatten(2)
    return F.cosine_similarity(flat[:, :, None], flat[:, None], dim=-1, eps=1e-30)


# fmt: off
_DIAGONAL, _WHOLE = "the diagonal is not 1", "flatten queries and keys together"
_ROWS = "the cosines of single rows are averaged; the map as a whole is one vector", _WHOLE
task.edit("flattened / lengths.masked_fill(lengths == 0, 1.0)", {
    "flattened": ("the products are not divided by the lengths", _TWICE, _DIAGONAL),
    "flattened / lengths": ("a map of zeros is divided by its length, which is 0: 0 / 0 is NaN",
                            "what can a length of 0 be replaced by, so that the cosine is 0?"),
    "flattened / lengths.square()": ("the products are divided by the squares of the lengths: a root is missing",
                                     _TWICE, _DIAGONAL),
    "flattened / flattened.sum(dim=-1, keepdim=True)": (
        "the maps are divided by their sums, not by their lengths", _TWICE, _DIAGONAL),
    "flattened / lengths.mean()": ("all maps are divided by one common length", _TWICE, _DIAGONAL),
    "flattened / flattened.shape[-1] ** 0.5": ("the mean of the products is taken", _TWICE, _DIAGONAL),
})
task.edit("flattened.norm(dim=-1, keepdim=True)", {"flattened.norm(dim=(1, 2), keepdim=True)": (
    "one length is taken for all heads of a layer together; each map has its own", _TWICE, _DIAGONAL)})
task.edit("weights.flatten(start_dim=2)", {
    "weights.mean(dim=2)": ("the rows of a map are averaged before the comparison", _WHOLE),
    "weights.flatten(start_dim=2) - weights.mean(dim=(2, 3))[..., None]": (
        "the mean is subtracted first: that is a correlation", "no mean in the formula"),
    "weights.transpose(1, 2).flatten(start_dim=2)": (
        "heads and queries are mixed: the wrong dimensions are flattened", "flatten the last two dimensions"),
    "weights.transpose(0, 1).flatten(start_dim=2)": (
        "layers are compared with layers, not heads with heads", "(layers, heads, heads)"),
    "weights.mean(dim=0, keepdim=True).expand_as(weights).flatten(start_dim=2)": (
        "the maps of all layers are averaged first", "each layer has its own table"),
})
task.edit("directions @ directions.transpose(-2, -1)", {
    "directions @ flattened.transpose(-2, -1)": (
        "the products are divided by one of the two lengths only", _TWICE, _DIAGONAL),
    "flattened @ flattened.transpose(-2, -1) / lengths.masked_fill(lengths == 0, 1.0) ** 2": (
        "the products are divided by the square of one head's length, not by the lengths of both",
        "exchange two heads: must their cosine change?", "the cosine of a and b is not that of b and a"),
    "(directions @ directions.transpose(-2, -1)).triu()": (
        "one half of the table stays 0", "which cosine has head 1 with head 0?"),
    "(directions @ directions.transpose(-2, -1)).mean(dim=0)": (
        "the tables of all layers are averaged", "each layer has its own table"),
    "torch.einsum('lap,lbp->abl', directions, directions)": (
        "the layers stand last in the result", "(layers, heads, heads)"),
    "torch.einsum('lamn,lbmn->labm', *[F.normalize(weights, dim=-1)] * 2).mean(-1)": _ROWS,
    "directions @ directions.transpose(-2, -1) * ~torch.eye(weights.shape[1], dtype=torch.bool)": (
        "the diagonal is set to 0", "a head with itself has the cosine 1"),
    "1 - directions @ directions.transpose(-2, -1)": ("1 minus the cosine is returned, a distance", "alike means 1"),
})
# fmt: on


EXPECTED = "in each layer the cosine of every head's flattened map with every head's"
task.require(
    "the cosine of every pair of heads, layer by layer",
    EXPECTED,
    [Case("2 layers, 3 heads, maps (4, 5)", maps(2, 3, 4, 5)),
     Case("under a causal mask", maps(3, 2, 4, 4, hidden=True)),
     Case("numbers that are not weights", lambda draw: (draw(2, 3, 2, 4, dtype=torch.float64),)),
     Case("the gradient", maps(1, 3, 2, 5), gradients())],
    [Case("4 of everything", maps(4, 4, 4, 4)), Case("one head", maps(2, 1, 3, 5)), Case("12 heads", maps(1, 12, 2, 7)),
     Case("small numbers", lambda draw: (1e-3 * maps(2, 3, 4, 5)(draw)[0],)),
     Case("float32", maps(2, 4, 3, 6, dtype=torch.float32))],
)  # fmt: skip


def with_zeros(draw):
    """Draw maps, one of them zeros."""
    drawn = maps(2, 3, 4, 5)(draw)[0]
    drawn[1, 0] = 0.0
    return (drawn,)


task.limits(
    "a map of zeros, one query, float16, and wrong input",
    [
        Case("a map of zeros", with_zeros),
        Case("one query", maps(2, 3, 1, 4)),
        Case("float16", maps(2, 3, 4, 5, dtype=torch.float16)),
        refusal("maps without layers", (torch.ones(3, 4, 5),)),
        refusal("integers", (torch.ones(2, 3, 4, 5, dtype=torch.long),)),
    ],
    "0 for a map of zeros with every map; otherwise the cosine",
)


@fixed.oracle
def right_diversity(weights):
    """Average over all sentences and all pairs of different heads, one after the other."""
    found = []
    for sentence in weights:
        for one in range(len(sentence)):
            for other in range(one):
                found.append(F.cosine_similarity(sentence[one].flatten(), sentence[other].flatten(), dim=0))
    return (sum(found) / len(found)).item()


# fmt: off
_SAME, _SMALL = "two heads that read the same sentence are compared", "too small"
_ITSELF = ("each head is compared with itself too, which gives 1",
           "one sentence with two heads that never look at the same key: what must come out?")
_COUNT = "how many pairs of different heads are there?"
fixed.edit("weights.flatten(start_dim=2)", {
    "weights.mean(0, keepdim=True).flatten(start_dim=2)": (
        "the maps of all sentences are averaged before they are compared",
        "two heads that change places from one sentence to the next: what must come out?"),
    "weights.transpose(0, 1).flatten(1)[None]": ("the maps of all sentences are one long vector for each head", _SAME),
    "weights[:1].flatten(start_dim=2)": ("only the first sentence is looked at", "the mean over all sentences"),
})
fixed.edit("maps / maps.norm(dim=-1, keepdim=True)", {
    "maps": ("the maps are not divided by their lengths", _TWICE),
    "maps / maps.norm(dim=1, keepdim=True)": ("the length is taken over the heads, not over a map", _TWICE)})
fixed.edit("directions @ directions.transpose(-2, -1)", {
    "torch.einsum('bhmn,bgmn->bhgm', *[F.normalize(weights, dim=-1)] * 2).mean(-1)": _ROWS})
fixed.edit_places({"maps = ": "weights = weights.flatten(0, 1)[None]\nmaps = "},
                  "heads of different sentences are compared too", _SAME)
fixed.edit("cosines[:, different].mean()", {
    "cosines.mean()": _ITSELF,
    "cosines[:, torch.ones_like(different).triu()].mean()": _ITSELF,
    "(cosines[:, different].sum() / (len(weights) * weights.shape[1]))": (
        "the sum is divided by the number of heads, not by that of the pairs", _COUNT),
    "cosines[:, 0, 1].mean()": ("only two of the heads are compared, not all pairs", _COUNT),
    "cosines.diagonal(1, 1, 2).mean()": ("only neighbouring heads are compared, not all pairs", _COUNT),
    "(cosines * different).mean()": ("the diagonal is set to 0, and still counted in the mean", _COUNT, _SMALL),
    "(cosines * different.tril()).mean()": (
        "one half of the pairs is set to 0, and still counted in the mean", _COUNT, _SMALL),
    "(1 - cosines[:, different].mean())": ("1 minus the mean is returned", "leave the last line's sense as it was"),
})
fixed.edit(".item()", {"": (
    "the result is still a tensor", "turn a tensor of one number into a Python number with `.item()`")})
# fmt: on
fixed.require(
    "the mean cosine of two different heads that read the same sentence",
    "a Python number: the mean over all sentences and all pairs of different heads",
    [
        Case("3 sentences, 4 heads, maps (4, 5)", maps(3, 4, 4, 5)),
        Case("one sentence, two heads that look elsewhere", (torch.eye(2).double()[None, :, None],)),
    ],
    [
        Case("two heads", maps(3, 2, 4, 5)),
        Case("one sentence", maps(1, 3, 5, 4)),
        Case("one query", maps(2, 3, 1, 6)),
        Case("as many of everything", maps(4, 4, 4, 4)),
    ],
)  # fmt: skip
