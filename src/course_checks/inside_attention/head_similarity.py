"""Tasks `head_similarity` and `fixed_diversity` of exercise 12."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.inside_attention.inputs import UNIT, maps
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("head_similarity", UNIT, ("cosine_similarity", "cosine_embedding", "corrcoef"))
fixed = Task("fixed_diversity", UNIT)
_TWICE = "take two heads with the same map: their cosine must be 1, whatever is in the map"


@task.oracle
def right(weights):
    """Let torch compare every pair of flattened maps."""
    flat = weights.flatten(2)
    return F.cosine_similarity(flat[:, :, None], flat[:, None], dim=-1, eps=1e-30)


@task.pipeline(
    length={
        "none": Wrong("the products are not divided by the lengths", "the diagonal is not 1", _TWICE),
        "one": Wrong("the products are divided by one of the two lengths only", "the diagonal is not 1", _TWICE),
        "sum": Wrong("the maps are divided by their sums, not by their lengths", "the diagonal is not 1", _TWICE),
        "common": Wrong("all maps are divided by one common length", "the diagonal is not 1", _TWICE),
        "mean": Wrong("the mean of the products is taken", "the diagonal is not 1", _TWICE),
    },
    vectors={
        "rows": Wrong("the cosines of single rows are averaged; the map as a whole is one vector", "",
                      "flatten queries and keys together"),
        "queries averaged": Wrong("the rows of a map are averaged before the comparison", "",
                                  "flatten queries and keys together"),
        "centred": Wrong("the mean is subtracted first: that is a correlation", "", "no mean in the formula"),
        "heads and queries": Wrong("heads and queries are mixed: the wrong dimensions are flattened", "",
                                   "flatten the last two dimensions"),
    },
    pairs={
        "layers": Wrong("layers are compared with layers, not heads with heads", "", "(layers, heads, heads)"),
        "layers averaged": Wrong("the maps of all layers are averaged first", "", "each layer has its own table"),
        "no diagonal": Wrong("the diagonal is set to 0", "", "a head with itself has the cosine 1"),
        "distance": Wrong("1 minus the cosine is returned, a distance", "", "alike means 1"),
    },
)  # fmt: skip
def head_similarity(weights, *, length="own", vectors="maps", pairs="heads"):
    """Compare with one choice for each step."""
    weights = weights.mean(0, keepdim=True).expand_as(weights) if pairs == "layers averaged" else weights
    weights = weights.transpose(0, 1) if pairs == "layers" else weights
    weights = weights.transpose(1, 2) if vectors == "heads and queries" else weights
    if vectors == "rows":
        rows = F.normalize(weights, dim=-1)
        found = torch.einsum("lamn,lbmn->labm", rows, rows).mean(-1)
    else:
        flat = weights.mean(2) if vectors == "queries averaged" else weights.flatten(2)
        flat = flat - flat.mean(-1, keepdim=True) if vectors == "centred" else flat
        own = flat.norm(dim=-1, keepdim=True).clamp(min=1e-30)
        by = {"none": 1.0, "sum": flat.sum(-1, keepdim=True), "common": own.mean(), "mean": flat.shape[-1] ** 0.5}
        first, second = (flat / own, flat) if length == "one" else (flat / by.get(length, own),) * 2
        found = first @ second.transpose(-2, -1)
    found = found * ~torch.eye(found.shape[-1], dtype=torch.bool) if pairs == "no diagonal" else found
    return 1 - found if pairs == "distance" else found


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


@fixed.pipeline(
    sentences={
        "averaged": Wrong("the maps of all sentences are averaged before they are compared", "",
                          "two heads that change places from one sentence to the next: what must come out?"),
        "together": Wrong("the maps of all sentences are one long vector for each head", "",
                          "two heads that read the same sentence are compared"),
        "crossed": Wrong("heads of different sentences are compared too", "",
                         "two heads that read the same sentence are compared"),
        "first": Wrong("only the first sentence is looked at", "", "the mean over all sentences"),
    },
    pairs={
        "all": Wrong("each head is compared with itself too, which gives 1", "",
                     "one sentence with two heads that never look at the same key: what must come out?"),
        "zeroed": Wrong("the diagonal is set to 0, and still counted in the mean", "too small",
                        "how many pairs of different heads are there?"),
        "half": Wrong("one half of the pairs is set to 0, and still counted in the mean", "too small",
                      "how many pairs of different heads are there?"),
    },
    result={"tensor": Wrong("the result is still a tensor", "", "turn a tensor of one number into a Python number with "
                            "`.item()`"),
            "difference": Wrong("1 minus the mean is returned", "", "leave the last line's sense as it was")},
)  # fmt: skip
def fixed_diversity(weights, *, sentences="each", pairs="different", result="number"):
    """Fix with one choice for each line."""
    weights = weights[:1] if sentences == "first" else weights
    weights = weights.mean(0, keepdim=True) if sentences == "averaged" else weights
    weights = weights.flatten(0, 1)[None] if sentences == "crossed" else weights
    flat = weights.transpose(0, 1).flatten(1)[None] if sentences == "together" else weights.flatten(2)
    directions = flat / flat.norm(dim=-1, keepdim=True)
    cosines = directions @ directions.transpose(-2, -1)
    different = ~torch.eye(cosines.shape[-1], dtype=torch.bool)
    if pairs in ("zeroed", "half"):
        found = (cosines * (different if pairs == "zeroed" else different.tril())).mean()
    else:
        found = cosines.mean() if pairs == "all" else cosines[:, different].mean()
    found = 1 - found if result == "difference" else found
    return found if result == "tensor" else found.item()


fixed.require(
    "the mean cosine of two different heads that read the same sentence",
    "a Python number: the mean over all sentences and all pairs of different heads",
    [Case("3 sentences, 4 heads, maps (4, 5)", maps(3, 4, 4, 5)),
     Case("one sentence, two heads that look elsewhere", (torch.eye(2).double()[None, :, None],))],
    [Case("two heads", maps(3, 2, 4, 5)), Case("one sentence", maps(1, 3, 5, 4)), Case("one query", maps(2, 3, 1, 6)),
     Case("as many of everything", maps(4, 4, 4, 4))],
)  # fmt: skip
