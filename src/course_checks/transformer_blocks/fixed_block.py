"""Task `fixed_block` of exercise 09: two bugs to find."""

from course_checks.cases import Case
from course_checks.task import Task
from course_checks.transformer_blocks.inputs import attend, halved, norm_1, norm_2, nothing, think
from course_checks.transformer_blocks.shared import UNIT
from course_checks.words import Wrong

task = Task("fixed_block", UNIT)

_DROP = "let `dropout` be a function that returns zeros: what must come out of the block then?"
_READ = "let `attend` return something large: does what `think` reads change with it?"


@task.oracle
def right(x, attend, think, norm_1, norm_2, dropout):
    """Write down the sum of everything that is said."""
    found = dropout(attend(norm_1(x)))
    return sum((x, found, dropout(think(norm_2(sum((x, found)))))))


@task.pipeline(
    reads={
        "normalised twice": Wrong("think still reads what norm_1 has made of the x that came in, not what attention "
                                  "has found", "", _READ),
        "first": Wrong("think reads the same as attend; norm_2 is not used", "", _READ),
        "x": Wrong("think reads the x that came in, through norm_2, not what attention has found", "", _READ),
        "bare": Wrong("think reads the sum as it is: norm_2 is not used", "", "one norm for each sublayer"),
        "norm_1": Wrong("norm_1 is used twice, norm_2 never", "", "one norm for each sublayer"),
        "both": Wrong("what think reads goes through norm_1 as well as norm_2", "", "one norm for each sublayer"),
        "said": Wrong("think reads what attend says alone, without x", "", _READ),
    },
    dropped={
        "reads": Wrong("dropout still falls on what think reads, not on what it says", "", _DROP),
        "both": Wrong("dropout falls on what think reads as well as on what it says", "", _DROP),
        "not": Wrong("dropout is missing on what think says", "", _DROP),
        "sum": Wrong("dropout falls on the last sum, with x in it", "", _DROP),
        "first not": Wrong("dropout is missing on what attend says", "", "count the calls of `dropout`"),
    },
    adds={
        "norm": Wrong("the residual starts from the normalised x", "", "let both sublayers say nothing"),
        "x": Wrong("what attend has added is lost: the second sum starts from the x that came in", "", _READ),
        "nothing": Wrong("the second residual connection is missing", "", "let both sublayers say nothing"),
    },
    order={
        "post": Wrong("this is the other order, post-norm, which normalises the sums", "", "the block is pre-norm"),
        "exchanged": Wrong("the sublayers come in another order", "", "attend comes first"),
    },
)  # fmt: skip
def fixed_block(
    x, attend, think, norm_1, norm_2, dropout, *, reads="right", dropped="says", adds="found", order="right"
):
    """Fix with one choice for each line."""
    if order == "post":
        x = norm_1(x + dropout(attend(x)))
        return norm_2(x + dropout(think(x)))
    if order == "exchanged":
        attend, think = think, attend
    start = norm_1(x) if adds == "norm" else x
    said = attend(norm_1(x))
    said = said if dropped == "first not" else dropout(said)
    found = start + said
    read = {
        "normalised twice": lambda: norm_2(norm_1(x)),
        "first": lambda: norm_1(x),
        "x": lambda: norm_2(x),
        "bare": lambda: found,
        "norm_1": lambda: norm_1(found),
        "both": lambda: norm_2(norm_1(found)),
        "said": lambda: norm_2(said),
    }.get(reads, lambda: norm_2(found))()
    answer = think(dropout(read) if dropped in ("reads", "both") else read)
    answer = answer if dropped in ("reads", "not", "sum") else dropout(answer)
    result = {"x": x, "nothing": 0 * x}.get(adds, found) + answer
    return dropout(result) if dropped == "sum" else result


def inputs(dropout, *shape, attend=attend, think=think):
    """Draw x, and hand over the parts of a block."""
    return lambda draw: (draw(*shape).double(), attend, think, norm_1, norm_2, dropout)


task.require(
    "x comes through when everything that is said is dropped",
    "x, unchanged",
    [Case("dropout drops everything", inputs(nothing, 2, 5, 8))],
    [Case("dropout drops everything, one word", inputs(nothing, 3, 1, 6))],
    _DROP,
)
task.require(
    "think reads what attention has found, and both are added to x",
    "x + dropout(attend(norm_1(x))), and with that x: x + dropout(think(norm_2(x)))",
    [Case("dropout halves what goes through it", inputs(halved, 2, 5, 8)),
     Case("attend says nothing", inputs(halved, 2, 5, 8, attend=nothing)),
     Case("think says nothing", inputs(halved, 2, 5, 8, think=nothing))],
    [Case("other sizes", inputs(halved, 1, 4, 7)), Case("as many of everything", inputs(halved, 3, 3, 3))],
    _READ,
)  # fmt: skip
