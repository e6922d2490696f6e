"""Task `next_token_batch` of exercise 13."""

import torch

from course_checks.cases import Case, drawn, part, refusal
from course_checks.language_model.shared import UNIT
from course_checks.task import Task

task = Task("next_token_batch", UNIT)
_PRINT = "take the text 10, 11, 12 ... and print one row of inputs above the same row of labels"
_PLACES = "a column of starts plus a row of places gives a table of places"


@task.oracle
def right(tokens, starts, length):
    """Take token by token."""
    text = tokens.tolist()
    rows = [[text[start + t : start + t + 2] for t in range(length)] for start in starts.tolist()]
    both = torch.tensor(rows, dtype=torch.long).reshape(len(starts), length, 2)
    return both[:, :, 0], both[:, :, 1]


# fmt: off
task.edit("tokens[places + 1]", {
    "tokens[places]": ("the labels are the inputs, without the shift by one", _PRINT, "each label is its own input"),
    "tokens[(places + 2).clamp(max=len(tokens) - 1)]": ("the labels are shifted by two", _PRINT),
    "tokens[places[:, :1] + 1].expand(-1, length)": (
        "each row of labels is one token, repeated: that behind the first input", _PRINT),
    "tokens[places - 1]": ("the labels are the tokens before the inputs, not behind them", _PRINT),
    "tokens[places].roll(-1, 1)": (
        "the labels are the inputs rolled around: the last label of a row is its first token",
        "where does the last label come from?", "only the last label of each row is wrong"),
    "tokens[(places + length).clamp(max=len(tokens) - 1)]": (
        "the labels begin where the piece ends", "labels[b, t] follows inputs[b, t]")})
task.edit("starts.unsqueeze(1)", {
    "(starts * length).unsqueeze(1)": (
        "`starts` is taken for the number of a piece and multiplied by length", "starts are places in the text"),
    "(starts // length * length).unsqueeze(1)": (
        "the text is cut into windows, and each start is moved to the beginning of its window",
        "starts are places in the text: which token is the first of the piece that starts at 5?"),
    "starts[:1].expand(len(starts)).unsqueeze(1)": (
        "every piece begins at the first start", _PLACES, "all rows are the same")})
task.edit("starts.unsqueeze(1) + torch.arange(length)", {
    "(starts.unsqueeze(1) + torch.arange(length)).flatten()": (
        "the pieces are glued into one row", _PLACES, "the results have one dimension"),
    "(starts.unsqueeze(1) + torch.arange(length)).T": (
        "rows and columns are exchanged", _PLACES, "the results have shape (length, batch)")})
task.edit("tokens[places], tokens[places + 1]", {
    "tokens[places + 1], tokens[places]": ("labels and inputs are returned in the other order", "inputs first")})
task.edit("places = ", {"torch.stack([tokens[start : start + length + 1] for start in starts.tolist()])\nplaces = ": (
    "`torch.stack` needs one piece at least, and `starts` may be empty",
    "what shape have the results of no piece? `new_zeros` makes them, or places without a loop")})
# fmt: on


def cut(num_tokens, starts, length):
    """Draw a text, and cut at these places."""
    return drawn(f"50: {num_tokens}", torch.tensor(starts), length)


task.require("the inputs are the pieces that begin at `starts`",
    "row b holds the tokens from starts[b] on, in shape (batch, length)",
    [Case("3 pieces of 4 tokens", cut(40, [5, 0, 21], 4)),
     Case("the inputs, pieces that overlap", cut(40, [7, 8, 9], 6), part(0))],
    [Case("the inputs, one piece", cut(30, [11], 7), part(0)),
     Case("the inputs, as many pieces as tokens", cut(30, [4, 2, 9], 3), part(0))],
    _PRINT)  # fmt: skip
task.require("each label is the token that follows",
    "labels[b, t] = tokens[starts[b] + t + 1], in shape (batch, length)",
    [Case("the labels, 2 pieces of 5 tokens", cut(40, [3, 17], 5), part(1)),
     Case("both, pieces that overlap", cut(40, [7, 8, 9], 6))],
    [Case("both, the last piece that fits", cut(30, [22, 0], 7)), Case("both, one token a piece", cut(9, [3, 7], 1))],
    _PRINT)  # fmt: skip
task.limits("no piece, and wrong input",
    [Case("no piece", lambda draw: (torch.arange(9), torch.zeros(0, dtype=torch.long), 3)),
     refusal("a label outside the text", (torch.arange(9), torch.tensor([6]), 3), "starts"),
     refusal("a start below 0", (torch.arange(9), torch.tensor([-1]), 3), "starts"),
     refusal("a length of 0", (torch.arange(9), torch.tensor([1]), 0), "length")])  # fmt: skip
