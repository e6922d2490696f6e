"""Task `blockwise_attention` of exercise 17: equal to plain attention, and never the whole map."""

import torch

from course_checks.cases import GRADIENT, Case, Draw, drawn, gradients, refusal, require_gradient
from course_checks.efficient_attention.shared import READY_MADE, UNIT, plain
from course_checks.outcomes import is_tensor, same
from course_checks.task import Task
from course_checks.words import Finding, Wrong
from transformer_course.common.memory import Memory

task = Task("blockwise_attention", UNIT, READY_MADE)
_TWO = "take one query and two keys in blocks of 1, and follow maximum, sum and output by hand"
_SLICE = "print the shapes of the block's scores and of what you take from the mask"
_ROWS = "print the weights that `backward` makes again, of all blocks side by side: does each row sum to 1?"
_ROOT = "the scores are divided by sqrt(d_k) once: where does that stand in the gradients of query and key?"
_BACK = "compare the gradients of query, key and value one by one with those of torch, for one block, then for two"
_LAST = "take 7 keys in blocks of 3: print start and stop of each block"
_ORDER = "`backward` returns one gradient for each argument of `forward`, in the same order"
_SHARED, _AS_BEFORE = "which size do query and key share?", "as in exercise 04"
KEPT = (
    "autograd keeps the weights of every block for the backward pass, all of them together a whole map (or the code "
    "keeps them itself)"
)
WHOLE = "a tensor with a number for every query and every key is made, or a list of all its blocks"
_ONE_BLOCK = "one block of scores at a time"
_KEPT_HINT = (
    "keep only query, key, value, output, and one number for each query, and compute the weights of a block again on "
    "the way back: in a `torch.autograd.Function`, or with `torch.utils.checkpoint`"
)


@task.oracle
def right(query, key, value, mask=None, block_size=128):
    """Ask torch, which is told nothing of blocks."""
    return plain(query, key, value, mask)


# fmt: off
# The way there.
_TOP = "torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))"
_DIVIDED, _END = "mixed / total.masked_fill(total == 0, 1.0)", "maximum = highest"
_TOTAL = "total = total * factor + exponentials.sum(dim=-1, keepdim=True)\n"
_MIXED = "mixed * factor + exponentials @"
_HIDE = "scores.masked_fill(~mask[..., start:stop], -math.inf)"
_UNDIVIDED = ("the old output is multiplied by the sum, as in task 1, but divided only at the end: then it is still "
              "undivided, and the factor alone rescales it", _TWO)
task.edit_places({"total * factor": "total", "mixed * factor": "mixed"},
                 "what came before is not rescaled when a block brings a new largest score (or by e^0 = 1, as when the "
                 "maximum is overwritten before the factor is computed)", _TWO)
task.edit("mixed * factor", {
    "mixed": ("the old sum is rescaled, the old output is not", _TWO),
    "mixed * factor * factor": ("the old output is rescaled twice", _TWO),
    "mixed * factor * total": _UNDIVIDED})
task.edit_places({_TOTAL: "", "mixed * factor": "mixed * factor * total", _END: _TOTAL + _END}, *_UNDIVIDED)
task.edit("total * factor", {"total": ("the old output is rescaled, the old sum is not", _TWO)})
task.edit(_TOP, {
    "scores.amax(dim=-1, keepdim=True)": ("the largest score of the block takes the place of the largest so far, even "
        "where it is smaller", "the maximum never falls from block to block"),
    "torch.zeros_like(maximum)": (
        "no maximum is subtracted: large scores overflow", "subtract the largest score so far"),
    f"{_TOP}.clamp(min=0.0)": (
        "the maximum begins at 0: scores far below 0 all vanish", "the maximum of nothing is -inf")})
task.edit("highest.masked_fill(highest == -math.inf, 0.0)", {
    "highest": ("in a row where nothing has been allowed so far, -inf minus -inf is NaN (or 0 / 0 at the end)",
                "what are maximum and sum of such a row, and what do you subtract and divide?", "numbers are NaN")})
task.edit_places(
    {_END: f"maximum, mixed = highest, {_DIVIDED}", f"output = {_DIVIDED}": "output = mixed"},
    "the output is divided by the sum after every block, and not multiplied by it again before the next one", _TWO)
task.edit(_DIVIDED, {"mixed": ("the output is not divided by the sum at the end", _TWO)})
task.edit_places({_MIXED: "mixed + masked_softmax(scores) @", _DIVIDED: "mixed / -(-key.shape[-2] // block_size)"},
                 "each block has a softmax of its own, and their outputs are averaged or added", _TWO)
task.edit_places({_MIXED: "masked_softmax(scores) @", _DIVIDED: "mixed"}, "only the last block is returned", _TWO)
task.edit(" / math.sqrt(query.shape[-1])", {
    "": ("the scores are not divided by sqrt(d_k)", _AS_BEFORE),
    " / query.shape[-1]": ("the scores are divided by d_k, not by sqrt(d_k)", _AS_BEFORE),
    " / math.sqrt(value.shape[-1])": ("the scores are divided by the root of d_v, the width of the values", _SHARED),
    " / math.sqrt(block_size)": ("the scores are divided by the root of the size of the block", _SHARED)})
task.edit("range(0, key.shape[-2], block_size)", {
    "range(0, key.shape[-2] - key.shape[-2] % block_size, block_size)": (
        "the last block is dropped, if it is not full", _LAST)})
task.edit("stop = start + block_size", {
    "stop = start + block_size + 1": ("neighbouring blocks share a key", _LAST),
    "stop, start = start + block_size, start + (start > 0)": ("the first key of each block is left out", _LAST)})
task.edit_all(_HIDE, {
    "scores": ("the mask is not used", _SLICE, "hidden keys still count"),
    "scores.masked_fill(mask[..., start:stop], -math.inf)": (
        "the mask is used the wrong way round", "True means `may be attended to`", "exactly the hidden keys count"),
    "scores.masked_fill(~mask[..., : scores.shape[-1]], -math.inf)": (
        "every block takes the first columns of the mask, not its own", _SLICE),
    "scores.masked_fill(~mask[..., start:stop, : scores.shape[-1]], -math.inf)": (
        "the mask is cut along the queries, not along the keys", _SLICE),
    "scores.masked_fill(~mask[..., start:stop], -1e9)": (
        "hidden scores are filled with a finite number such as -1e9: a query that may attend to nothing attends to "
        "everything equally", "-inf is what e^x turns into 0 for any maximum")})
task.edit(f"if mask is not None:\n    scores = {_HIDE}\nhighest = {_TOP}", {
    f"highest = {_TOP}\nif mask is not None:\n    scores = {_HIDE}": (
        "the mask comes after the largest score is found: a large hidden score makes the others vanish",
        "set hidden scores to -inf before anything else is done with them")})
task.edit("InBlocks.apply(query, key, value, mask, block_size)", {
    "InBlocks.forward(SimpleNamespace(save_for_backward=lambda *kept: None), query, key, value, mask, block_size)": (
        KEPT, _KEPT_HINT),
    "InBlocks.apply(query, key, value, mask, max(1, key.shape[-2]))": (WHOLE, _ONE_BLOCK)})
# The way back.
_MEAN, _OF_SCORES = "(grad_output * output).sum(dim=-1, keepdim=True)", "grad_output @ values.transpose(-2, -1)"
_ALL = "grad_query, torch.cat(grad_keys, dim=-2), torch.cat(grad_values, dim=-2), None, None"
_SCORES = ("the gradient of the value is computed with the gradient of the scores in the place of the weights", _BACK)
task.edit("maximum + total.log()", {"maximum - total.log()": (
    "the logarithm of the sum is taken away from the maximum, where the weights need it added",
    "write e^(s - maximum) / total as one power of e")})
task.edit_all("mask[..., start:stop]", {"mask[..., start:stop, :]": (
    "the mask is cut along the queries; the blocks are blocks of keys",
    "print the shapes of the scores of a block and of its piece of the mask")})
task.edit("(scores - log_total).exp()", {
    "masked_softmax(scores)": ("on the way back the weights of each block sum to 1: they are divided by their own sum, "
        "not by that of all blocks", _ROWS)})
task.edit(f"if mask is not None:\n    scores = {_HIDE}\nweights", {
    "weights": ("on the way back the mask is forgotten", _BACK)})
task.edit("query @ keys.transpose(-2, -1) / root", {
    "query @ keys.transpose(-2, -1)": (
        "on the way back the scores that are made again are not divided by sqrt(d_k)", _ROWS)})
task.edit("(maximum + total.log())", {
    "maximum": ("the weights that are made again are e^(s - maximum): they are not divided by their sum", _ROWS),
    "(maximum + total)": ("the sum stands beside the maximum without its logarithm: the number of a query is the "
        "maximum plus the sum", _ROWS),
    "total.log()": ("the logarithm of the sum is kept without the maximum", _ROWS)})
task.edit(".masked_fill(total == 0, 0.0)", {
    "": ("the number that is kept of a query that may attend to nothing is -inf, and -inf minus -inf is NaN on the way "
         "back", "print lse of such a query, and the weights that follow from it", "the gradient holds NaN")})
task.edit("mask, output, log_total)", {
    "mask, mixed, log_total)": ("the output that `forward` keeps for the way back is not yet divided by the sum; the "
        "one that it returns is", "print the output that `backward` gets, and the one returned")})
task.edit(_MEAN, {
    _MEAN.replace("sum", "mean"): ("the mean gradient of a query is grad_output . output, a sum over the columns; here "
                                   "it is the mean over them", _BACK),
    "grad_output.sum(dim=-1, keepdim=True)": (
        "the mean gradient of a query is the sum of grad_output, without the output", _BACK)})
task.edit("grad_scores = ", {
    f"mean = (weights * ({_OF_SCORES})).sum(dim=-1, keepdim=True)\ngrad_scores = ": (
        "on the way back the mean gradient is that of a block, not of all keys", _BACK)})
task.edit(f"({_OF_SCORES} - mean)", {
    f"({_OF_SCORES})": (
        "on the way back the mean gradient of the weights is not subtracted, grad_output . output", _BACK),
    f"(mean - {_OF_SCORES})": ("the gradient of the scores has the wrong sign: the gradient of a weight is subtracted "
                               "from their mean", _BACK)})
task.edit("mean) / root", {
    "mean)": ("on the way back the gradient of the scores is not divided by sqrt(d_k)", _ROOT),
    "mean) / root**2": ("on the way back sqrt(d_k) is divided by twice", _ROOT)})
task.edit("grad_query + grad_scores @ keys", {
    "grad_query + grad_scores @ keys * root": (
        "the gradient of the query is not divided by sqrt(d_k); that of the key is", _ROOT),
    "grad_scores @ keys": (
        "the gradient of the query is that of the last block: the blocks have to be added up", _BACK)})
task.edit("grad_scores.transpose(-2, -1) @ query", {
    "grad_scores.transpose(-2, -1) @ query * root": (
        "the gradient of the key is not divided by sqrt(d_k); that of the query is", _ROOT),
    "grad_scores.transpose(-2, -1) @ grad_output": (
        "the gradient of the key is computed with grad_output in the place of the query", _BACK)})
task.edit("weights.transpose(-2, -1) @ grad_output", {
    "grad_scores.transpose(-2, -1) @ grad_output * root": _SCORES,
    "grad_scores.transpose(-2, -1) @ grad_output": _SCORES})
task.edit(_ALL, {
    "torch.cat(grad_keys, dim=-2), grad_query, torch.cat(grad_values, dim=-2), None, None": (
        "the gradients of query and key are exchanged where they are returned", _ORDER),
    "grad_query, torch.cat(grad_values, dim=-2), torch.cat(grad_keys, dim=-2), None, None": (
        "the gradients of key and value are exchanged where they are returned", _ORDER),
    "torch.cat(grad_values, dim=-2), torch.cat(grad_keys, dim=-2), grad_query, None, None": (
        "the gradients of query and value are exchanged where they are returned", _ORDER),
    _ALL.removesuffix(", None, None"): ("`backward` returns fewer gradients than `forward` has arguments",
                                        f"{_ORDER}; None stands for what has no gradient"),
    "grad_query, sum(grad_keys), sum(grad_values), None, None": ("the gradients of the keys and values of all blocks "
        "are added up; each block has keys and values of its own", _BACK),
    "grad_query, torch.cat(grad_keys[::-1], dim=-2), torch.cat(grad_values[::-1], dim=-2), None, None": (
        "the gradients of the keys and values of the blocks are put together in another order", _BACK)})
# fmt: on


def inputs(m, n, d_k, d_v, *block_size, mask=None, leading="2", nothing=(), dtype=torch.float64, scale=1.0):
    """Draw query, key, value, and a mask of a shape, if it is none already; in the rows ``nothing`` nothing is seen."""

    def make(draw):
        query, key, value = drawn(f"{leading} {m} {d_k}; {leading} {n} {d_k}; {leading} {n} {d_v}", dtype=dtype)(draw)
        allowed = draw.mask(*map(int, mask.split())) if isinstance(mask, str) else mask
        if nothing:
            allowed[..., list(nothing), :] = False
        return scale * query, scale * key, value, allowed, *block_size

    return make


def causal(length):
    """Make a causal mask."""
    return torch.ones(length, length).tril().bool()


def far_below(draw):
    """Draw inputs whose scores are all around -2000."""
    query, key, *rest = inputs(3, 7, 4, 5, 2)(draw)
    return 0.1 * query + 30.0, 0.1 * key - 30.0, *rest


def loud(draw):
    """Draw inputs in which two hidden keys are large."""
    query, key, value, _, block_size = inputs(5, 7, 4, 6, 3)(draw)
    mask = torch.ones(5, 7, dtype=torch.bool)
    mask[:, [1, 5]] = False
    key[..., [1, 5], :] = 1e5 * query[..., :1, :]
    return query, key, value, mask, block_size


def take_turns(draw):
    """Draw inputs in which the largest score of each query lies in an early block."""
    query, key, *rest = inputs(4, 9, 5, 5, 3)(draw)
    return query, key * torch.linspace(6.0, 0.1, 9, dtype=torch.float64)[:, None], *rest


def backward(answer, *inputs):
    """Observe the gradients, also of a class whose backward pass is not written yet."""
    try:
        return gradients()(answer, *inputs)
    except NotImplementedError:
        raise Finding(
            "the backward pass raised NotImplementedError", "gradients", "the forward pass is there, `backward` still "
            "holds its first version", "write `backward`, or delete the class and use `checkpoint`", final=True,
        ) from None  # fmt: skip


def by_the_arguments(observed, expected):
    """Say where to look, from the arguments whose gradients are wrong; None of them is autograd's work."""
    wrong = {int(name[-1]) for name in expected if not same(observed.get(name), expected[name])}
    if any(is_tensor(x) and x.isnan().any() for x in observed.values()):
        cause = (
            "-inf minus -inf, where a query may attend to nothing: in the weights that are made again, or (with "
            "`checkpoint`) in what `torch.where` or `nan_to_num` hides in the output and not in its gradient"
        )
        return Wrong(cause, "the gradient holds NaN", "print lse of such a query, and the weights that follow from it")
    if wrong == {3}:
        cause = (
            "the gradients of query and key are right, so the weights that are made again are right too: the gradient "
            "of the value is not the product of the weights, transposed, and grad_output"
        )
    elif wrong == {2, 3}:
        cause = (
            "the gradient of the query is right, and so are the weights that are made again: the gradients of key and "
            "value are put together in another order, or their last products are not the right ones"
        )
    elif wrong == {1, 2}:
        cause = (
            "the gradient of the value is right, and so are the weights that are made again: the gradient of the "
            "scores is not, a * (g - mean), or what query and key get of it"
        )
    elif 3 not in wrong:
        name, other = ("query", "key") if wrong == {1} else ("key", "query")
        cause = f"all is right but the last step for the {name}: the product with the {other}, its scale, or its sum"
    else:
        cause = (
            "the weights that are made again are not those of the forward pass: e^(s - lse) with one lse a query (or, "
            "where `checkpoint` leaves the way back to autograd: a `.detach()`, an `.item()`, or another cut)"
        )
        return Wrong(cause, GRADIENT.sees, _ROWS)
    return Wrong(cause, GRADIENT.sees, _BACK)


backward.words = by_the_arguments
EXPECTED = (
    "the output of attention over all keys, whatever the size of the blocks: zeros for a query that may attend to "
    "nothing"
)
task.require(
    "the output does not depend on the size of the blocks",
    EXPECTED,
    [Case("3 queries, 8 keys in blocks of 4, d_k = 5, d_v = 6", inputs(3, 8, 5, 6, 4)),
     Case("7 keys in blocks of 3, batch and heads", inputs(4, 7, 5, 2, 3, leading="2 3")),
     Case("blocks of 1 key", inputs(3, 5, 4, 4, 1, leading="")),
     Case("blocks larger than the text", inputs(3, 5, 4, 4, 16)),
     Case("150 keys, block_size left out", drawn("2 6 4; 2 150 4; 2 150 3", dtype=torch.float64)),
     Case("the largest scores come first", take_turns)],
    [Case("many keys in blocks of 5", inputs(9, 23, 6, 7, 5, leading="3")),
     Case("blocks that fit", inputs(5, 12, 4, 4, 6, leading="2 2")),
     Case("300 keys, block_size left out", inputs(4, 300, 5, 2, leading=""))],
    _TWO,
)  # fmt: skip
task.require(
    "masks are cut into the same blocks",
    EXPECTED,
    [Case("a mask of shape (3, 7), blocks of 3", inputs(3, 7, 5, 6, 3, mask="3 7")),
     Case("a causal mask, 6 positions, blocks of 2", inputs(6, 6, 4, 4, 2, mask=causal(6), leading="2 3")),
     Case("a mask that hides the past, 6 positions, blocks of 2", inputs(6, 6, 4, 4, 2, mask=causal(6).T)),
     Case("a padding mask of shape (2, 1, 1, 7), 3 heads, blocks of 2",
          inputs(5, 7, 4, 3, 2, mask="2 1 1 7", leading="2 3")),
     Case("a mask, block_size left out", inputs(4, 140, 3, 3, mask="4 140")),
     Case("hidden keys with large numbers", loud)],
    [Case("a mask for each head", inputs(5, 9, 4, 6, 4, mask="3 5 9", leading="2 3")),
     Case("a causal mask, blocks of 3", inputs(11, 11, 4, 4, 3, mask=causal(11))),
     Case("one row of a mask for all", inputs(5, 8, 4, 6, 3, mask="8", leading="3"))],
    _SLICE,
)  # fmt: skip
task.require(
    "large scores, scores far below 0, and queries that may attend to nothing",
    EXPECTED,
    [Case("scores of magnitude 1000", inputs(3, 7, 16, 2, 3, scale=32.0)),
     Case("scores around -2000", far_below),
     Case("a query that may attend to nothing", inputs(4, 7, 5, 2, 3, mask="4 7", nothing=[1]))],
    [Case("scores of magnitude 4000", inputs(4, 9, 16, 3, 2, scale=30.0)),
     Case("two queries that may attend to nothing", inputs(5, 8, 3, 4, 3, mask="2 5 8", nothing=[0, 3]))],
)  # fmt: skip
task.require(
    "the gradients are those of attention",
    "the derivative of attention with respect to query, key and value",
    [Case("the gradient, 7 keys in blocks of 3", inputs(4, 7, 5, 5, 3), backward),
     Case("the gradient, one block", inputs(3, 4, 5, 2, 4), backward),
     Case("the gradient, a mask", inputs(5, 8, 4, 4, 3, mask="5 8", leading="2 2"), backward),
     Case("the gradient, when a query may attend to nothing",
          inputs(4, 6, 3, 2, 2, mask="4 6", nothing=[2]), backward)],
    [Case("the gradient, a causal mask", inputs(7, 7, 4, 4, 2, mask=causal(7), leading="2 2"), backward),
     Case("the gradient, blocks of 1", inputs(3, 5, 4, 4, 1, leading=""), backward),
     Case("the gradient, large scores", inputs(3, 6, 8, 3, 4, scale=4.0), backward)],
    _BACK,
)  # fmt: skip

LENGTH, BLOCK, WIDTH = 2048, 32, 2
MAP = LENGTH * LENGTH * 4  # bytes


def _long():
    draw = Draw("a long text")
    return [draw(LENGTH, WIDTH) for _ in range(3)]


def _refuse(seen, cause, hint):
    raise Finding(seen, "a few blocks of scores at a time, and nothing as large as the map", cause, hint, final=True)


@task.probe("the forward pass never holds the map", "a few blocks of scores at a time", WHOLE, _ONE_BLOCK)
def forward_memory(answer):
    """2,048 queries and keys in blocks of 32, the forward pass without gradients."""
    leaves = _long()
    with torch.no_grad(), Memory(*leaves) as memory:
        answer(*leaves, None, BLOCK)
    if memory.peak > MAP / 5:
        _refuse("at some moment the tensors that the call had made held together more than a fifth of the "
                "2,048 x 2,048 weights", WHOLE, _ONE_BLOCK)  # fmt: skip


@task.probe("neither do the forward and the backward pass together", "the weights of a block are computed again on the "
            "way back", KEPT, _KEPT_HINT)  # fmt: skip
def backward_memory(answer):
    """2,048 queries and keys in blocks of 32, forward and backward."""
    leaves = [x.requires_grad_() for x in _long()]
    with Memory(*leaves) as memory:
        output = require_gradient(answer(*leaves, None, BLOCK))
    if memory.living > MAP / 2:
        _refuse("after the forward pass more than half of the 2,048 x 2,048 weights are kept for the backward pass",
                KEPT, _KEPT_HINT)  # fmt: skip
    with memory:
        torch.autograd.grad(output, leaves, torch.ones_like(output))
    if memory.peak > MAP / 2:
        _refuse("in the backward pass the tensors held together more than half of the 2,048 x 2,048 weights",
                "the backward pass makes the whole map, or a list of all its blocks",
                "one block of weights at a time, on the way back too")  # fmt: skip


task.limits(
    "float32, no keys, one query, leading dimensions that broadcast, and wrong input",
    [
        Case("float32", inputs(3, 7, 5, 6, 3, mask="3 7", dtype=torch.float32)),
        Case("no keys", inputs(3, 0, 5, 6, 3)),
        Case("one query", inputs(1, 6, 4, 5, 4, mask="1 6")),
        Case("d_k = d_v = 1", inputs(3, 5, 1, 1, 2)),
        Case("one entry of the mask for all keys",
             inputs(3, 5, 2, 2, 2, mask=torch.tensor([[True], [False], [True]]))),
        Case("a batch of queries, one set of keys", drawn("2 3 4; 5 4; 2 5 3; None", 2)),
        refusal("blocks of 0", drawn("3 4; 5 4; 5 2; None", 0), "block_size"),
        refusal("a key with another d_k", drawn("3 4; 5 3; 5 2"), "key"),
        refusal("a value with another length", drawn("3 4; 5 4; 4 2"), "value"),
        refusal("a mask of numbers", drawn("3 4; 5 4; 5 2; 3 5"), "mask"),
    ],
)  # fmt: skip
