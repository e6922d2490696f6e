"""Task `bidirectional_encode` of exercise 03."""

import torch

from course_checks.cases import Case, Draw, gradients, refusal
from course_checks.rnn_attention.inputs import toy_cell
from course_checks.rnn_attention.shared import UNIT
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("bidirectional_encode", UNIT)

_ORDER = "print for one short sentence in which order the second network reads the words, and where its states stand"
_OWN_END = "each sentence has an end of its own: which column does its last word have?"
_PAST = "what stands past the end of a sentence is not set to 0"
_HALVES = "the last dimension of the result is twice as wide as a state: the forward half, then the backward half"
_FLIP = "the whole width is turned round (`flip`), so that short sentences begin with their padding"


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


def read(words, lengths, cell, hidden, past="zero"):
    """Read from left to right; return the states at each word and the last one."""
    states = []
    for column in range(words.shape[1]):
        real = (column < lengths).unsqueeze(1)
        hidden = torch.where(real, cell(words[:, column], hidden), hidden)
        states.append(hidden if past == "kept" else hidden.masked_fill(~real, 0.0))
    return torch.stack(states, 1), hidden


def turn(x, lengths, how="own"):
    """Turn each sentence round in front of its padding, or wrongly."""
    length, position = x.shape[1], torch.arange(x.shape[1])
    if how in (None, "flip"):
        return x if how is None else x.flip(1)
    mirrored = lengths.unsqueeze(1) - (1 if how == "own" else 0) - position
    order = {"late, wrapped": mirrored % length, "late, clamped": mirrored.clamp(0, length - 1)}
    index = order.get(how, torch.where(mirrored < 0, position, mirrored))
    return x.gather(1, index.unsqueeze(-1).expand_as(x))


_LATE = Wrong("the index of the turned words is `lengths - k`, one too far",
              "the second network starts one word too late, in the padding, and does not reach the first word",
              "which word is at k = 0?")  # fmt: skip
SECOND = {
    "not turned back": Wrong(
        "the states of the second network are in the order in which it reads; they are not turned round again",
        "in the second half, the first row of a sentence holds the state at its last word", "row j belongs to word j"),
    "from the left": Wrong("the second network reads from left to right too",
                           "the second half does not know the words that come after", _ORDER),
    "turned back only": Wrong("the second network reads from left to right, and its states are turned round", "",
                              _ORDER),
    "flip": Wrong(_FLIP, "the second network starts at the padding", _OWN_END),
    "flip, kept": Wrong(_FLIP, "the second network starts at the padding", _OWN_END),
    "flip, own lengths": Wrong(f"{_FLIP}; with their own lengths they also end before the first word",
                               "the second network starts at the padding, and ends before the first word", _OWN_END),
    "flip, not back": Wrong(f"{_FLIP}, and the states are not flipped back", "", _ORDER),
    "flip, turned back": Wrong(f"{_FLIP}; the states are turned sentence by sentence", "", _OWN_END),
    "flipped back": Wrong(
        "the words are turned round sentence by sentence, their states over the whole width (`flip`)",
        "the second half of a short sentence stands in the wrong columns", "turn the states as you turned the words"),
    "columns": Wrong("the states are collected from the last column to the first, and not turned round again", "",
                     "row j belongs to word j"),
    "late": _LATE,
    "late, wrapped": _LATE,
    "late, clamped": _LATE,
}  # fmt: skip

# How the words are turned for the second network, and how its states are turned back.
WAYS = {
    "turned": ("own", "own"), "not turned back": ("own", None), "from the left": (None, None),
    "turned back only": (None, "own"), "flip, own lengths": ("flip", "flip"), "flip, not back": ("flip", None),
    "flip, kept": ("flip", "flip"), "columns": ("own", "own"),
    "flip, turned back": ("flip", "own"), "flipped back": ("own", "flip"),
}  # fmt: skip


@task.pipeline(
    second=SECOND,
    halves={
        "exchanged": Wrong("the backward states are put first", "the two halves are exchanged", _HALVES),
        "added": Wrong("the two directions are added, or only one of them is returned", "", _HALVES),
        "mean": Wrong("the mean of the two directions is taken", "", _HALVES),
        "only first": Wrong("only one direction is returned", "", _HALVES),
        "stacked": Wrong("the two directions are stacked, not put side by side", "there is a dimension too many",
                         _HALVES),
        "interleaved": Wrong("the columns of the two directions alternate", "", _HALVES),
        "longer": Wrong("the two directions stand one behind the other along the length", "", _HALVES),
        "more": Wrong("the two directions stand one below the other along the batch", "", _HALVES),
        "ends": Wrong("only the final state of each direction is returned", "",
                      "the task asks for the states at all words"),
    },
    state={
        "goes on": Wrong("the second network goes on from the final state of the first one", "",
                         "both directions start from the same state"),
        "zeros": Wrong("`hidden` is not used: both directions start from zeros", "", "what is `hidden` for?"),
        "zeros second": Wrong("`hidden` is used in the first direction only; the second starts from zeros", "",
                              "both directions start from the same state"),
        "reset": Wrong("the state becomes 0 at padding, so that a short sentence does not start from `hidden`", "",
                       "which state should the second network have when it comes to the last word of a sentence?"),
        "last column": Wrong("the second network starts from the last column of the first one's states", "",
                             "both directions start from the same state"),
        "zeros first": Wrong("`hidden` is used in the second direction only; the first starts from zeros", "",
                             "both directions start from the same state"),
    },
    cells={
        "exchanged": Wrong("the two cells are exchanged", "the first half was computed with backward_cell",
                           "which of the cells reads from left to right?"),
        "forward": Wrong("`backward_cell` is not used: both directions have forward_cell", "",
                         "look at the call for the second direction"),
        "backward": Wrong("`forward_cell` is not used: both directions have backward_cell", "",
                          "look at the call for the first direction"),
    },
    past={
        "kept": Wrong(_PAST, "states past the end are not 0",
                      "set the states past the end to 0, in both halves"),
        "kept second": Wrong("what stands past the end of a sentence is not set to 0 in the second half",
                             "states past the end are not 0", "set the states past the end to 0, in both halves"),
        "kept first": Wrong("what stands past the end of a sentence is not set to 0 in the first half",
                            "states past the end are not 0", "set the states past the end to 0, in both halves"),
    },
)  # fmt: skip
def bidirectional_encode(
    embedded, lengths, forward_cell, backward_cell, hidden,
    *, second="turned", halves="side by side", state="hidden", cells="each", past="zero",
):  # fmt: skip
    """Read with one choice for each part."""
    nothing, full = torch.zeros_like(hidden), torch.full_like(lengths, embedded.shape[1])
    one, other = {"exchanged": (backward_cell, forward_cell), "forward": (forward_cell,) * 2,
                  "backward": (backward_cell,) * 2}.get(cells, (forward_cell, backward_cell))  # fmt: skip
    kept = [("zero", "kept")[past in ("kept", which)] for which in ("kept first", "kept second")]
    start = nothing if state in ("zeros", "zeros first") else hidden
    from_left, final = read(embedded, lengths, one, start, kept[0])
    short = (lengths < embedded.shape[1]).unsqueeze(1)
    start = {"goes on": final, "zeros": nothing, "zeros second": nothing, "last column": from_left[:, -1],
             "reset": hidden.masked_fill(short, 0.0)}.get(state, hidden)  # fmt: skip
    there, back = WAYS.get(second, (second, second))
    states, last = read(
        turn(embedded, lengths, there), full if second in ("flip", "flip, kept") else lengths, other, start, kept[1]
    )
    from_right = turn(states, lengths, back)
    from_right = from_right.flip(1) if second == "columns" else from_right
    if kept[1] == "kept" and second == "turned":  # as a loop from the last column to the first would leave it
        past_end = torch.arange(embedded.shape[1]) >= lengths.unsqueeze(1)
        from_right = torch.where(past_end.unsqueeze(-1), start.unsqueeze(1), from_right)
    elif second in ("flip", "late, clamped") and kept[1] == "zero":
        from_right = from_right * (torch.arange(embedded.shape[1]) < lengths.unsqueeze(1)).unsqueeze(-1)
    both = from_left, from_right
    if halves == "ends":
        return torch.cat([final, last], -1)
    if halves in ("added", "mean", "only first"):
        return from_left if halves == "only first" else (from_left + from_right) / (1 + (halves == "mean"))
    if halves in ("stacked", "interleaved"):
        return torch.stack(both, 2) if halves == "stacked" else torch.stack(both, -1).flatten(2)
    return torch.cat(both[::-1] if halves == "exchanged" else both, {"longer": 1, "more": 0}.get(halves, -1))


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
                                      "set the states past the end to 0, in both halves")  # fmt: skip
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
