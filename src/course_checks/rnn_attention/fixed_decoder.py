"""Task `fixed_decoder` of exercise 03: two bugs to find."""

import torch

from course_checks.cases import Case, gradients
from course_checks.rnn_attention.attend import right as right_look
from course_checks.rnn_attention.inputs import decoder_inputs
from course_checks.rnn_attention.shared import AFTER, INVERTED, MASK, READY_MADE, UNIT
from course_checks.task import Task

task = Task("fixed_decoder", UNIT, READY_MADE)


@task.oracle
def right(embedded, hidden, memory, mask, cell, score):
    """Look, then read, word by word."""
    states, rows = [], []
    for word in embedded.unbind(1):
        context, weights = right_look(score(hidden, memory), memory, mask)
        hidden = cell(torch.cat([word, context], dim=-1), hidden)
        states.append(hidden)
        rows.append(weights)
    return torch.stack(states, 1), torch.stack(rows, 1)


# fmt: off
_PER_WORD = "print the weights of two target words of one sentence: should they be the same?"
_READS = "the cell reads the word, then the context, and its state goes on"
_FIRST_LOOK = "in each step first look, then read the word and what was seen"
_ROWS, _COLUMNS = "what do the rows of the weights sum to?", "the columns sum to 1"
_NOT_THE_STATE = "the first look is right, the state after it is not"
_START, _LOOK, _SCORES = "states, rows = [], []", "score(hidden, memory)", "scores = score"
_HIDE, _SOFTMAX = ".masked_fill(~mask, -math.inf)", "torch.softmax(scores, dim=-1)"
_WORD, _READ = "embedded[:, position]", "[embedded[:, position], context]"
_CELL = f"hidden = cell(torch.cat({_READ}, dim=-1), hidden)"
_BLIND = f"cell(torch.cat([{_WORD}, torch.zeros_like(memory[:, 0])], dim=-1), hidden)"
_LUONG = ("the word is read before the look, as in Luong's decoder; Bahdanau's looks first", _FIRST_LOOK)
task.edit(_LOOK, {f"score({_BLIND}, memory)": _LUONG})
task.edit(_SCORES, {f"hidden = {_BLIND}\n{_SCORES}": _LUONG})
task.edit_places({_START: f"{_START}\nfirst = hidden", _LOOK: "score(first, memory)"}, "the look is always made with "
    "the first state: the scores do not change from word to word", _PER_WORD,
    "every target word looks at the source in the same way")
task.edit_places({_START: f"{_START}\ncontext = torch.zeros_like(memory[:, 0])", _SCORES: f"{_CELL}\n{_SCORES}",
    _CELL: ""}, "the word is read with the context of the step before, and then comes the look", _FIRST_LOOK)
task.edit("rows.append(weights)", {f"rows.append(torch.softmax({_LOOK}{_HIDE}, dim=-1))": (
    "the weights that are returned are made after reading", "return the weights that made the context of this word",
    "the row of each word is the look of the word after it")})
task.edit(_HIDE, MASK | {
    "": ("the mask is gone", "hide the scores before softmax", "padding is looked at"),
    ".masked_fill(mask, -math.inf)": INVERTED,
    ".masked_fill(mask, -1e9)": ("the mask is used the wrong way round (inverted), with a large finite number",
        "True means `may be attended to`", "the hidden words have the weight")})
task.edit_places({_HIDE: ".masked_fill(mask, -math.inf)", _SOFTMAX: f"{_SOFTMAX}.nan_to_num()"},
    "the mask is used the wrong way round (inverted), and what is NaN becomes 0", "True means `may be attended to`",
    "the hidden words have the weight")
task.edit_places({_HIDE: "", _SOFTMAX: f"{_SOFTMAX} * mask"}, *AFTER)
task.edit_places({_HIDE: "", _SOFTMAX: f"{_SOFTMAX} * mask\nweights = weights / weights.sum(0, keepdim=True)"},
    "what is left of the weights after the mask is divided by its sum over the sentences, not over the source words",
    _ROWS, _COLUMNS)
task.edit("dim=-1)\ncontext", {"dim=0)\ncontext": (
    "softmax runs over the sentences, not over the source words", _ROWS, _COLUMNS)})
task.edit("(weights.unsqueeze(1)", {f"(torch.softmax({_LOOK}, dim=-1).unsqueeze(1)": (
    "the context is computed with weights from before the mask", _READS,
    "the weights are right, but the state knows hidden words")})
task.edit(_READ, {
    f"[context, {_WORD}]": ("the context stands before the word in what the cell reads", _READS, _NOT_THE_STATE),
    f"[0 * {_WORD}, context]": ("the words are not read", _READS, _NOT_THE_STATE),
    f"[{_WORD}, 0 * context]": ("the context is not read", _READS, _NOT_THE_STATE),
    f"[{_WORD}, memory[:, -1]]": ("the last state of the memory is read in the place of the context", _READS),
    "[embedded[:, -1], context]": ("the last word is read in every step", _READS),
    "[embedded[:, 0], context]": ("the first word is read in every step", _READS)})
task.edit_places({"hidden = cell": "states.append(hidden)\nhidden = cell", "states.append(hidden)": ""},
    "the state before reading is kept, not the one after it",
    "when is the state appended, and when does it change?", "the states are one word behind")
task.edit_places({_START: f"{_START}\nstart = hidden", _SCORES: f"hidden = start\n{_SCORES}"},
    "the state is not handed on from word to word", _READS)
task.edit("states.append(hidden)", {
    "states.append(context)": ("the contexts are returned in the place of the states", _READS)})
task.edit_all("dim=1)", {"dim=0)": ("the results are stacked along the first dimension: target words come before "
    "sentences", "where does `torch.stack` put the new dimension?", "the dimensions are in another order")})
# fmt: on


def inputs(lengths, target_length, source_length, d, d_memory, d_hidden):
    """Draw what the decoder gets."""
    return lambda draw: decoder_inputs(lengths, target_length, source_length, d, d_memory, d_hidden, draw)


task.require(
    "every word has its own look, and padding has no share in it",
    "in each step: look with the state that is there, share the whole weight among the real words, and then read the "
    "word and the context",
    [Case("sentences of 6, 2 and 4 source words, 4 target words", inputs([6, 2, 4], 4, 6, 2, 5, 7)),
     Case("all widths equal, no padding", inputs([3, 3], 3, 3, 4, 4, 4))],
    [Case("one sentence with padding", inputs([3], 5, 7, 2, 6, 4)),
     Case("as many of everything", inputs([4, 1, 3, 2], 4, 4, 4, 4, 4)),
     Case("6 target words, 3 source words", inputs([1, 3], 6, 3, 1, 2, 5))],
)  # fmt: skip
task.require(
    "the gradients flow through looks and states",
    "the derivative with respect to the words, the first state and the memory",
    [Case("the gradient of the states", inputs([3, 2], 3, 3, 2, 3, 2), gradients(0))],
    [Case("the gradient of the weights", inputs([2, 4], 3, 4, 3, 2, 3), gradients(1))],
)
