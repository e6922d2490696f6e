"""Task `cache_bytes` of exercise 17."""

from course_checks.cases import Case, refusal
from course_checks.efficient_attention.shared import UNIT
from course_checks.task import Task

task = Task("cache_bytes", UNIT)

_ONE = "count for one token, one layer, one group of width 1: how many numbers are kept?"
_WINDOW = "a text of 3 tokens and a window of 8; a text of 8 tokens and a window of 3: how many tokens are kept?"


@task.oracle
def right(length, num_layers, num_groups, d_k, bytes_per_number=2, window=None):
    """Add up, layer by layer and group by group, what is kept of each token."""
    first = 0 if window is None else max(0, length - window)
    total = 0
    for _layer in range(num_layers):
        for _group in range(num_groups):
            for _what in ("key", "value"):
                total += (length - first) * d_k * bytes_per_number
    return total


# fmt: off
_UNUSED = "which argument is unused?"
task.edit("2 * kept", {
    "kept": ("only the keys are counted, or the values; both are kept", _ONE,
             "the result is half of what it should be"),
    "3 * kept": ("the queries are counted too; nobody asks for an old query again", _ONE),
    "4 * kept": ("keys and values are counted twice", _ONE, "the result is twice what it should be")})
task.edit(" * num_layers", {"": ("the layers are left out: each keeps its own keys and values", _UNUSED)})
task.edit(" * num_groups", {"": ("the groups are left out", _UNUSED)})
task.edit(" * d_k", {
    "": ("the width of a key is left out", _UNUSED),
    " * kept": ("the map of attention is counted, which nobody keeps", "keys and values of each token")})
task.edit("kept * ", {"": ("the length is left out: this is one token", _UNUSED)})
task.edit(" * bytes_per_number", {
    "": ("numbers are counted, not bytes", "which argument says how many bytes a number takes?"),
    " * bytes_per_number * 8": (
        "bits are counted, not bytes", "bytes_per_number is in bytes", "the result is 8 times too large"),
    " * 2": ("a number always takes 2 bytes, whatever `bytes_per_number` says", _UNUSED),
    " * bytes_per_number // 1024": ("the result is in KiB, not in bytes", "the task asks for bytes"),
    " * bytes_per_number / 1": ("the result is no whole number: `/` gives a float", "an int: use `//` or `*`")})
task.edit("length if window is None else min(length, window)", {"length": ("`window` is not used", _WINDOW)})
task.edit("min(length, window)", {
    "window": ("with a window, always `window` tokens are counted, even if the text is shorter", _WINDOW),
    "max(length, window)": ("the larger of length and window is taken", _WINDOW),
    "max(0, length - window)": ("what lies outside the window is counted, not what lies in it", _WINDOW),
    "min(length, window - 1)": ("the window is one token too short: the own one counts and is kept", _WINDOW),
    "min(length + 1, window)": ("a text that is shorter than the window is counted with one token too many", _WINDOW)})
# fmt: on

EXPECTED = "the bytes of the keys and the values that are kept, an int"
task.require(
    "keys and values, of every layer and every group",
    EXPECTED,
    [Case("one token of Llama 2 7B: 32 layers, 32 heads of width 128, 2 bytes", (1, 32, 32, 128), right=512 * 1024),
     Case("one token of Llama 3 8B: 8 groups in the place of 32", (1, 32, 8, 128), right=128 * 1024),
     Case("7 tokens, 2 layers, 3 groups of width 5, 4 bytes", (7, 2, 3, 5, 4))],
    [Case("other numbers, 4 bytes", (11, 3, 2, 7, 4)), Case("1 byte", (5, 4, 1, 6, 1)), Case("2 bytes", (9, 5, 4, 3))],
    _ONE,
)  # fmt: skip
task.require(
    "of a window no more than the window is kept",
    f"{EXPECTED}; with a window, those of the last `window` tokens, or of all, if there are fewer",
    [Case("10 tokens, a window of 4", (10, 2, 3, 5, 2, 4)), Case("3 tokens, a window of 8", (3, 2, 3, 5, 2, 8)),
     Case("4 tokens, a window of 4", (4, 2, 3, 5, 2, 4))],
    [Case("a window of 1", (10, 2, 3, 5, 4, 1)), Case("a long window", (7, 3, 2, 4, 2, 1000))],
    _WINDOW,
)  # fmt: skip
task.limits(
    "no tokens, and wrong input",
    [
        Case("no tokens", (0, 2, 3, 5)),
        refusal("a negative length", (-1, 2, 3, 5), "length"),
        refusal("half a layer", (4, 0.5, 3, 5), "num_layers"),
        refusal("a window of 0", (4, 2, 3, 5, 2, 0), "window"),
    ],
)
