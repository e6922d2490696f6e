"""Task `bidirectional_encode` of exercise 03."""

import torch

from course_checks.cases import Case, Draw, gradients, refusal
from course_checks.rnn_attention.inputs import toy_cell
from course_checks.rnn_attention.shared import UNIT
from course_checks.task import Task
from course_checks.words import Finding

task = Task("bidirectional_encode", UNIT)


@task.oracle
def right(embedded, lengths, forward_cell, backward_cell, hidden):
    """Read each sentence alone, without its padding, forwards and backwards."""
    result = hidden.new_zeros(len(lengths), embedded.shape[1], 2, hidden.shape[1])
    for row, real in enumerate(lengths.tolist()):
        for half, (cell, order) in enumerate(((forward_cell, 1), (backward_cell, -1))):
            state = hidden[row : row + 1]
            for position in range(real)[::order]:
                state = cell(embedded[row : row + 1, position], state)
                result[row, position, half] = state[0]
    return result.flatten(2)


# fmt: off
_ORDER = "print for one short sentence in which order the second network reads the words, and where its states stand"
_OWN_END = "each sentence has an end of its own: which column does its last word have?"
_PAST = "what stands past the end of a sentence is not set to 0"
_ZERO = "set the states past the end to 0, in both halves"
_HALVES = "the last dimension of the result is twice as wide as a state: the forward half, then the backward half"
_BOTH_START = "both directions start from the same state"
_ROW = "row j belongs to word j"
_FLIP = "the whole width is turned round (`flip`), so that short sentences begin with their padding"
_PADDING_FIRST = (f"{_FLIP}; or the columns are read from the last to the first, and the state is not held at padding",
                  _OWN_END, "the second network starts at the padding")
_WORDS, _STATES, _LENGTHS = "turn(embedded)", "turn(from_right)", "lengths, backward_cell"
_REAL = "(position < lengths.unsqueeze(1)).unsqueeze(-1)"
_FULL = {_WORDS: "embedded.flip(1)", _LENGTHS: "torch.full_like(lengths, embedded.shape[1]), backward_cell"}
task.edit(_STATES, {
    "from_right": ("the states of the second network are in the order in which it reads; they are not turned round "
        "again", _ROW, "in the second half, the first row of a sentence holds the state at its last word"),
    "from_right.flip(1)": ("the words are turned round sentence by sentence, their states over the whole width "
        "(`flip`)", "turn the states as you turned the words",
        "the second half of a short sentence stands in the wrong columns"),
    "turn(from_right).flip(1)": (
        "the states are collected from the last column to the first, and not turned round again", _ROW)})
task.edit(".expand_as(x)", {"": (
    "the index has a last dimension of 1: of each vector only the first number is taken",
    "`gather` gives as many numbers as its index has: which shape must the index have?")})
task.edit(_WORDS, {
    "embedded": ("the second network reads from left to right, and its states are turned round", _ORDER),
    "embedded.flip(1)": (f"{_FLIP}; the states are turned sentence by sentence", _OWN_END)})
task.edit_places({_WORDS: "embedded", _STATES: "from_right"}, "the second network reads from left to right too", _ORDER,
                 "the second half does not know the words that come after")
task.edit_places({**_FULL, _STATES: f"from_right.flip(1) * {_REAL}"}, *_PADDING_FIRST)
task.edit_places({**_FULL, _STATES: "from_right.flip(1)"}, *_PADDING_FIRST)
task.edit_places({_WORDS: "embedded.flip(1)", _STATES: "from_right.flip(1)"},
                 f"{_FLIP}; with their own lengths they also end before the first word", _OWN_END,
                 "the second network starts at the padding, and ends before the first word")
task.edit_places({_WORDS: "embedded.flip(1)", _STATES: "from_right"},
                 f"{_FLIP}, and the states are not flipped back", _ORDER)
_LATE = ("the index of the turned words is `lengths - k`, one too far", "which word is at k = 0?",
         "the second network starts one word too late, in the padding, and does not reach the first word")
_MIRROR, _ONE_ON = "lengths.unsqueeze(1) - 1 - position", "lengths.unsqueeze(1) - position"
task.edit(_MIRROR, {_ONE_ON: _LATE, f"({_ONE_ON}) % embedded.shape[1]": _LATE})
task.edit_places({_MIRROR: f"({_ONE_ON}).clamp(0, embedded.shape[1] - 1)", _STATES: f"{_STATES} * {_REAL}"}, *_LATE)
for _before, _behind, *_words in (
    ("torch.cat([", ", from_left], dim=-1)", "the backward states are put first", _HALVES,
     "the two halves are exchanged"),
    ("(from_left + ", ")", "the two directions are added, or only one of them is returned", _HALVES),
    ("(from_left + ", ") / 2", "the mean of the two directions is taken", _HALVES),
    ("(from_left + 0 * ", ")", "only one direction is returned", _HALVES),
    ("(", ")", "only one direction is returned", _HALVES),
    ("torch.stack([from_left, ", "], dim=2)", "the two directions are stacked, not put side by side", _HALVES,
     "there is a dimension too many"),
    ("torch.stack([from_left, ", "], dim=-1).flatten(2)", "the columns of the two directions alternate", _HALVES),
    ("torch.cat([from_left, ", "], dim=1)", "the two directions stand one behind the other along the length", _HALVES),
    ("torch.cat([from_left, ", "], dim=0)", "the two directions stand one below the other along the batch", _HALVES),
):
    task.edit_places({"torch.cat([from_left, ": _before, "], dim=-1)": _behind}, *_words)
task.edit_places({"from_left, _": "_, from_left", "from_right, _": "_, from_right", _STATES: "from_right"},
                 "only the final state of each direction is returned", "the task asks for the states at all words")
_FIRST, _SECOND, _ZEROS = "hidden)\nposition", "hidden)\nreturn", "torch.zeros_like(hidden))\n"
task.edit(_SECOND, {
    f"{_ZEROS}return": (
        "`hidden` is used in the first direction only; the second starts from zeros", _BOTH_START),
    "from_left[:, -1])\nreturn": (
        "the second network starts from the last column of the first one's states", _BOTH_START),
    "hidden.masked_fill((lengths < embedded.shape[1]).unsqueeze(1), 0.0))\nreturn": (
        "the state becomes 0 at padding, so that a short sentence does not start from `hidden`",
        "which state should the second network have when it comes to the last word of a sentence?")})
task.edit(_FIRST, {f"{_ZEROS}position": (
    "`hidden` is used in the second direction only; the first starts from zeros", _BOTH_START)})
task.edit_places({_FIRST: f"{_ZEROS}position", _SECOND: f"{_ZEROS}return"},
                 "`hidden` is not used: both directions start from zeros", "what is `hidden` for?")
task.edit_places({"from_left, _": "from_left, final", _SECOND: "final)\nreturn"},
                 "the second network goes on from the final state of the first one", _BOTH_START)
_ONE, _OTHER = "lengths, forward_cell", "lengths, backward_cell"
task.edit(_OTHER, {_ONE: ("`backward_cell` is not used: both directions have forward_cell",
                          "look at the call for the second direction")})
task.edit(_ONE, {_OTHER: ("`forward_cell` is not used: both directions have backward_cell",
                          "look at the call for the first direction")})
task.edit_places({_ONE: _OTHER, _OTHER: _ONE}, "the two cells are exchanged",
                 "which of the cells reads from left to right?", "the first half was computed with backward_cell")
# A loop that reads to the right keeps the last state at padding, one that reads to the left the first.
_KEPT = {"from_left, _": "from_left, final",
         "[from_left, ": f"[torch.where({_REAL}, from_left, final.unsqueeze(1)), "}
_KEPT_SECOND = {_STATES: f"torch.where({_REAL}, {_STATES}, hidden.unsqueeze(1))"}
_KEPT_SEEN = "states past the end are not 0"
task.edit_places(_KEPT | _KEPT_SECOND, _PAST, _ZERO, _KEPT_SEEN)
task.edit_places(_KEPT, f"{_PAST} in the first half", _ZERO, _KEPT_SEEN)
task.edit_places(_KEPT_SECOND, f"{_PAST} in the second half", _ZERO, _KEPT_SEEN)
# fmt: on


def inputs(lengths, length, d=4, d_hidden=3, dtype=torch.float64, padding=1.0):
    """Draw sentences, cells and a first state; the padding is not 0."""

    def make(draw):
        embedded = draw(len(lengths), length, d, dtype=dtype)
        past = torch.arange(length) >= torch.tensor(lengths).unsqueeze(1)
        embedded = torch.where(past.unsqueeze(-1), padding * embedded, embedded)
        cells = (toy_cell(draw, d, d_hidden, dtype) for _ in range(2))
        return embedded, torch.tensor(lengths), *cells, draw(len(lengths), d_hidden, dtype=dtype)

    return make


@task.probe(
    "each half knows the words on its side",
    "at word j the first half knows the words up to j, the second half those from j on",
    "the order in which a network reads, or where its states are put",
    _ORDER,
)
def knows(answer):
    """One word of four is changed, in a sentence padded to 6."""
    embedded, *others = inputs([4], 6)(Draw("knows"))
    before = answer(embedded, *others)
    if not isinstance(before, torch.Tensor) or before.shape != (1, 6, 6):
        return None  # the next requirement says more
    for word in range(6):
        changed = embedded.clone()
        changed[0, word] += 1.0
        moved = (answer(changed, *others) != before).unflatten(-1, (2, 3)).any(-1)[0]  # (length, half)
        for half, name in enumerate(("first", "second")):
            for row in range(6):
                should = word < 4 and row < 4 and (row <= word if half else row >= word)
                if moved[row, half] != should:
                    what = "knows" if moved[row, half] else "does not know"
                    seen = f"the {name} half of row {row} {what} word {word}"
                    if row >= 4:
                        raise Finding(f"{seen}, though row {row} is padding", "0 past the end of every sentence", _PAST,
                                      _ZERO)  # fmt: skip
                    return seen + (", which is padding" if word >= 4 else "")
    return None


task.require(
    "the states of both directions, the forward half first, and 0 past the end",
    "at each word the state of the forward network, then that of the backward network; 0 past the end",
    [Case("sentences of 6, 2 and 4 words", inputs([6, 2, 4], 6)),
     Case("no padding", inputs([3, 3], 3)),
     Case("as many sentences as words as columns", inputs([4, 1, 3, 2], 4, d_hidden=4)),
     Case("large numbers in the padding", inputs([2, 4], 5, padding=1e3))],
    [Case("one sentence", inputs([4], 5)), Case("float32", inputs([2, 5, 3], 7, dtype=torch.float32)),
     Case("no padding, other sizes", inputs([5, 5], 5, 3, 6)), Case("large numbers in other padding",
     inputs([1, 3, 6], 7, padding=1e3)), Case("as many of everything", inputs([3, 1, 2], 3, 3, 3))],
    _ORDER,
)  # fmt: skip
task.require(
    "the gradient is that of the formula",
    "the derivative with respect to the words and the first state",
    [Case("the gradient, sentences of 3 and 1 words", inputs([3, 1], 4, 2, 3), gradients())],
    [Case("the gradient, other sizes", inputs([2, 4, 1], 5, 3, 2), gradients())],
)


def wrong(change):
    """Make inputs of which one is not as it should be."""
    return lambda draw: change(*inputs([4, 1, 3], 5)(draw))


task.limits(
    "sentences without a word, one word, and wrong input",
    [
        Case("a sentence without a word", inputs([2, 0, 3], 4)),
        Case("no words at all", inputs([0, 0], 2)),
        Case("one word", inputs([1, 1], 1)),
        refusal("embedded words without a batch", wrong(lambda words, *others: (words[0], *others))),
        refusal("lengths of another batch", wrong(lambda words, lengths, *others: (words, lengths[:2], *others))),
        refusal("lengths that are floats", wrong(lambda words, lengths, *others: (words, lengths.double(), *others))),
        refusal("a state of another batch", wrong(lambda *inputs: (*inputs[:4], inputs[4][:1]))),
        refusal("a length above the padded one", wrong(lambda words, lengths, *others: (words, lengths + 2, *others))),
    ],
)
