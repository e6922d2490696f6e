"""Task `gradient_per_block` of exercise 09, and the predictions that it answers."""

import math

import torch
from torch import nn

from course_checks.cases import Case, Draw
from course_checks.predictions import Predictions, tendency
from course_checks.task import Task
from course_checks.transformer_blocks.inputs import stack
from course_checks.transformer_blocks.shared import UNIT

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


# fmt: off
_WHICH = "which argument is not used?"
_LENGTH = "torch.cat([next(gradients).flatten() for _ in own])"
_STEP = "block(x) if memory is None else block(x, memory)"
task.edit(_STEP, {"block(x)": ("`memory` is not handed on to the blocks", "`block(x, memory)` if a memory is given")})
task.edit("own], upstream", {
    "own], torch.ones_like(x)": ("the sum of the result is carried back, not `upstream`", _WHICH),
    "own], torch.ones_like(x) / x.numel()": ("the mean of the result is carried back, not `upstream`", _WHICH)})
for _streams, _what in (("stream", "goes into"), ("[*stream[1:], x]", "leaves")):
    task.edit_places({
        "for block in blocks:":
            "x, stream = x.clone().requires_grad_(), []\nfor block in blocks:\n    stream.append(x)",
        "[list(block.parameters()) for block in blocks]": f"[[each] for each in {_streams}]"},
        f"the gradient of the stream, of what {_what} each block, not that of its parameters", _OWN)
task.edit(_LENGTH, {
    "torch.cat([each.flatten() for each in own])": (
        "the length of the parameters themselves, not of their gradients", _OWN)})
task.edit(".norm()", {
    ".square().sum()": ("the root of the sum of squares is missing", _SMALL),
    ".abs().sum()": ("absolute values are added up, not squares", _SMALL),
    ".abs().max()": ("the largest entry is taken, not the Euclidean length", _SMALL),
    ".mean()": ("the mean of the gradients is taken, not their length", _SMALL),
    ".square().mean().sqrt()": ("the squares are averaged, not added up", _SMALL)})
task.edit(f"{_LENGTH}.norm()", {
    "sum(next(gradients).norm() for _ in own)": (
        "the lengths of the single parameters are added up; squares add up, lengths do not", _SMALL),
    "torch.stack([next(gradients).square().mean() for _ in own]).sum().sqrt()": (
        "the squares of each parameter are averaged, not added up", _SMALL),
    "max(next(gradients).norm() for _ in own)": ("only the longest of a block's gradients counts", _SMALL)})
task.edit("for block in blocks]", {
    "for block in blocks[::-1]]": (
        "the list begins with the last block", "the first number belongs to the first block")})
task.edit("[list(block.parameters()) for", {
    "[[each for name, each in block.named_parameters() if 'weight' in name] for": (
        "the biases of a block are left out", "how many parameters has a block?"),
    "[list(block.parameters())[:1] for": (
        "only the first parameter of each block is measured", "how many parameters has a block?")})
_ALL = ".item() for own in parameters]"
_SUMS = "torch.tensor(numbers, dtype=torch.float64).square().cumsum(0).sqrt().tolist()"
task.edit_places({"return": "numbers =", _ALL: f"{_ALL}\nreturn {_SUMS}"},
                 "the sum is not set back to 0 before the next block: each number holds the blocks before it, too",
                 "where does the sum begin?")
task.edit_places({"return": "numbers =", _ALL: f"{_ALL}\nreturn [each / numbers[-1] for each in numbers]"},
                 "the numbers are divided by one of them", "return the lengths themselves")
task.edit_places({"for block in blocks:": "start, x = x, 0 * x\nfor block in blocks:",
                  _STEP: f"x + ({_STEP.replace('(x', '(start')})"},
                 "every block reads x itself, not what the block before it gave", _SMALL)
task.edit_places({"for block in blocks:": "total = 0\nfor block in blocks:",
                  _STEP: f"{_STEP.replace('(x', '(x.detach()')}\ntotal = total + x", "grad(x,": "grad(total,"},
                 "upstream is sent back through each block alone, not through all that follow", _SMALL)
task.edit("gradients = iter(torch.autograd.grad(x, [each for own in parameters for each in own], upstream))", {
    "x.backward(upstream)\ngradients = iter(each.grad for own in parameters for each in own)": (
        "`.grad` still holds what an earlier call has left: `backward()` adds to it", "print `.grad` before you begin"),
    "gradients = iter((number + 1) * each for number, own in enumerate(parameters)"
    " for each in torch.autograd.grad(x, own, upstream, retain_graph=True))": (
        "`backward()` is called once for each block, and `.grad` adds up what each call brings",
        "print `.grad` of one parameter after every round")})
task.edit("(x, [each for own in parameters for each in own], upstream)", {
    "((x - upstream).square().sum(), [each for own in parameters for each in own])": (
        "`upstream` is taken for the target of a squared loss; it is the gradient that arrives at the result itself",
        "`torch.autograd.grad` and `backward` take such a gradient as an argument"),
})
# fmt: on


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
task.require("one number for each block, the same in every call", EXPECTED,
    [Case("3 blocks", inputs(3, 2, 5)), Case("the same 3 blocks, a second call", inputs(3, 2, 5), twice)],
    [Case("one block", inputs(1, 2, 3, norm_first=True)), Case("four blocks", inputs(4, 3, 2)),
     Case("the same four blocks, a second call", inputs(4, 3, 2, norm_first=True), twice),
     Case("linear maps in the place of blocks", maps)],
    _SMALL)  # fmt: skip
task.require("blocks that read a memory", EXPECTED,
    [Case("2 blocks of a decoder", inputs(2, 2, 5, decoder))],
    [Case("three blocks of a decoder", inputs(3, 2, 4, decoder, norm_first=True))],
    "`block(x, memory)` if a memory is given")  # fmt: skip


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
            [torch.cat([p.grad.flatten() for p in block.parameters()]).norm() for block in (blocks[0], blocks[-1])]
        )
    return torch.tensor(found).mean(0).tolist()


def _measure():
    pre, post = ([_lengths(order, times) for times in (1.0, 10.0)] for order in (True, False))
    asked = (pre, 1), (post, 1), (post, 0)
    return [tendency(small[place], large[place], tolerance=0.25) for (small, large), place in asked]


predictions = Predictions(("last pre-norm", "last post-norm", "first post-norm"), _measure, "task 6")
