"""Task `next_token_batch` of exercise 13."""

import torch

from course_checks.cases import Case, part, refusal
from course_checks.language_model.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

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


@task.pipeline(
    labels={
        "inputs": Wrong("the labels are the inputs, without the shift by one", "each label is its own input", _PRINT),
        "two ahead": Wrong("the labels are shifted by two", "", _PRINT),
        "one before": Wrong("the labels are the tokens before the inputs, not behind them", "", _PRINT),
        "rolled": Wrong("the labels are the inputs rolled around: the last label of a row is its first token",
                        "only the last label of each row is wrong", "where does the last label come from?"),
        "next piece": Wrong("the labels begin where the piece ends", "", "labels[b, t] follows inputs[b, t]"),
    },
    pieces={
        "numbered": Wrong("`starts` is taken for the number of a piece and multiplied by length", "",
                          "starts are places in the text"),
        "first": Wrong("every piece begins at the first start", "all rows are the same", _PLACES),
        "one row": Wrong("the pieces are glued into one row", "the results have one dimension", _PLACES),
        "transposed": Wrong("rows and columns are exchanged", "the results have shape (length, batch)", _PLACES),
    },
    order={"exchanged": Wrong("labels and inputs are returned in the other order", "", "inputs first")},
)  # fmt: skip
def next_token_batch(tokens, starts, length, *, labels="one later", pieces="starts", order="inputs, labels"):
    """Cut with one choice for each step."""
    starts = starts * length if pieces == "numbered" else starts
    starts = starts[:1].expand(len(starts)) if pieces == "first" else starts
    places = starts[:, None] + torch.arange(length)
    ahead = {"inputs": 0, "two ahead": 2, "one before": -1, "next piece": length}.get(labels, 1)
    inputs, found = tokens[places], tokens[(places + ahead).clamp(max=len(tokens) - 1)]  # -1 is the last token
    found = inputs.roll(-1, 1) if labels == "rolled" else found
    if pieces in ("one row", "transposed"):
        inputs, found = (x.flatten() if pieces == "one row" else x.mT for x in (inputs, found))
    return (found, inputs) if order == "exchanged" else (inputs, found)


@task.mistake("`torch.stack` needs one piece at least, and `starts` may be empty", "",
              "what shape have the results of no piece? `new_zeros` makes them, or places without a loop")  # fmt: skip
def stacked(tokens, starts, length):
    """Slice piece by piece, and stack what may be nothing."""
    rows = torch.stack([tokens[start : start + length + 1] for start in starts.tolist()])
    return rows[:, :-1], rows[:, 1:]


def drawn(num_tokens, starts, length):
    """Draw a text, and cut at these places."""
    return lambda draw: (draw.integers(0, 50, num_tokens), torch.tensor(starts), length)


task.require(
    "the inputs are the pieces that begin at `starts`",
    "row b holds the tokens from starts[b] on, in shape (batch, length)",
    [Case("3 pieces of 4 tokens", drawn(40, [5, 0, 21], 4)),
     Case("the inputs, pieces that overlap", drawn(40, [7, 8, 9], 6), part(0))],
    [Case("the inputs, one piece", drawn(30, [11], 7), part(0)),
     Case("the inputs, as many pieces as tokens", drawn(30, [4, 2, 9], 3), part(0))],
    _PRINT,
)  # fmt: skip
task.require(
    "each label is the token that follows",
    "labels[b, t] = tokens[starts[b] + t + 1], in shape (batch, length)",
    [Case("the labels, 2 pieces of 5 tokens", drawn(40, [3, 17], 5), part(1)),
     Case("both, pieces that overlap", drawn(40, [7, 8, 9], 6))],
    [Case("both, the last piece that fits", drawn(30, [22, 0], 7)),
     Case("both, one token a piece", drawn(9, [3, 7], 1))],
    _PRINT,
)  # fmt: skip
task.limits(
    "no piece, and wrong input",
    [
        Case("no piece", lambda draw: (torch.arange(9), torch.zeros(0, dtype=torch.long), 3)),
        refusal("a label outside the text", (torch.arange(9), torch.tensor([6]), 3), "starts"),
        refusal("a start below 0", (torch.arange(9), torch.tensor([-1]), 3), "starts"),
        refusal("a length of 0", (torch.arange(9), torch.tensor([1]), 0), "length"),
    ],
)
