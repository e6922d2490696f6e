"""Task `gradient_per_block` of exercise 09, and the predictions that it answers."""

import math

import torch
from torch import nn

from course_checks.cases import Case, Draw
from course_checks.predictions import Predictions, tendency
from course_checks.task import Task
from course_checks.transformer_blocks.inputs import stack
from course_checks.transformer_blocks.shared import UNIT
from course_checks.words import Wrong

task = Task("gradient_per_block", UNIT)

_SMALL = "work it out by hand for two blocks that hold one small layer each"
_OWN = "whose gradient: the parameters of each block, or what runs between the blocks?"


@task.oracle
def right(blocks, x, upstream, memory=None):
    """Give each parameter a gradient of its own, one after the other."""
    for block in blocks:
        x = block(x) if memory is None else block(x, memory)
    loss = (x * upstream).sum()
    squares = [
        sum(torch.autograd.grad(loss, p, retain_graph=True)[0].square().sum().item() for p in block.parameters())
        for block in blocks
    ]
    return [math.sqrt(each) for each in squares]


SIZES = {
    "length": lambda group: torch.cat([each.flatten() for each in group]).norm(),
    "squares": lambda group: torch.cat([each.flatten() for each in group]).square().sum(),
    "sum of lengths": lambda group: sum(each.norm() for each in group),
    "longest": lambda group: max(each.norm() for each in group),
    "absolute": lambda group: sum(each.abs().sum() for each in group),
    "largest": lambda group: max(each.abs().max() for each in group),
    "mean": lambda group: torch.cat([each.flatten() for each in group]).mean(),
    "root mean square": lambda group: torch.cat([each.flatten() for each in group]).square().mean().sqrt(),
}


@task.pipeline(
    carried={
        "ones": Wrong("the sum of the result is carried back, not `upstream`", "", "which argument is not used?"),
        "mean": Wrong("the mean of the result is carried back, not `upstream`", "", "which argument is not used?"),
    },
    of={
        "entering": Wrong("the gradient of the stream, of what goes into each block, not that of its parameters", "",
                          _OWN),
        "leaving": Wrong("the gradient of the stream, of what leaves each block, not that of its parameters", "", _OWN),
        "parameters": Wrong("the length of the parameters themselves, not of their gradients", "", _OWN),
    },
    size={
        "squares": Wrong("the root of the sum of squares is missing", "", _SMALL),
        "sum of lengths": Wrong("the lengths of the single parameters are added up; squares add up, lengths do not", "",
                                _SMALL),
        "longest": Wrong("only the longest of a block's gradients counts", "", _SMALL),
        "absolute": Wrong("absolute values are added up, not squares", "", _SMALL),
        "largest": Wrong("the largest entry is taken, not the Euclidean length", "", _SMALL),
        "mean": Wrong("the mean of the gradients is taken, not their length", "", _SMALL),
        "root mean square": Wrong("the squares are averaged, not added up", "", _SMALL),
    },
    order={
        "reversed": Wrong("the list begins with the last block", "", "the first number belongs to the first block"),
        "last": Wrong("the numbers are divided by one of them", "", "return the lengths themselves"),
    },
    run={
        "beside": Wrong("every block reads x itself, not what the block before it gave", "", _SMALL),
        "one by one": Wrong("upstream is sent back through each block alone, not through all that follow", "", _SMALL),
    },
)  # fmt: skip
def gradient_per_block(
    blocks, x, upstream, memory=None, *, carried="upstream", of="all", size="length", order="first", run="all"
):
    """Measure with one choice for each step."""
    stream, more = [x.clone().requires_grad_()], [] if memory is None else [memory]
    for block in blocks:
        start = stream[0] if run == "beside" else stream[-1].detach() if run == "one by one" else stream[-1]
        stream.append(block(start, *more))
    upstream = {"ones": torch.ones_like(x), "mean": torch.ones_like(x) / x.numel()}.get(carried, upstream)
    losses = stream[1:] if run in ("beside", "one by one") else stream[-1:]
    loss = sum((each * upstream).sum() for each in losses)
    groups = [list(block.parameters()) for block in blocks]
    if of in ("entering", "leaving"):
        groups = [[each] for each in (stream[1:] if of == "leaving" else stream[:-1])]
    found = groups if of == "parameters" else [torch.autograd.grad(loss, g, retain_graph=True) for g in groups]
    numbers = [SIZES[size](group).item() for group in found]
    return {"reversed": numbers[::-1], "last": [each / numbers[-1] for each in numbers]}.get(order, numbers)


@task.mistake("`.grad` still holds what an earlier call has left: `backward()` adds to it", "",
              "print `.grad` before you begin")  # fmt: skip
def left_over(blocks, x, upstream, memory=None):
    """Let gradients pile up from call to call."""
    for block in blocks:
        x = block(x) if memory is None else block(x, memory)
    x.backward(upstream)
    return [SIZES["length"]([p.grad for p in block.parameters()]).item() for block in blocks]


@task.mistake("`backward()` is called once for each block, and `.grad` adds up what each call brings", "",
              "print `.grad` of one parameter after every round")  # fmt: skip
def piling_up(blocks, x, upstream, memory=None):
    """Go backward once for each block."""
    return [(i + 1) * each for i, each in enumerate(right(blocks, x, upstream, memory))]


def inputs(depth, batch, length, kind=nn.TransformerEncoderLayer, **options):
    """Make blocks, and draw words and the gradient that comes back; a decoder's blocks get a memory."""

    def draw_them(draw):
        given = draw(batch, length, 16).double(), draw(batch, length, 16).double()
        memory = [draw(batch, length + 2, 16).double()] if kind is nn.TransformerDecoderLayer else []
        return stack(depth, kind=kind, **options), *given, *memory

    return draw_them


def twice(answer, *arguments):
    """Observe a second call with the same blocks."""
    answer(*arguments)
    return answer(*arguments)


def maps(draw):
    """Make linear maps in the place of blocks."""
    return [nn.Linear(16, 16).double() for _ in range(3)], draw(2, 3, 16).double(), draw(2, 3, 16).double()


EXPECTED = "a list of Python numbers, from the first block to the last: the length of the gradient of its parameters"
decoder = nn.TransformerDecoderLayer
task.require(
    "one number for each block, the same in every call",
    EXPECTED,
    [Case("3 blocks", inputs(3, 2, 5)), Case("the same 3 blocks, a second call", inputs(3, 2, 5), twice)],
    [Case("one block", inputs(1, 2, 3, norm_first=True)), Case("four blocks", inputs(4, 3, 2)),
     Case("the same four blocks, a second call", inputs(4, 3, 2, norm_first=True), twice),
     Case("linear maps in the place of blocks", maps)],
    _SMALL,
)  # fmt: skip
task.require(
    "blocks that read a memory",
    EXPECTED,
    [Case("2 blocks of a decoder", inputs(2, 2, 5, decoder))],
    [Case("three blocks of a decoder", inputs(3, 2, 4, decoder, norm_first=True))],
    "`block(x, memory)` if a memory is given",
)


def _lengths(norm_first, times):
    """Measure first and last of 6 untrained blocks with x ``times`` as large; means over 5 seeds."""
    found, width = [], 32
    for seed in range(5):
        draw = Draw(f"prediction {seed}")
        blocks = [nn.TransformerEncoderLayer(width, 4, 4 * width, 0.0, batch_first=True, norm_first=norm_first)
                  for _ in range(6)]  # fmt: skip
        matrices = [p for block in blocks for p in block.parameters() if p.dim() == 2]
        for matrix in matrices:  # Xavier: query, key and value are three matrices in one
            out = width if len(matrix) == 3 * width else len(matrix)
            matrix.data = math.sqrt(2 / (out + matrix.shape[1])) * draw(*matrix.shape)
        x, upstream = times * draw(4, 10, width), draw(4, 10, width)
        for block in [*blocks, *([nn.LayerNorm(width)] if norm_first else [])]:
            x = block(x)
        x.backward(upstream)
        found.append(
            [SIZES["length"]([p.grad for p in block.parameters()]).item() for block in (blocks[0], blocks[-1])]
        )
    return torch.tensor(found).mean(0).tolist()


def _measure():
    pre, post = ([_lengths(order, times) for times in (1.0, 10.0)] for order in (True, False))
    asked = (pre, 1), (post, 1), (post, 0)
    return [tendency(small[place], large[place], tolerance=0.25) for (small, large), place in asked]


predictions = Predictions(("last pre-norm", "last post-norm", "first post-norm"), _measure, "task 6")
