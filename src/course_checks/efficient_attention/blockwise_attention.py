"""Task `blockwise_attention` of exercise 17: equal to plain attention, and never the whole map."""

import math

import torch

from course_checks.cases import GRADIENT, Case, Draw, gradients, refusal, require_gradient
from course_checks.efficient_attention.shared import READY_MADE, UNIT, plain
from course_checks.outcomes import is_tensor, same
from course_checks.task import Task
from course_checks.words import Finding, Wrong
from transformer_course.common.memory import Memory

task = Task("blockwise_attention", UNIT, READY_MADE)


@task.oracle
def right(query, key, value, mask=None, block_size=128):
    """Ask torch, which is told nothing of blocks."""
    return plain(query, key, value, mask)


_TWO = "take one query and two keys in blocks of 1, and follow maximum, sum and output by hand"
_SLICE = "print the shapes of the block's scores and of what you take from the mask"
_ROWS = "print the weights that `backward` makes again, of all blocks side by side: does each row sum to 1?"
_ROOT = "the scores are divided by sqrt(d_k) once: where does that stand in the gradients of query and key?"
_BACK = "compare the gradients of query, key and value one by one with those of torch, for one block, then for two"
_SCORES = Wrong("the gradient of the value is computed with the gradient of the scores in the place of the weights", "",
                _BACK)  # fmt: skip
_LAST = "take 7 keys in blocks of 3: print start and stop of each block"
KEPT = (
    "autograd keeps the weights of every block for the backward pass, all of them together a whole map (or the code "
    "keeps them itself)"
)
WHOLE = "a tensor with a number for every query and every key is made, or a list of all its blocks"
_KEPT_HINT = (
    "keep only query, key, value, output, and one number for each query, and compute the weights of a block again on "
    "the way back: in a `torch.autograd.Function`, or with `torch.utils.checkpoint`"
)


_UNDIVIDED = Wrong("the old output is multiplied by the sum, as in task 1, but divided only at the end: then it is "
                   "still "
                   "undivided, and the factor alone rescales it", "", _TWO)  # fmt: skip
_ORDER = "`backward` returns one gradient for each argument of `forward`, in the same order"


@task.pipeline(
    old={
        "as it is": Wrong("what came before is not rescaled when a block brings a new largest score", "", _TWO),
        "only the sum": Wrong("the old sum is rescaled, the old output is not", "", _TWO),
        "only the output": Wrong("the old output is rescaled, the old sum is not", "", _TWO),
        "twice": Wrong("the old output is rescaled twice", "", _TWO),
        "times the old sum": _UNDIVIDED, "times the new sum": _UNDIVIDED,
    },
    maximum={
        "block": Wrong("the largest score of the block takes the place of the largest so far, even where it is "
                       "smaller", "", "the maximum never falls from block to block"),
        "none": Wrong("no maximum is subtracted: large scores overflow", "", "subtract the largest score so far"),
        "0 at least": Wrong("the maximum begins at 0: scores far below 0 all vanish", "",
                            "the maximum of nothing is -inf"),
    },
    end={
        "each block": Wrong("the output is divided by the sum after every block, and not multiplied by it again before "
                            "the next one", "", _TWO),
        "not divided": Wrong("the output is not divided by the sum at the end", "", _TWO),
        "mean": Wrong("each block has a softmax of its own, and their outputs are averaged or added", "", _TWO),
        "last": Wrong("only the last block is returned", "", _TWO),
    },
    scale={
        "none": Wrong("the scores are not divided by sqrt(d_k)", "", "as in exercise 04"),
        "d_k": Wrong("the scores are divided by d_k, not by sqrt(d_k)", "", "as in exercise 04"),
        "value": Wrong("the scores are divided by the root of d_v, the width of the values", "", "which size do query "
                       "and key share?"),
        "block": Wrong("the scores are divided by the root of the size of the block", "", "which size do query and key "
                       "share?"),
    },
    cut={
        "rest dropped": Wrong("the last block is dropped, if it is not full", "", _LAST),
        "first key of the next": Wrong("neighbouring blocks share a key", "", _LAST),
        "first dropped": Wrong("the first key of each block is left out", "", _LAST),
    },
    masking={
        "not used": Wrong("the mask is not used", "hidden keys still count", _SLICE),
        "inverted": Wrong("the mask is used the wrong way round", "exactly the hidden keys count",
                          "True means `may be attended to`"),
        "first columns": Wrong("every block takes the first columns of the mask, not its own", "", _SLICE),
        "rows": Wrong("the mask is cut along the queries, not along the keys", "", _SLICE),
        "after": Wrong("the mask comes after the largest score is found: a large hidden score makes the others vanish",
                       "", "set hidden scores to -inf before anything else is done with them"),
        "-1e9": Wrong("hidden scores are filled with a finite number such as -1e9: a query that may attend to nothing "
                      "attends to everything equally", "", "-inf is what e^x turns into 0 for any maximum"),
    },
    empty={
        "nan": Wrong("in a row where nothing has been allowed so far, -inf minus -inf is NaN (or 0 / 0 at the end)",
                     "numbers are NaN", "what are maximum and sum of such a row, and what do you subtract and divide?"),
    },
    memory={"kept": Wrong(KEPT, "", _KEPT_HINT), "whole": Wrong(WHOLE, "", "one block of scores at a time")},
)  # fmt: skip
def blockwise_attention(
    query, key, value, mask=None, block_size=128, *, old="rescaled", maximum="so far", end="divided",
    scale="sqrt(d_k)", cut="all", masking="filled", empty="zeros", memory="linear",
):  # fmt: skip
    """Go through the blocks, with one choice for each step."""
    query, key, value, mask = broadcast(query, key, value, mask)
    if memory == "whole":
        return whole(query, key, value, mask)
    choices = {"old": old, "maximum": maximum, "end": end, "scale": scale, "cut": cut, "masking": masking,
               "empty": empty}  # fmt: skip
    if memory == "kept":
        return forward_with(query, key, value, mask, block_size, **choices)[0]
    return in_blocks(choices, {}).apply(query, key, value, mask, block_size)


@task.pipeline(
    again={
        "of the block": Wrong("on the way back the weights of each block sum to 1: they are divided by their own sum, "
                              "not by that of all blocks", "", _ROWS),
        "no mask": Wrong("on the way back the mask is forgotten", "", _BACK),
        "unscaled": Wrong("on the way back the scores that are made again are not divided by sqrt(d_k)", "", _ROWS),
        "maximum": Wrong("the weights that are made again are e^(s - maximum): they are not divided by their sum", "",
                         _ROWS),
        "no log": Wrong("the sum stands beside the maximum without its logarithm: the number of a query is the maximum "
                        "plus the sum", "", _ROWS),
        "nan": Wrong("the number that is kept of a query that may attend to nothing is -inf, and -inf minus -inf is "
                     "NaN on the way back", "the gradient holds NaN", "print lse of such a query, and the weights that "
                     "follow from it"),
        "only the log": Wrong("the logarithm of the sum is kept without the maximum", "", _ROWS),
    },
    mean={
        "none": Wrong("on the way back the mean gradient of the weights is not subtracted, grad_output . output", "",
                      _BACK),
        "of the block": Wrong("on the way back the mean gradient is that of a block, not of all keys", "", _BACK),
        "of the columns": Wrong("the mean gradient of a query is grad_output . output, a sum over the columns; here it "
                                "is "
                                "the mean over them", "", _BACK),
        "turned": Wrong("the gradient of the scores has the wrong sign: the gradient of a weight is subtracted from "
                        "their mean", "", _BACK),
        "grad_output": Wrong("the mean gradient of a query is the sum of grad_output, without the output", "", _BACK),
        "undivided": Wrong("the output that `forward` keeps for the way back is not yet divided by the sum; the one "
                           "that it returns is", "", "print the output that `backward` gets, and the one returned"),
    },
    scaled={
        "nowhere": Wrong("on the way back the gradient of the scores is not divided by sqrt(d_k)", "", _ROOT),
        "not query": Wrong("the gradient of the query is not divided by sqrt(d_k); that of the key is", "", _ROOT),
        "not key": Wrong("the gradient of the key is not divided by sqrt(d_k); that of the query is", "", _ROOT),
        "twice": Wrong("on the way back sqrt(d_k) is divided by twice", "", _ROOT),
    },
    added={
        "last block": Wrong("the gradient of the query is that of the last block: the blocks have to be added up", "",
                            _BACK),
        "grad_output for query": Wrong("the gradient of the key is computed with grad_output in the place of the query",
                                       "", _BACK),
        "query and key": Wrong("the gradients of query and key are exchanged where they are returned", "", _ORDER),
        "key and value": Wrong("the gradients of key and value are exchanged where they are returned", "", _ORDER),
        "query and value": Wrong("the gradients of query and value are exchanged where they are returned", "", _ORDER),
        "no None": Wrong("`backward` returns fewer gradients than `forward` has arguments", "", f"{_ORDER}; None "
                         "stands for what has no gradient"),
        "blocks summed": Wrong("the gradients of the keys and values of all blocks are added up; each block has keys "
                               "and values of its own", "", _BACK),
        "blocks turned": Wrong("the gradients of the keys and values of the blocks are put together in another order",
                               "", _BACK),
        "scores for weights": _SCORES,
        "scores for weights, divided": _SCORES,
    },
)  # fmt: skip
def blockwise_backward(
    query, key, value, mask=None, block_size=128, *, again="right", mean="subtracted", scaled="once", added="all"
):
    """Go through the blocks rightly, and back with one choice for each step."""
    query, key, value, mask = broadcast(query, key, value, mask)
    back = {"again": again, "mean": mean, "scaled": scaled, "added": added}
    return in_blocks(RIGHT, back).apply(query, key, value, mask, block_size)


def broadcast(query, key, value, mask):
    """Give all of them the same leading dimensions."""
    leading = torch.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    query, key, value = (x.expand(*leading, *x.shape[-2:]) for x in (query, key, value))
    if mask is not None:
        mask = mask.expand(*leading, query.shape[-2], key.shape[-2])
    return query, key, value, mask


def whole(query, key, value, mask):
    """Compute all weights at once."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    scores = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    nothing = (scores == -math.inf).all(-1, keepdim=True)
    return scores.masked_fill(nothing, 0.0).softmax(-1).masked_fill(nothing, 0.0) @ value


def forward_with(query, key, value, mask, block_size, *, old, maximum, end, scale, cut, masking, empty):
    """Give the output, and for each query the largest score and the sum."""
    highest = query.new_full((*query.shape[:-1], 1), -math.inf)
    total, mixed = torch.zeros_like(highest), query.new_zeros(*query.shape[:-1], value.shape[-1])
    outputs = []
    for start, stop in borders(key.shape[-2], block_size, cut):
        scores = scores_with(query, key, value, mask, block_size, start, stop, scale, masking)
        seen = scores
        if masking == "after" and mask is not None:
            scores = scores.masked_fill(~mask[..., start:stop], -math.inf)
        top = seen.amax(-1, keepdim=True)
        outputs.append(scores.softmax(-1) @ value[..., start:stop, :])
        before, highest = highest, torch.maximum(highest, top)
        highest = {"block": top, "none": torch.zeros_like(top), "0 at least": highest.clamp(min=0.0)}.get(
            maximum, highest
        )
        shift = highest if empty == "nan" else highest.masked_fill(highest == -math.inf, 0.0)
        weights, factor = (scores - shift).exp(), (before - shift).exp()
        old_total = total
        total = total * (1 if old in ("as it is", "only the output") else factor) + weights.sum(-1, keepdim=True)
        by_sum = factor * (total if old == "times the new sum" else old_total)
        mixed = mixed * {"as it is": 1, "only the sum": 1, "twice": factor**2, "times the new sum": by_sum,
                         "times the old sum": by_sum}.get(old, factor)  # fmt: skip
        mixed = mixed + weights @ value[..., start:stop, :]
        mixed = mixed / total.masked_fill(total == 0, 1.0) if end == "each block" else mixed
    divisor = total if empty == "nan" else total.masked_fill(total == 0, 1.0)
    output = mixed if end in ("not divided", "each block") else mixed / divisor
    if end in ("mean", "last") and outputs:
        output = outputs[-1] if end == "last" else torch.stack(outputs).mean(0)
    return output, highest, total


def borders(length, block_size, cut):
    """List where the blocks begin and end."""
    starts = range(0, length - (length % block_size if cut == "rest dropped" else 0), block_size)
    if cut == "first key of the next":
        return [(start, min(start + block_size + 1, length)) for start in starts]
    if cut == "first dropped":
        return [(start + (start > 0), min(start + block_size, length)) for start in starts
                if start + (start > 0) < min(start + block_size, length)]  # fmt: skip
    return [(start, min(start + block_size, length)) for start in starts]


def scores_with(query, key, value, mask, block_size, start, stop, scale, masking):
    """Compute the scores of a block."""
    root = {"none": 1.0, "d_k": query.shape[-1], "value": value.shape[-1] ** 0.5, "block": block_size**0.5}
    scores = query @ key[..., start:stop, :].transpose(-2, -1) / root.get(scale, query.shape[-1] ** 0.5)
    if mask is None or masking in ("not used", "after"):
        return scores
    if masking == "first columns":
        return scores.masked_fill(~mask[..., : stop - start], -math.inf)
    if masking == "rows":
        return scores.masked_fill(~mask[..., start:stop, : stop - start], -math.inf)
    own = mask[..., start:stop]
    return scores.masked_fill(own if masking == "inverted" else ~own, -1e9 if masking == "-1e9" else -math.inf)


def in_blocks(choices, back):
    """Make a class with wrong choices, under the learner's name, which stands in what autograd raises."""

    class InBlocks(torch.autograd.Function):
        """The forward pass without a graph, and a backward pass that computes the weights of each block again."""

        @staticmethod
        def forward(ctx, query, key, value, mask, block_size):
            """Keep one number for each query beside what came in and what goes out."""
            output, highest, total = forward_with(query, key, value, mask, block_size, **choices)
            again = back.get("again")
            one = {"maximum": highest, "no log": highest + total, "only the log": total.log()}.get(
                again, highest + total.log()
            )
            kept = output * total if back.get("mean") == "undivided" else output
            one = one if again == "nan" else one.masked_fill(one == -math.inf, 0.0)
            ctx.save_for_backward(query, key, value, mask, kept, one)
            ctx.block_size = block_size
            return output

        @staticmethod
        def backward(ctx, grad_output):
            """Go through the blocks again."""
            return backward_with(*ctx.saved_tensors, ctx.block_size, grad_output, choices, back)

    return InBlocks


def backward_with(query, key, value, mask, output, one, block_size, grad_output, choices, back):
    """Give the gradients, with one choice for each thing that goes wrong."""
    again, how, scaled, added = (back.get(name) for name in ("again", "mean", "scaled", "added"))
    mean = (grad_output if how == "grad_output" else grad_output * output).sum(-1, keepdim=True) * (how != "none")
    mean = mean / output.shape[-1] if how == "of the columns" else mean
    grads = [torch.zeros_like(x) for x in (query, key, value)]
    root, parts = query.shape[-1] ** 0.5, []
    for start, stop in borders(key.shape[-2], block_size, choices["cut"]):
        seen, scale = None if again == "no mask" else mask, "none" if again == "unscaled" else choices["scale"]
        scores = scores_with(query, key, value, seen, block_size, start, stop, scale, choices["masking"])
        of_block = scores.logsumexp(-1, keepdim=True)
        own = of_block.masked_fill(of_block == -math.inf, 0.0) if again == "of the block" else one
        weights = (scores - own).exp()
        grad_weights = grad_output @ value[..., start:stop, :].transpose(-2, -1)
        if how == "of the block":
            mean = (weights * grad_weights).sum(-1, keepdim=True)
        grad_scores = weights * (grad_weights - mean) / (root**2 if scaled == "twice" else root)
        grad_scores = -grad_scores if how == "turned" else grad_scores
        for_query = grad_scores @ key[..., start:stop, :] * (root if scaled in ("nowhere", "not query") else 1)
        grads[0] = for_query if added == "last block" else grads[0] + for_query
        beside = grad_output if added == "grad_output for query" and query.shape == grad_output.shape else query
        for_key = grad_scores.transpose(-2, -1) @ beside * (root if scaled in ("nowhere", "not key") else 1)
        by_scores = {"scores for weights": grad_scores * root, "scores for weights, divided": grad_scores}
        for_value = by_scores.get(added, weights).transpose(-2, -1) @ grad_output
        grads[1][..., start:stop, :] += for_key
        grads[2][..., start:stop, :] += for_value
        parts.append((for_key, for_value))
    if added in ("blocks summed", "blocks turned") and parts:
        for which in (0, 1):
            own = [part[which] for part in parts]
            grads[1 + which] = sum(own) if added == "blocks summed" else torch.cat(own[::-1], -2)
    order = {"query and key": (1, 0, 2), "key and value": (0, 2, 1), "query and value": (2, 1, 0)}
    first, second, third = (grads[i] for i in order.get(added, (0, 1, 2)))
    return (first, second, third) if added == "no None" else (first, second, third, None, None)


RIGHT = {"old": "rescaled", "maximum": "so far", "end": "divided", "scale": "sqrt(d_k)", "cut": "all",
         "masking": "filled", "empty": "zeros"}  # fmt: skip


def inputs(sizes, block_size=None, mask=None, leading=(2,), dtype=torch.float64, scale=1.0, nothing=None):
    """Draw query, key, value of sizes (m, n, d_k, d_v), and a mask of a shape; ``nothing`` is a row without keys."""
    m, n, d_k, d_v = sizes

    def make(draw):
        drawn = (draw(*leading, m, d_k, dtype=dtype, scale=scale), draw(*leading, n, d_k, dtype=dtype, scale=scale),
                 draw(*leading, n, d_v, dtype=dtype))  # fmt: skip
        allowed = None
        if mask == "causal":
            allowed = torch.ones(m, n, dtype=torch.bool).tril()
        elif mask == "anti-causal":
            allowed = torch.ones(m, n, dtype=torch.bool).triu()
        elif mask is not None:
            allowed = draw.mask(*mask)
        if nothing is not None:
            allowed[..., nothing, :] = False
        if block_size is None:
            return drawn if mask is None else (*drawn, allowed)
        return *drawn, allowed, block_size

    return make


def far_below(draw):
    """Draw inputs whose scores are all around -2000."""
    query, key, value, mask, block_size = inputs((3, 7, 4, 5), 2)(draw)
    return 0.1 * query + 30.0, 0.1 * key - 30.0, value, mask, block_size


def loud(draw):
    """Draw inputs in which two hidden keys are large."""
    query, key, value, _, block_size = inputs((5, 7, 4, 6), 3)(draw)
    mask = torch.ones(5, 7, dtype=torch.bool)
    mask[:, [1, 5]] = False
    key[..., [1, 5], :] = 1e5 * query[..., :1, :]
    return query, key, value, mask, block_size


def take_turns(draw):
    """Draw inputs in which the largest score of each query lies in an early block."""
    query, key, value, mask, block_size = inputs((4, 9, 5, 5), 3)(draw)
    key = key * torch.linspace(6.0, 0.1, 9, dtype=torch.float64)[:, None]
    return query, key, value, mask, block_size


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
    [Case("3 queries, 8 keys in blocks of 4, d_k = 5, d_v = 6", inputs((3, 8, 5, 6), 4)),
     Case("7 keys in blocks of 3, batch and heads", inputs((4, 7, 5, 2), 3, leading=(2, 3))),
     Case("blocks of 1 key", inputs((3, 5, 4, 4), 1, leading=())),
     Case("blocks larger than the text", inputs((3, 5, 4, 4), 16)),
     Case("150 keys, block_size left out", inputs((6, 150, 4, 3))),
     Case("the largest scores come first", take_turns)],
    [Case("many keys in blocks of 5", inputs((9, 23, 6, 7), 5, leading=(3,))),
     Case("blocks that fit", inputs((5, 12, 4, 4), 6, leading=(2, 2))),
     Case("300 keys, block_size left out", inputs((4, 300, 5, 2), leading=()))],
    _TWO,
)  # fmt: skip
task.require(
    "masks are cut into the same blocks",
    EXPECTED,
    [Case("a mask of shape (3, 7), blocks of 3", inputs((3, 7, 5, 6), 3, (3, 7))),
     Case("a causal mask, 6 positions, blocks of 2", inputs((6, 6, 4, 4), 2, "causal", (2, 3))),
     Case("a mask that hides the past, 6 positions, blocks of 2", inputs((6, 6, 4, 4), 2, "anti-causal")),
     Case("a padding mask of shape (2, 1, 1, 7), 3 heads, blocks of 2", inputs((5, 7, 4, 3), 2, (2, 1, 1, 7), (2, 3))),
     Case("a mask, block_size left out", inputs((4, 140, 3, 3), None, (4, 140))),
     Case("hidden keys with large numbers", loud)],
    [Case("a mask for each head", inputs((5, 9, 4, 6), 4, (3, 5, 9), (2, 3))),
     Case("a causal mask, blocks of 3", inputs((11, 11, 4, 4), 3, "causal", (2,))),
     Case("one row of a mask for all", inputs((5, 8, 4, 6), 3, (8,), (3,)))],
    _SLICE,
)  # fmt: skip
task.require(
    "large scores, scores far below 0, and queries that may attend to nothing",
    EXPECTED,
    [Case("scores of magnitude 1000", inputs((3, 7, 16, 2), 3, scale=32.0)),
     Case("scores around -2000", far_below),
     Case("a query that may attend to nothing", inputs((4, 7, 5, 2), 3, (4, 7), nothing=1))],
    [Case("scores of magnitude 4000", inputs((4, 9, 16, 3), 2, scale=30.0)),
     Case("two queries that may attend to nothing", inputs((5, 8, 3, 4), 3, (2, 5, 8), nothing=[0, 3]))],
)  # fmt: skip
task.require(
    "the gradients are those of attention",
    "the derivative of attention with respect to query, key and value",
    [Case("the gradient, 7 keys in blocks of 3", inputs((4, 7, 5, 5), 3), backward),
     Case("the gradient, one block", inputs((3, 4, 5, 2), 4), backward),
     Case("the gradient, a mask", inputs((5, 8, 4, 4), 3, (5, 8), (2, 2)), backward),
     Case("the gradient, when a query may attend to nothing", inputs((4, 6, 3, 2), 2, (4, 6), nothing=2), backward)],
    [Case("the gradient, a causal mask", inputs((7, 7, 4, 4), 2, "causal", (2, 2)), backward),
     Case("the gradient, blocks of 1", inputs((3, 5, 4, 4), 1, leading=()), backward),
     Case("the gradient, large scores", inputs((3, 6, 8, 3), 4, scale=4.0), backward)],
    _BACK,
)  # fmt: skip

LENGTH, BLOCK, WIDTH = 2048, 32, 2
MAP = LENGTH * LENGTH * 4  # bytes


def _long():
    draw = Draw("a long text")
    return [draw(LENGTH, WIDTH) for _ in range(3)]


def _refuse(seen, cause, hint):
    raise Finding(seen, "a few blocks of scores at a time, and nothing as large as the map", cause, hint, final=True)


@task.probe(
    "the forward pass never holds the map", "a few blocks of scores at a time", WHOLE, "one block of scores at a time"
)
def forward_memory(answer):
    """2,048 queries and keys in blocks of 32, the forward pass without gradients."""
    leaves = _long()
    with torch.no_grad(), Memory(*leaves) as memory:
        answer(*leaves, None, BLOCK)
    if memory.peak > MAP / 5:
        _refuse("at some moment the tensors that the call had made held together more than a fifth of the "
                "2,048 x 2,048 weights", WHOLE, "one block of scores at a time")  # fmt: skip


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


def ones(*shape):
    """Make a tensor of ones."""
    return torch.ones(*shape)


task.limits(
    "float32, no keys, one query, leading dimensions that broadcast, and wrong input",
    [
        Case("float32", inputs((3, 7, 5, 6), 3, (3, 7), dtype=torch.float32)),
        Case("no keys", inputs((3, 0, 5, 6), 3)),
        Case("one query", inputs((1, 6, 4, 5), 4, (1, 6))),
        Case("d_k = d_v = 1", inputs((3, 5, 1, 1), 2)),
        Case("one entry of the mask for all keys", lambda draw: (
            *inputs((3, 5, 2, 2))(draw), torch.tensor([[True], [False], [True]]), 2)),
        Case("a batch of queries, one set of keys",
             lambda draw: (draw(2, 3, 4), draw(5, 4), draw(2, 5, 3), None, 2)),
        refusal("blocks of 0", (ones(3, 4), ones(5, 4), ones(5, 2), None, 0), "block_size"),
        refusal("a key with another d_k", (ones(3, 4), ones(5, 3), ones(5, 2)), "key"),
        refusal("a value with another length", (ones(3, 4), ones(5, 4), ones(4, 2)), "value"),
        refusal("a mask of numbers", (ones(3, 4), ones(5, 4), ones(5, 2), ones(3, 5)), "mask"),
    ],
)  # fmt: skip
