"""Task `nucleus` of exercise 11, the stretch."""

import torch

from course_checks.cases import Case
from course_checks.decoding.shared import UNIT
from course_checks.task import Task

task = Task("nucleus", UNIT)


@task.oracle
def right(logits, p, temperature=1.0):
    """Keep words row by row, in plain Python."""
    rows = []
    for row in torch.softmax(logits.double() / temperature, -1).reshape(-1, logits.shape[-1]).tolist():
        kept, total = set(), 0.0
        for word in sorted(range(len(row)), key=lambda word: -row[word]):
            if total < p:
                kept.add(word)
                total += row[word]
        rows.append([row[word] / total if word in kept else 0.0 for word in range(len(row))])
    return torch.tensor(rows, dtype=logits.dtype).reshape(logits.shape)


# fmt: off
_WHICH = "which words stay for p = 0.7 and probabilities 0.5, 0.3, 0.2?"
_ALONE = ("words are kept by their own probability, not by the total", _WHICH)
_LOGITS = "divide the logits, and begin from there"
_TWICE = ("softmax is taken a second time, of what are probabilities already",
          "how do you make numbers sum to 1 that keep their proportions?")
task.edit("before >= p", {
    "before + probabilities > p": (
        "the word with which the total reaches p is dropped: it is the last one that stays", _WHICH),
    "probabilities < p": _ALONE,
    "probabilities < 1 - p": _ALONE,
    "probabilities < probabilities.masked_fill(before >= p, 1.0).amin(dim=-1, keepdim=True)": (
        "all words stay that are as probable as the last one; the fewest are wanted",
        "which words stay for p = 0.7 and probabilities 0.5, 0.25, 0.25?"),
    "before - probabilities.roll(1, -1) >= p": ("one word too many is kept", _WHICH)})
task.edit("kept = kept / kept.sum(dim=-1, keepdim=True)", {
    "": ("what is left is not divided by its total", "sum a row", "a row does not sum to 1"),
    "kept = kept.softmax(dim=-1)": _TWICE,
    "kept = kept.masked_fill(kept == 0, -torch.inf).softmax(dim=-1)": _TWICE})
task.edit("torch.softmax(logits / temperature, dim=-1)", {"(torch.softmax(logits, dim=-1) / temperature)": (
    "the temperature divides the probabilities, after softmax", _LOGITS)})
task.edit("descending=True", {"descending=False": (
    "the least probable words come first", "print the row after `sort`, and which words of it stay")})
task.edit("logits / temperature", {
    "logits": ("`temperature` is not used", _LOGITS),
    "logits * temperature": ("the logits are multiplied by the temperature, not divided", _LOGITS)})
task.edit_places({"logits / temperature": "logits", "kept / kept": "kept ** (1 / temperature)\nkept = kept / kept"},
                 "the temperature comes after the choice of words, or after softmax", _LOGITS)
task.edit("torch.zeros_like(kept).scatter(-1, order, kept)", {"kept": (
    "the probabilities stay in sorted order", "what does `sort` return beside the values?",
    "the words have changed places")})
task.edit("torch.zeros_like(kept).scatter(-1, order, kept)", {"kept.gather(-1, order)": (
    "`gather` in the place of `scatter`: each probability has to go to its word, and is taken from the word's number",
    "`order` says which word stands at each place of the sorted row")})
# fmt: on


def inputs(p, *temperature):
    """Take two rows of four words with round probabilities."""
    return lambda draw: (torch.tensor([[0.05, 0.3, 0.15, 0.5], [0.1, 0.2, 0.4, 0.3]]).double().log(), p, *temperature)


def sorted_rows(answer, *given):
    """Observe the numbers of each row in their order: of words that are alike, any may stay."""
    return answer(*given).sort(-1).values


task.require(
    "the fewest words that together have probability p",
    "the fewest words with p together, the most probable first, and what is left sums to 1",
    [Case("p 0.72", inputs(0.72)), Case("p 0.45", inputs(0.45)), Case("p 0.85, temperature 2", inputs(0.85, 2.0)),
     Case("p 1", inputs(1.0)),
     Case("p 1, a word with probability 0.0002", (torch.tensor([[0.4, 0.0002, 0.5998]]).double().log(), 1.0)),
     Case("p 0.6, two words alike", (torch.tensor([[0.25, 0.5, 0.25]]).double().log(), 0.6), sorted_rows),
     Case("3 times 2 rows of 7 words, p 0.6", lambda draw: (draw(3, 2, 7, dtype=torch.float64), 0.6))],
)  # fmt: skip
