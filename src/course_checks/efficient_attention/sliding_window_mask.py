"""Task `sliding_window_mask` of exercise 17."""

import torch

from course_checks.cases import Case, refusal
from course_checks.efficient_attention.shared import UNIT
from course_checks.task import Task

task = Task("sliding_window_mask", UNIT)

_ROW = "write down row 3 for length 5 and window 2: which positions may position 3 attend to?"
_LAST = "write down row 2 for length 5, window 2 and causal=False: which is the last position that it may attend to?"
_TRUE = "True means `may be attended to`"


@task.oracle
def right(length, window, causal=True, device=None):
    """Ask for each pair of positions."""
    rows = [
        [i - window < j <= i if causal else i - window < j < i + window for j in range(length)] for i in range(length)
    ]
    return torch.tensor(rows, dtype=torch.bool, device=device).reshape(length, length)


# fmt: off
_BORDERS = "(back < window) & (back >= 0 if causal else back > -window)"
task.edit("places = ", {
    "window = window + 1\nplaces = ": (
        "off by one: the window holds the position itself and `window` others before it; the own one counts", _ROW),
    "window = window - 1\nplaces = ": ("off by one: the window holds one position too few", _ROW),
    "window = length + 1\nplaces = ": ("the window has no end: everything that came before is seen", _ROW),
    "window = 1\nplaces = ": ("every position sees itself alone", _ROW),
    "window = 3\nplaces = ": ("the size of the window is not that of the argument", "where does `window` come in?")})
task.edit(_BORDERS, {
    "(back <= window) & (back > 0 if causal else (back != 0) & (back >= -window))": (
        "the window ends before the position itself: it holds the `window` positions before it, and not the own one",
        _ROW, "the diagonal is hidden"),
    f"(back != 0) & {_BORDERS}": ("no position sees itself", _ROW, "the diagonal is hidden"),
    "(back < window) & (back >= 0) if causal else back.abs() <= window // 2": (
        "without causal, the window is shared out to both sides: `window // 2` on each; the task asks for `window - 1` "
        "on each", "write down the middle row for window 3 and causal=False"),
    "back > -window if causal else (back < window) & (back > -window)": (
        "only one border of the window is drawn, and on the wrong side (the sign of the diagonal of `tril` or `triu`): "
        "all that came before is seen, and some of what comes after", _ROW),
    "back <= 0 if causal else (back < window) & (back > -window)": (
        "one of the two comparisons is turned round: exactly what comes after is seen", _ROW),
    f"~({_BORDERS})": ("the mask is the wrong way round (inverted)", _TRUE, "True stands where nothing may be seen"),
    f"(places.unsqueeze(1) // window == places // window) & {_BORDERS}": (
        "positions see their block of `window` positions; the window should move with each position", _ROW),
    f"({_BORDERS}).float()": ("the mask holds numbers, not True and False", "a comparison gives a boolean tensor")})
task.edit("back >= 0 if causal else back > -window", {
    "back >= 0": ("`causal` is not used: the future is always hidden", "try causal=False"),
    "back > -window": ("`causal` is not used: the future is seen", _ROW),
    "back > -window if causal else back >= 0": ("`causal` is used the wrong way round", "try both values of `causal`"),
    "True if causal else back > -window": (
        "only one border of the window is drawn: everything that comes after is seen", _ROW),
    "back >= 0 if causal else back >= -window": (
        "without causal, one position too many after the own one is seen", _LAST),
    "back >= 0 if causal else back > 1 - window": (
        "without causal, one position too few after the own one is seen", _LAST),
    "back >= 0 if causal else True": ("without causal, everything that comes after is seen", "write down the first row "
                                      "for window 2 and causal=False")})
task.edit(f"return {_BORDERS}", {
    "mask = torch.zeros(length, length, dtype=torch.bool, device=device)\n"
    "for i in range(length):\n"
    "    mask[i, i - window + 1 : i + 1 if causal else i + window] = True\n"
    "return mask": ("the slice of a row begins below 0, and Python counts such a number from the end: nothing "
                    "is left of the slice", "print where the slice of row 0 begins and ends", "row 0 is empty")})
task.edit("places.unsqueeze(1) - places", {
    "places - places.unsqueeze(1)": ("rows and columns are exchanged: positions see what comes after them", _ROW)})
task.edit(", device=device", {
    "": ("the argument `device` is not used", "hand it to the function that makes the tensor",
         "the mask lies on the default device, whatever `device` says")})
# fmt: on


def device_of(answer, *inputs):
    """Observe where the mask lies."""
    return answer(*inputs).device.type


EXPECTED = (
    "position i may attend to itself and the window - 1 positions before it, and if not causal to as many after it"
)
task.require(
    "each position sees itself and the window - 1 before it",
    EXPECTED,
    [Case("length 6, window 2", (6, 2)), Case("length 7, window 4", (7, 4)), Case("length 5, window 1", (5, 1))],
    [Case("another window", (9, 3)), Case("another length", (12, 5))],
    _ROW,
)
task.require(
    "without causal it sees as many after it",
    EXPECTED,
    [Case("length 7, window 2, causal=False", (7, 2, False)), Case("length 8, window 4, causal=False", (8, 4, False))],
    [Case("another window, not causal", (9, 3, False)), Case("window 1, not causal", (5, 1, False))],
    "write down the middle row",
)
task.require(
    "windows as long as the text and longer, and long texts",
    EXPECTED,
    [Case("length 4, window 4", (4, 4)), Case("length 4, window 9", (4, 9)), Case("length 150, window 20", (150, 20))],
    [Case("a long window, not causal", (5, 20, False)), Case("a long text", (400, 64))],
)
task.require(
    "the mask lies on `device`",
    "a mask on the device that the argument names; `meta` is a device that every computer has",
    [Case("device='meta'", (3, 2, True, "meta"), device_of, right="meta"), Case("device='cpu'", (5, 2, True, "cpu"))],
    [Case("not causal, device='meta'", (4, 2, False, torch.device("meta")), device_of, right="meta")],
)
task.limits(
    "length 1, and wrong input",
    [
        Case("length 1", (1, 3)),
        refusal("a negative length", (-1, 2), "length"),
        refusal("a window of 0", (4, 0), "window"),
        refusal("a window of 2.5", (4, 2.5), "window"),
    ],
)
