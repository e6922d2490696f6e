"""Task `induction_score` of exercise 13."""

import torch

from course_checks.cases import Case, refusal
from course_checks.language_model.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

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


@task.pipeline(
    occurrence={
        "first": Wrong("the first earlier occurrence is taken, not the last", "", _LAST),
        "mean": Wrong("the weights behind all earlier occurrences are averaged, not that behind the last taken", "",
                      _LAST),
        "all": Wrong("the weights behind all earlier occurrences are summed, not that behind the last", "", _LAST),
    },
    place={
        "itself": Wrong("the weight on the earlier occurrence itself is read, not on the position after it", "", _HAND),
        "before": Wrong("the weight on the position before the earlier occurrence is read", "", _HAND),
        "two after": Wrong("the weight two positions after the earlier occurrence is read", "", _HAND),
    },
    axes={"exchanged": Wrong("rows and columns are exchanged: rows are queries", "", "row t says where t looks")},
    over={
        "all": Wrong("the mean is over all positions, also those whose token is new", "too small", _HAND),
        "sum": Wrong("the weights are summed, not averaged", "too large", "divide by the number of positions"),
        "never": Wrong("no earlier occurrence is ever found (or 0 stands in the code): a set or dictionary of tensors "
                       "looks "
                       "for the same object, not for the same number", "the score is 0",
                       "`tokens.tolist()` gives numbers, which can be looked up"),
        "no doubles": Wrong("positions are left out whose token stands twice in a row: what follows the earlier one is "
                            "the position itself, and it counts too", "", "take the tokens A A: what is the score?"),
        "last": Wrong("only the last position counts whose token has occurred before, not every one", "",
                      "take the tokens A B A B: how many weights belong to the mean?"),
        "tokens": Wrong("the mean is over different tokens, not over positions", "", _LAST),
        "largest": Wrong("it counts how often the largest weight lies there, not how large it is", "",
                         "the score is a mean of weights"),
    },
    none={"nan": Wrong("where no token occurs twice, a mean over nothing is taken", "NaN",
                       "what should the score of A B C be?")},
)  # fmt: skip
def induction_score(weights, tokens, *, occurrence="last", place="after", axes="rows", over="positions", none="0"):
    """Measure with one choice for each step."""
    weights = weights.T if axes == "exchanged" else weights
    step = {"itself": 0, "before": -1, "two after": 2}.get(place, 1)
    found, by_token, ids = [], {}, tokens.tolist()
    for t, token in enumerate(ids):
        earlier = [j for j in range(t) if ids[j] == token]
        if not earlier:
            continue
        if over == "never" or (over == "no doubles" and earlier[-1] == t - 1):
            continue
        chosen = {"first": earlier[:1], "all": earlier, "mean": earlier}.get(occurrence, earlier[-1:])
        places = [min(j + step, len(ids) - 1) for j in chosen]  # -1 is the last position
        value = sum(weights[t, j].item() for j in places) / (len(places) if occurrence == "mean" else 1)
        if over == "largest":
            value = float(weights[t].argmax().item() in places)
        found.append(value)
        by_token.setdefault(token, []).append(value)
    if not found:
        return float("nan") if none == "nan" else 0.0
    if over == "tokens":
        means = [sum(each) / len(each) for each in by_token.values()]
        return sum(means) / len(means)
    found = found[-1:] if over == "last" else found
    return sum(found) / {"all": len(ids), "sum": 1}.get(over, len(found))


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
task.require(
    "one repeated token, read by hand",
    EXPECTED,
    [
        Case("the tokens 5 8 5, a head that sees everything", drawn([5, 8, 5], False)),
        Case("the tokens 5 8 5", drawn([5, 8, 5])),
        Case("a head that always looks there", perfect),
    ],
    [Case("the tokens 3 1 2 3", drawn([3, 1, 2, 3]))],
    _HAND,
)
task.require(
    "the last earlier occurrence counts, for each position that has one",
    EXPECTED,
    [Case("the tokens 5 8 5 6 5", drawn([5, 8, 5, 6, 5])),
     Case("the tokens 1 2 3 1 2 3 1", drawn([1, 2, 3, 1, 2, 3, 1])),
     Case("a token twice in a row: 4 4 9 4", drawn([4, 4, 9, 4]))],
    [Case("many repeats", drawn([1, 1, 2, 1, 2, 2, 3, 1, 1, 2])), Case("one token only", drawn([6, 6, 6, 6])),
     Case("a text of 12", drawn([2, 9, 4, 2, 7, 9, 9, 4, 2, 1, 7, 2]))],
    _LAST,
)  # fmt: skip
task.require(
    "where no token occurs twice the score is 0",
    "0.0",
    [Case("the tokens 1 2 3", drawn([1, 2, 3]))],
    [Case("one token", drawn([4]))],
)
task.limits(
    "float32, and wrong input",
    [
        Case("float32", lambda draw: (drawn([5, 8, 5])(draw)[0].float(), torch.tensor([5, 8, 5]))),
        refusal("weights for another text", lambda draw: (torch.eye(3), torch.tensor([1, 2])), "weights"),
        refusal("weights of several heads", lambda draw: (torch.eye(2)[None], torch.tensor([1, 2])), "weights"),
    ],
)
