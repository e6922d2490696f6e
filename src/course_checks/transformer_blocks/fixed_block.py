"""Task `fixed_block` of exercise 09: two bugs to find."""

from course_checks.cases import Case
from course_checks.task import Task
from course_checks.transformer_blocks.inputs import attend, halved, norm_1, norm_2, nothing, think
from course_checks.transformer_blocks.shared import UNIT

task = Task("fixed_block", UNIT)

_DROP = "let `dropout` be a function that returns zeros: what must come out of the block then?"
_READ = "let `attend` return something large: does what `think` reads change with it?"


@task.oracle
def right(x, attend, think, norm_1, norm_2, dropout):
    """Write down the sum of everything that is said."""
    found = dropout(attend(norm_1(x)))
    return sum((x, found, dropout(think(norm_2(sum((x, found)))))))


# fmt: off
_NORMS, _SILENT = "one norm for each sublayer", "let both sublayers say nothing"
_START = {"x = x + ": "start, x = x, x + "}
task.edit("think(norm_2(x))", {
    "think(x)": ("think reads the sum as it is: norm_2 is not used", _NORMS),
    "think(norm_1(x))": ("norm_1 is used twice, norm_2 never", _NORMS),
    "think(norm_2(norm_1(x)))": ("what think reads goes through norm_1 as well as norm_2", _NORMS)})
for _read, _cause in {
    "norm_2(norm_1(start))":
        "think still reads what norm_1 has made of the x that came in, not what attention has found",
    "norm_1(start)": "think reads the same as attend; norm_2 is not used",
    "norm_2(start)": "think reads the x that came in, through norm_2, not what attention has found",
    "norm_2(x - start)": "think reads what attend says alone, without x",
}.items():
    task.edit_places(_START | {"think(norm_2(x))": f"think({_read})"}, _cause, _READ)
task.edit("dropout(think(norm_2(x)))", {
    "think(dropout(norm_2(x)))": ("dropout still falls on what think reads, not on what it says", _DROP),
    "dropout(think(dropout(norm_2(x))))": ("dropout falls on what think reads as well as on what it says", _DROP),
    "think(norm_2(x))": ("dropout is missing on what think says", _DROP)})
task.edit("x + dropout(think(norm_2(x)))", {
    "dropout(x + think(norm_2(x)))": ("dropout falls on the last sum, with x in it", _DROP),
    "dropout(think(norm_2(x)))": ("the second residual connection is missing", _SILENT)})
task.edit("dropout(attend(norm_1(x)))", {
    "attend(norm_1(x))": ("dropout is missing on what attend says", "count the calls of `dropout`")})
task.edit("x = x + ", {"x = norm_1(x) + ": ("the residual starts from the normalised x", _SILENT)})
task.edit_places(_START | {"return x": "return start"},
                 "what attend has added is lost: the second sum starts from the x that came in", _READ)
task.edit_places({"x + dropout(attend(norm_1(x)))": "norm_1(x + dropout(attend(x)))",
                  "x + dropout(think(norm_2(x)))": "norm_2(x + dropout(think(x)))"},
                 "this is the other order, post-norm, which normalises the sums", "the block is pre-norm")
task.edit_places({"attend(norm_1": "think(norm_1", "think(norm_2": "attend(norm_2"},
                 "the sublayers come in another order", "attend comes first")
# fmt: on


def inputs(dropout, *shape, attend=attend, think=think):
    """Draw x, and hand over the parts of a block."""
    return lambda draw: (draw(*shape).double(), attend, think, norm_1, norm_2, dropout)


task.require("x comes through when everything that is said is dropped", "x, unchanged",
    [Case("dropout drops everything", inputs(nothing, 2, 5, 8))],
    [Case("dropout drops everything, one word", inputs(nothing, 3, 1, 6))],
    _DROP)  # fmt: skip
task.require("think reads what attention has found, and both are added to x",
    "x + dropout(attend(norm_1(x))), and with that x: x + dropout(think(norm_2(x)))",
    [Case("dropout halves what goes through it", inputs(halved, 2, 5, 8)),
     Case("attend says nothing", inputs(halved, 2, 5, 8, attend=nothing)),
     Case("think says nothing", inputs(halved, 2, 5, 8, think=nothing))],
    [Case("other sizes", inputs(halved, 1, 4, 7)), Case("as many of everything", inputs(halved, 3, 3, 3))],
    _READ)  # fmt: skip
