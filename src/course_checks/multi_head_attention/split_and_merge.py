"""Tasks `split_heads` and `merge_heads` of exercise 07."""

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.multi_head_attention import shared
from course_checks.task import Task

split = Task("split_heads", shared.UNIT, shared.READY_MADE)
merge = Task("merge_heads", shared.UNIT, shared.READY_MADE)
split.oracle(shared.right_split)
merge.oracle(shared.right_merge)
_TOO_EARLY = ("the transpose comes before the cut: words and columns change places, and what is cut is no word",
              shared.NUMBER)  # fmt: skip
_OTHERS = ("other dimensions change places than heads and length, and `reshape` mixes words",
           "which two dimensions must lie side by side before they become one?")  # fmt: skip
# fmt: off
split.edit("x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)", {
    "x.reshape(batch, num_heads, length, -1)": shared.SPLIT_VIEWED,
    "x.reshape(batch, length, -1, num_heads).permute(0, 3, 1, 2)": shared.SPLIT_WOVEN,
    "x.transpose(1, 2).reshape(batch, num_heads, length, -1)": _TOO_EARLY,
})
split.edit("num_heads, d_model // num_heads", {
    "d_model // num_heads, num_heads": (
        "num_heads and d_k change places: pieces as wide as num_heads are cut off (`split(n)` cuts pieces of width n)",
        "how many pieces should there be, and how wide is one of them?"),
    "num_heads, d_model / num_heads": ("a division makes a float, and a size is an integer", "use `//`"),
})
split.edit("transpose(1, 2)", {
    "permute(0, 2, 3, 1)": ("d_k and length change places", "write the shape at the end of the line"),
    "contiguous()": ("the heads stay behind the length: the transpose is missing",
                     "the task asks for (batch, num_heads, length, d_k)"),
    "permute(2, 0, 1, 3)": ("batch and heads change places", "the batch stays in front"),
    "transpose(1, 2).flip(1)": ("the heads come in reverse order", shared.NUMBER),
})
merge.edit("x.transpose(1, 2).flatten(2)", {
    "x.reshape(x.shape[0], x.shape[2], -1)": shared.MERGE_VIEWED,
    "x.permute(0, 2, 3, 1).flatten(2)": shared.MERGE_WOVEN,
    "x.transpose(2, 3).reshape(x.shape[0], x.shape[2], -1)": _OTHERS,
    "x.flip(1).transpose(1, 2).flatten(2)": shared.REVERSED,
    "x.mean(1).repeat(1, 1, x.shape[1])": shared.MEAN,
    "x.flatten(1, 2)": ("the heads come one after the other along the words, not side by side",
                        "which dimension of the result holds the columns of all heads?"),
    "torch.cat(x.unbind(1)[: len(x)], -1)": (
        "the loop goes over as many heads as there are sentences", "which dimension of x counts the heads?"),
})
# fmt: on


def words(batch, length, d_model, num_heads, dtype=torch.float32):
    """Draw words, and name the number of heads."""
    return lambda draw: ((10 * draw(batch, length, d_model)).to(dtype), num_heads)


def scattered(order, *shape):
    """Draw a tensor that is not contiguous in memory."""
    return lambda draw: (draw(*shape).permute(*order),)


split.require("head i holds columns i * d_k to (i + 1) * d_k of every word",
              "result[b, i, t] holds the columns of head i of word t of sentence b",
              [Case("2 sentences of 5 words, d_model = 6, 3 heads", words(2, 5, 6, 3)),
               Case("3 sentences of 3 words, d_model = 9, 3 heads", words(3, 3, 9, 3)),
               Case("integers", words(2, 3, 8, 4, torch.int64)),
               Case("a tensor that is not contiguous", lambda draw: (*scattered((2, 1, 0), 6, 5, 2)(draw), 3)),
               Case("the gradient", words(2, 3, 6, 3, torch.float64), gradients())],
              [Case("one head", words(2, 5, 6, 1)), Case("heads of width 1", words(2, 3, 7, 7)),
               Case("batch of one", words(1, 4, 10, 5)),
               Case("as many sentences as heads as words", words(4, 4, 12, 4)),
               Case("float64", words(2, 7, 12, 2, torch.float64))])  # fmt: skip
split.limits("one word, float16, and wrong input",
             [Case("one word", words(3, 1, 8, 2)), Case("float16", words(2, 3, 8, 4, torch.float16)),
              refusal("three heads for eight columns", (torch.ones(2, 3, 8), 3)),
              refusal("no heads", (torch.ones(2, 3, 6), 0)),
              refusal("two dimensions", (torch.ones(3, 6), 3))])  # fmt: skip
merge.require("the heads of a word stand side by side, head 0 first",
              "result[b, t] holds the heads of word t of sentence b side by side",
              [Case("2 sentences of 5 words, 3 heads of width 4", drawn("2 3 5 4")),
               Case("3 sentences of 3 words, 3 heads of width 3", drawn("3 3 3 3")),
               Case("a tensor that is not contiguous", scattered((0, 2, 1, 3), 2, 5, 3, 4)),
               Case("the gradient", drawn("2 3 4 5", dtype=torch.float64), gradients())],
              [Case("one head", drawn("2 1 5 6")), Case("heads of width 1", drawn("2 7 3 1")),
               Case("batch of one", drawn("1 5 4 2")),
               Case("another order in memory", scattered((3, 2, 1, 0), 2, 5, 3, 4))])  # fmt: skip
merge.limits("one word, and wrong input",
             [Case("one word", drawn("3 2 1 4")), refusal("three dimensions", (torch.ones(2, 3, 4),))])  # fmt: skip
