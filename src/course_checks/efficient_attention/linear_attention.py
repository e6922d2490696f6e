"""Task `linear_attention` of exercise 17: sums of keys and values in the place of the map."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, Draw, drawn, gradients, refusal
from course_checks.efficient_attention.shared import READY_MADE, UNIT
from course_checks.task import Task
from course_checks.words import Finding
from transformer_course.common.memory import Memory

task = Task("linear_attention", UNIT, READY_MADE)

_PHI = "put 0, 1 and -1 into your feature map: it should give 1, 2 and 1/e"
_SUM = "the weights of a query, phi(q) . phi(k_j) / sum, sum to 1: which keys does your sum go over?"
_PAST = "change the last key, and see which outputs change; then change the first one"
MAP = "a number for every query and every key is computed, so that the cost grows with the square of the length"
_MAP_HINT = "write the sum over keys first: phi(q) . (sum of phi(k_j) v_j^T) needs no query to begin with"


@task.oracle
def right(query, key, value, causal=False):
    """Write the weights of every pair down, as the definition says."""
    weights = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(-2, -1)
    weights = weights.tril() if causal else weights
    total = weights.sum(-1, keepdim=True)
    return weights @ value / total.masked_fill(total == 0, 1.0)


# fmt: off
_DIVIDED = " / total.masked_fill(total == 0, 1.0)"
_SUM_OF_ALL = "query @ key.sum(dim=-2).unsqueeze(-1)"
_SUM_SO_FAR = "weights.sum(dim=-1, keepdim=True) + q @ keys.transpose(-2, -1)"
_ON, _ONLY_0 = "what has to go on from chunk to chunk?", "replace the sum only where it is 0"
_COLUMNS = ("a cumulative sum runs over columns, not over the positions",
            "print the shape before `cumsum`: which dimension counts the positions?")
_CUMSUM = ("states, keys = (key.unsqueeze(-1) * value.unsqueeze(-2)).cumsum(dim={}), key.cumsum(dim={})\n"
           "total = (query * keys).sum(dim=-1, keepdim=True)\n"
           f"return (query.unsqueeze(-2) @ states).squeeze(-2){_DIVIDED}\nsummed = ")
task.edit("F.elu(query) + 1, F.elu(key) + 1", {
    "F.elu(query), F.elu(key)": ("the feature map is elu without the + 1: weights can be negative", _PHI),
    "F.relu(query), F.relu(key)": ("the feature map is relu, not elu + 1", _PHI),
    "F.relu(query) + 1, F.relu(key) + 1": ("the feature map is relu + 1, not elu + 1", _PHI),
    "query.exp(), key.exp()": ("the feature map is e^x", _PHI),
    "query, key": ("there is no feature map: weights can be negative", _PHI),
    "F.elu(query) + 1, key": ("the keys do not go through the feature map", _PHI),
    "query, F.elu(key) + 1": ("the queries do not go through the feature map", _PHI),
    "F.elu(query + 1), F.elu(key + 1)": ("1 is added before elu, not after it", _PHI),
    "query.softmax(dim=-1), key.softmax(dim=-1)": ("softmax in the place of the feature map", _PHI),
    "F.elu(query / math.sqrt(query.shape[-1])) + 1, F.elu(key) + 1": (
        "queries are divided by sqrt(d_k) first: this attention has no scale", _PHI)})
task.edit("query, key = ", {
    "value = F.elu(value) + 1\nquery, key = ": (
        "the values go through the feature map as well", "phi stands around q and k")})
task.edit_all(_DIVIDED, {
    "": ("the sum of the weights is not divided by", _SUM),
    " / key.shape[-2]": ("it is divided by the number of keys, not by the sum of the weights", _SUM),
    " / total": ("a sum of 0 is divided by: 0 / 0", "what should an output be whose weights are all 0? Replace the sum "
                 "where it is 0", "numbers are NaN"),
    " / (total + 1e-6)": ("a small number is added to every sum, so that no result is exact", _ONLY_0),
    " / total.clamp(min=1e-6)": (
        "a small sum is replaced by a larger number (`clamp`), so that the output is too small", _ONLY_0)})
for _sums in ("query @ (key.transpose(-2, -1) @ value)", "(weights @ v + q @ summed)"):
    task.edit(_sums + _DIVIDED, {f"torch.where(total == 0, 0.0, {_sums} / total)": (
        "0 / 0 is computed, and hidden in the result (`torch.where`, `nan_to_num`): in the gradient it is still NaN",
        "replace the sum where it is 0 before you divide", "the gradient holds NaN")})
task.edit(_SUM_SO_FAR, {
    _SUM_OF_ALL.replace("query", "q"): (
        "in the causal form the sum goes over all keys, also those that come later", _SUM)})
task.edit(_SUM_OF_ALL, {
    "(key @ query.sum(dim=-2).unsqueeze(-1)).mean(dim=-2, keepdim=True)": (
        "the sum goes over the queries, not over the keys", _SUM)})
task.edit_places(
    {_SUM_OF_ALL: "query.sum(dim=-1, keepdim=True) * key.sum(dim=(-2, -1), keepdim=True)",
     _SUM_SO_FAR: "q.sum(dim=-1, keepdim=True) * (keys + k.cumsum(dim=-2)).sum(dim=-1, keepdim=True)"},
    "the sum of phi(q) times the sum of all phi(k): the sum of the dot products is phi(q) . (sum of phi(k_j)), column "
    "by column", _SUM)
task.edit("if not causal:", {
    "if True:": ("`causal` is not used: every position sees all others", _PAST),
    "if False:": ("`causal` is not used: the future is always hidden", "try causal=False"),
    "if causal:": ("`causal` is used the wrong way round", "try both values of `causal`"),
    "weights = query @ key.transpose(-2, -1)\n"
    "weights = weights.tril() if causal else weights\n"
    "total = weights.sum(dim=-1, keepdim=True)\n"
    f"return weights @ value{_DIVIDED}\nif not causal:": (MAP, _MAP_HINT)})
task.edit(".tril()", {
    ".tril(-1)": ("off by one: a position does not see itself", _PAST),
    "": ("positions see their whole chunk, also what comes later in it", _PAST)})
task.edit_places({"summed = key": "query, key, value = (x.flip(-2) for x in (query, key, value))\nsummed = key",
                  "torch.cat(outputs, dim=-2)": "torch.cat(outputs, dim=-2).flip(-2)"},
                 "the sums run backwards: positions see what comes later", _PAST)
_VALUES, _KEYS = "summed = summed + k.transpose(-2, -1) @ v", "keys = keys + k.sum(dim=-2, keepdim=True)"
task.edit_places({_VALUES: "", _KEYS: ""}, "a chunk forgets the chunks before it: the sums begin at 0 again", _ON)
task.edit_places({"weights = (q": f"{_VALUES}\n{_KEYS}\nweights = (q", _VALUES: "", _KEYS: ""},
                 "a chunk is added to the sums before its own outputs are computed: its positions see all of it, and "
                 "what stands before them in it twice", _PAST)
task.edit(_VALUES, {"": ("the sum of keys times values begins at 0 again in every chunk", _ON)})
task.edit(_KEYS, {"": ("the sum of the keys, for the denominator, begins at 0 again in every chunk", _ON)})
task.edit("summed = key", {
    _CUMSUM.format(*dims) + "key": _COLUMNS for dims in ((-2, -1), (-3, -1), (-2, -2), (-1, -2))})
# fmt: on


def inputs(m, n, d_k, d_v, *causal, leading="2", silent=(), shift=0.0, dtype=torch.float64):
    """Draw query, key, value; the weights of the queries ``silent`` are all 0, and a shift makes all of them small."""

    def make(draw):
        shapes = f"{leading} {m} {d_k}; {leading} {n} {d_k}; {leading} {n} {d_v}"
        query, key, value = drawn(shapes, dtype=dtype)(draw)
        query[..., list(silent), :] = -1e4
        return query + shift, key + shift, value, *causal

    return make


EXPECTED = "the mean of the values, weighted by phi(q) . phi(k_j), with phi(x) = elu(x) + 1"
task.require(
    "every query weighs all keys",
    EXPECTED,
    [Case("3 queries, 7 keys, d_k = 4, d_v = 5", inputs(3, 7, 4, 5)),
     Case("6 positions, batch and heads, causal=False", inputs(6, 6, 3, 3, False, leading="2 3"))],
    [Case("no leading dimension", inputs(4, 9, 5, 2, leading="")),
     Case("as many of everything", inputs(4, 4, 4, 4, False, leading="4"))],
    _PHI,
)  # fmt: skip
task.require(
    "with causal, every query weighs the keys up to its own position",
    f"{EXPECTED}, over the positions up to the own one",
    [Case("6 positions, causal", inputs(6, 6, 4, 3, True)),
     Case("batch and heads, causal", inputs(5, 5, 4, 4, True, leading="2 3")),
     Case("150 positions, causal", inputs(150, 150, 3, 2, True, leading=""))],
    [Case("other sizes, causal", inputs(9, 9, 2, 6, True, leading="3")),
     Case("many positions, causal", inputs(520, 520, 2, 2, True, leading=""))],
    _PAST,
)  # fmt: skip
task.require(
    "where the weights sum to 0 the output is 0, and a small sum is divided by as it is",
    "zeros where the sum is 0, and the formula everywhere else",
    [Case("a query of -10 000", inputs(4, 6, 3, 2, silent=[1])),
     Case("a query of -10 000, causal", inputs(6, 6, 3, 2, True, silent=[2])),
     Case("queries and keys around -12", inputs(4, 6, 3, 2, shift=-12.0)),
     Case("queries and keys around -12, causal", inputs(5, 5, 3, 2, True, shift=-12.0))],
    [Case("two such queries", inputs(5, 5, 2, 2, True, silent=[0, 3])),
     Case("queries and keys around -11", inputs(3, 7, 2, 4, shift=-11.0))],
)  # fmt: skip
task.require(
    "the gradients are those of the formula",
    "the derivative with respect to query, key and value",
    [Case("the gradient", inputs(3, 5, 4, 2), gradients()),
     Case("the gradient, causal", inputs(5, 5, 3, 2, True), gradients()),
     Case("the gradient, with a query of -10 000", inputs(4, 6, 3, 2, silent=[1]), gradients()),
     Case("the gradient, with a query of -10 000, causal", inputs(5, 5, 3, 2, True, silent=[2]), gradients())],
    [Case("the gradient, causal, more positions", inputs(70, 70, 2, 2, True, leading=""), gradients())],
)  # fmt: skip


@task.probe("the cost is linear in the length", "four times as much for a text that is four times as long", MAP,
            _MAP_HINT)  # fmt: skip
def cost_of(answer):
    """256 and 1,024 positions, with causal and without."""
    for causal in (False, True):
        made = []
        for length in (256, 1024):
            leaves = inputs(length, length, 3, 3, leading="", dtype=torch.float32)(Draw("cost"))
            with torch.no_grad(), Memory(*leaves) as memory:
                answer(*leaves, causal)
            made.append(memory.made)
        if made[1] > 10 * made[0] or memory.largest > 4 * 1024 * 1024 / 2:
            raise Finding(
                f"with causal={causal} the tensors that the call made hold {made[1] / made[0]:.0f} times as many "
                "numbers for a text that is 4 times as long", "", MAP, _MAP_HINT, final=True)  # fmt: skip


task.limits(
    "one position, no keys, float32, and wrong input",
    [
        Case("one position", inputs(1, 1, 3, 2, True)),
        Case("no keys", inputs(3, 0, 4, 2)),
        Case("float32", inputs(5, 5, 4, 2, True, dtype=torch.float32)),
        refusal("causal with another number of keys than queries", drawn("3 4; 5 4; 5 2", True), "key"),
        refusal("a key with another d_k", drawn("3 4; 5 3; 5 2"), "key"),
        refusal("a value with another length", drawn("3 4; 5 4; 4 2"), "value"),
    ],
)
