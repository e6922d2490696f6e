"""Task `induction_score` of exercise 13."""

import torch

from course_checks.cases import Case, refusal
from course_checks.language_model.shared import UNIT
from course_checks.task import Task

task = Task("induction_score", UNIT)
_HAND = "take the tokens A B A: only the last position counts; which one weight should it read?"
_LAST = "take the tokens A B A C A: where does the last A look?"


@task.oracle
def right(weights, tokens):
    """Go through the text and remember where each token stood last."""
    last, found = {}, []
    for place, token in enumerate(tokens.tolist()):
        if token in last:
            found.append(weights[place, last[token] + 1].item())
        last[token] = place
    return sum(found) / len(found) if found else 0.0


# fmt: off
_ITSELF = ("the place of a token is noted before the earlier one is read: it finds itself",
           "take the tokens A B A: which place does the last A find?")
_READ, _MARKED = "weights[place, last[token] + 1].item()", "last[token] = place"
task.edit(_MARKED, {"last.setdefault(token, place)": ("the first earlier occurrence is taken, not the last", _LAST)})
for _how, _cause in {
    "mean": "the weights behind all earlier occurrences are averaged, not that behind the last taken",
    "sum": "the weights behind all earlier occurrences are summed, not that behind the last",
}.items():
    task.edit_places({_MARKED: "last.setdefault(token, []).append(place)",
                      _READ: f"weights[place, [each + 1 for each in last[token]]].{_how}().item()"}, _cause, _LAST)
task.edit_places({_MARKED: "last.setdefault(token, []).append(place)",
                  f"found.append({_READ})": "found += weights[place, [each + 1 for each in last[token]]].tolist()"},
                 "every earlier occurrence counts as one of its own, not the last one alone", _LAST)
task.edit(_READ, {
    "weights[place, last[token]].item()": (
        "the weight on the earlier occurrence itself is read, not on the position after it", _HAND),
    "weights[place, last[token] - 1].item()": (
        "the weight on the position before the earlier occurrence is read", _HAND),
    "weights[place, min(last[token] + 2, len(tokens) - 1)].item()": (
        "the weight two positions after the earlier occurrence is read", _HAND),
    "weights[place, place + 1].item()": _ITSELF,
    "weights[place, min(place + 1, len(tokens) - 1)].item()": _ITSELF,
    "weights[last[token] + 1, place].item()": (
        "rows and columns are exchanged: rows are queries", "row t says where t looks"),
    "float(weights[place].argmax() == last[token] + 1)": (
        "it counts how often the largest weight lies there, not how large it is", "the score is a mean of weights")})
task.edit("sum(found) / len(found)", {
    "sum(found) / len(tokens)": ("the mean is over all positions, also those whose token is new", _HAND, "too small"),
    "sum(found)": ("the weights are summed, not averaged", "divide by the number of positions", "too large"),
    "found[-1]": ("only the last position counts whose token has occurred before, not every one",
                  "take the tokens A B A B: how many weights belong to the mean?")})
task.edit("tokens.tolist()", {"tokens": (
    "no earlier occurrence is ever found (or 0 stands in the code): a set or dictionary of tensors looks for the same "
    "object, not for the same number", "`tokens.tolist()` gives numbers, which can be looked up", "the score is 0")})
task.edit("if token in last:", {
    "last[token] = place\nif token in last:": _ITSELF,
    "if token in last and last[token] + 1 < place:": (
        "positions are left out whose token stands twice in a row: what follows the earlier one is the position "
        "itself, and it counts too", "take the tokens A A: what is the score?")})
task.edit_places({"if token in last:": "last[token] = place\nif token in last:", _READ: "weights[place, place].item()"},
                 *_ITSELF)
task.edit_places({"{}, []": "{}, {}", "found.append": "found.setdefault(token, []).append",
                  "sum(found)": "sum(sum(each) / len(each) for each in found.values())"},
                 "the mean is over different tokens, not over positions", _LAST)
task.edit("else 0.0", {"else float('nan')": (
    "where no token occurs twice, a mean over nothing is taken", "what should the score of A B C be?", "NaN")})
# fmt: on


def drawn(tokens, causal=True):
    """Draw the weights of a head that has read these tokens."""

    def make(draw):
        length = len(tokens)
        scores = draw(length, length, dtype=torch.float64)
        hidden = ~torch.ones(length, length, dtype=torch.bool).tril() & causal
        return scores.masked_fill(hidden, -torch.inf).softmax(-1), torch.tensor(tokens)

    return make


def perfect(draw):
    """Make a head that looks exactly where it should."""
    tokens = [4, 7, 4, 9, 7, 4]
    looks = [0, 0, 1, 0, 2, 3]
    return torch.eye(6, dtype=torch.float64)[looks], torch.tensor(tokens)


EXPECTED = "the mean weight on the position right after the last earlier occurrence, over the positions that have one"
task.require("one repeated token, read by hand", EXPECTED,
    [Case("the tokens 5 8 5, a head that sees everything", drawn([5, 8, 5], False)),
     Case("the tokens 5 8 5", drawn([5, 8, 5])), Case("a head that always looks there", perfect)],
    [Case("the tokens 3 1 2 3", drawn([3, 1, 2, 3]))],
    _HAND)  # fmt: skip
task.require("the last earlier occurrence counts, for each position that has one", EXPECTED,
    [Case("the tokens 5 8 5 6 5", drawn([5, 8, 5, 6, 5])),
     Case("the tokens 1 2 3 1 2 3 1", drawn([1, 2, 3, 1, 2, 3, 1])),
     Case("a token twice in a row: 4 4 9 4", drawn([4, 4, 9, 4]))],
    [Case("many repeats", drawn([1, 1, 2, 1, 2, 2, 3, 1, 1, 2])), Case("one token only", drawn([6, 6, 6, 6])),
     Case("a text of 12", drawn([2, 9, 4, 2, 7, 9, 9, 4, 2, 1, 7, 2]))],
    _LAST)  # fmt: skip
task.require("where no token occurs twice the score is 0", "0.0",
    [Case("the tokens 1 2 3", drawn([1, 2, 3]))],
    [Case("one token", drawn([4]))])  # fmt: skip
task.limits(
    "float32, and wrong input",
    [
        Case("float32", lambda draw: (drawn([5, 8, 5])(draw)[0].float(), torch.tensor([5, 8, 5]))),
        refusal("weights for another text", lambda draw: (torch.eye(3), torch.tensor([1, 2])), "weights"),
        refusal("weights of several heads", lambda draw: (torch.eye(2)[None], torch.tensor([1, 2])), "weights"),
    ],
)
