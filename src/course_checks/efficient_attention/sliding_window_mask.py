"""Task `sliding_window_mask` of exercise 17."""

import torch

from course_checks.cases import Case, refusal
from course_checks.efficient_attention.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("sliding_window_mask", UNIT)

_ROW = "write down row 3 for length 5 and window 2: which positions may position 3 attend to?"
_TRUE = "True means `may be attended to`"


@task.oracle
def right(length, window, causal=True, device=None):
    """Ask for each pair of positions."""
    rows = [
        [i - window < j <= i if causal else i - window < j < i + window for j in range(length)] for i in range(length)
    ]
    return torch.tensor(rows, dtype=torch.bool, device=device).reshape(length, length)


@task.pipeline(
    width={
        "one more": Wrong("off by one: the window holds the position itself and `window` others before it; the own one "
                          "counts", "", _ROW),
        "one fewer": Wrong("off by one: the window holds one position too few", "", _ROW),
        "none": Wrong("the window has no end: everything that came before is seen", "", _ROW),
        "own": Wrong("every position sees itself alone", "", _ROW),
        "fixed": Wrong("the size of the window is not that of the argument", "", "where does `window` come in?"),
        "before the own": Wrong("the window ends before the position itself: it holds the `window` positions before "
                                "it, "
                                "and not the own one", "the diagonal is hidden", _ROW),
        "not the own": Wrong("no position sees itself", "the diagonal is hidden", _ROW),
    },
    side={
        "always causal": Wrong("`causal` is not used: the future is always hidden", "", "try causal=False"),
        "never causal": Wrong("`causal` is not used: the future is seen", "", _ROW),
        "exchanged": Wrong("`causal` is used the wrong way round", "", "try both values of `causal`"),
        "after": Wrong("rows and columns are exchanged: positions see what comes after them", "", _ROW),
        "half": Wrong("without causal, the window is shared out to both sides: `window // 2` on each; the task asks "
                      "for `window - 1` on each", "", "write down the middle row for window 3 and causal=False"),
        "one border": Wrong("only one border of the window is drawn: everything that comes after is seen", "", _ROW),
        "other border": Wrong("only one border of the window is drawn, and on the wrong side (the sign of the diagonal "
                              "of "
                              "`tril` or `triu`): all that came before is seen, and some of what comes after", "",
                              _ROW),
        "only after": Wrong("one of the two comparisons is turned round: exactly what comes after is seen", "", _ROW),
        "all after": Wrong("without causal, everything that comes after is seen", "", "write down the first row for "
                           "window 2 and causal=False"),
    },
    kind={
        "inverted": Wrong("the mask is the wrong way round (inverted)", "True stands where nothing may be seen", _TRUE),
        "blocks": Wrong("positions see their block of `window` positions; the window should move with each position",
                        "", _ROW),
        "numbers": Wrong("the mask holds numbers, not True and False", "", "a comparison gives a boolean tensor"),
    },
    place={"default": Wrong("the argument `device` is not used", "the mask lies on the default device, whatever "
                            "`device` says", "hand it to the function that makes the tensor")},
)  # fmt: skip
def sliding_window_mask(
    length, window, causal=True, device=None, *, width="window", side="right", kind="moving", place="device"
):
    """Make the mask, with one choice for each part."""
    place_of = torch.arange(length, device=None if place == "default" else device)
    back = place_of[:, None] - place_of
    back = -back if side == "after" else back
    size = {"one more": window + 1, "one fewer": window - 1, "none": length + 1, "own": 1, "fixed": 3}.get(
        width, window
    )
    causal = {"always causal": True, "never causal": False, "exchanged": not causal}.get(side, causal)
    if not causal and side == "half":
        mask = back.abs() <= size // 2
    elif not causal and side == "all after":
        mask = back < size
    else:
        mask = (back < size) & (back >= 0 if causal else back > -size)
    if causal and side in ("one border", "other border", "only after"):
        mask = {"one border": back < size, "other border": back > -size, "only after": back <= 0}[side]
    if width == "before the own":
        mask = (back > 0) & (back <= window) if causal else (back != 0) & (back.abs() <= window)
    mask = mask & (back != 0) if width == "not the own" else mask
    if kind == "blocks":
        mask = mask & (place_of[:, None] // window == place_of // window)
    mask = ~mask if kind == "inverted" else mask
    return mask.float() if kind == "numbers" else mask


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
