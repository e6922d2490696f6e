"""Task `encode` of exercise 02."""

import torch

from course_checks.cases import Case, Draw, gradients, refusal
from course_checks.rnn_encoder_decoder.models import Cell
from course_checks.rnn_encoder_decoder.shared import UNIT, hinted
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("encode", UNIT, ("gru", "rnn_tanh", "rnn_relu", "lstm", "pack_padded"))

_KEEP = "take a sentence of one word, padded to three: which state is the final one, and what are the three outputs?"
_LAST = "print the state after each word of the shortest sentence, and compare with what you return"


@task.oracle
def right(embedded, lengths, cell, hidden):
    """Read each sentence alone, without its padding, and put the results together."""
    outputs, finals = [], []
    for row, real in enumerate(lengths.tolist()):
        states = [hidden[row : row + 1]]
        for position in range(real):
            states.append(cell(embedded[row : row + 1, position], states[-1]))
        padding = hidden.new_zeros(embedded.shape[1] - real, hidden.shape[1])
        outputs.append(torch.cat([*states[1:], padding]))
        finals.append(states[-1])
    if not outputs:
        return hidden.new_zeros(0, embedded.shape[1], hidden.shape[1]), hidden
    return torch.stack(outputs), torch.cat(finals)


@task.pipeline(
    start=hinted("`hidden` is the state before the first word", {
        "zeros": "the reading starts from zeros: `hidden` is not used"}),
    handed=hinted("the cell needs the state that it returned for the word before", {
        "first": "every word is read with the first state: the new state is not handed on"}),
    order=hinted("print the positions that your loop visits", {
        "backwards": "the sentences are read from the end",
        "one less": "the loop ends one position too early",
        "to the longest": "the loop ends at the longest sentence: the outputs lack columns for the rest of the padding",
    }),
    real=hinted(_KEEP, {
        "all": "the cell reads the padding too, and moves the state there",
        "late": "one position too many counts as real (`<=` for `<`)",
        "early": "the last word of a sentence is not read",
        "turned": "the condition is turned around: words are skipped, and padding is read",
    }),
    past=hinted(_KEEP, {"kept": "the outputs past the end of a sentence are not set to 0"}),
    final={
        "zero": Wrong("the final state is looked up where the outputs are 0 (in the last column, or one position too "
                      "late), or the state itself is set to 0 at the padding",
                      "the final state of a sentence with padding is 0", _KEEP),
        "lengths - 1": Wrong("the final state is looked up at `lengths - 1`, which is the last column for a sentence "
                             "without words", "the final state of a sentence without words is not `hidden`",
                             "which position does the index -1 mean?"),
    } | hinted(_LAST, {
        "clamped": "the final state of a sentence without words is that after one word, read from the padding",
        "lengths - 2": "the final state is the one before the last word",
        "mean": "the final state is a mean over the positions",
    }) | hinted("compare what you return with the third bullet of the task: a pair, and the shapes of its parts", {
        "alone": "the final state alone is returned, not a pair",
        "none": "the outputs alone are returned, not a pair",
        "length first": "the length stands in the first dimension of the outputs",
    }),
)  # fmt: skip
def encode(
    embedded, lengths, cell, hidden, *, start="hidden", handed="on", order="forwards", real="words", past="zero",
    final="state",
):  # fmt: skip
    """Read a batch with one choice for each step."""
    batch, length, _ = embedded.shape
    first = torch.zeros_like(hidden) if start == "zeros" else hidden
    state, read, outputs, positions = first, [], [], list(range(length))
    positions = positions[: int(lengths.max())] if order == "to the longest" else positions
    positions = positions[:-1] if order == "one less" else positions
    for position in positions[::-1] if order == "backwards" else positions:
        limit = {"late": lengths + 1, "early": lengths - 1}.get(real, lengths)
        counts = (position < limit).unsqueeze(1) if real != "all" else torch.ones(batch, 1, dtype=torch.bool)
        counts = ~counts if real == "turned" else counts
        after = cell(embedded[:, position], first if handed == "first" else state)
        state = torch.where(counts, after, state)
        read.append(after if final == "clamped" else state)
        outputs.append(state.masked_fill((position >= lengths).unsqueeze(1) & (past != "kept"), 0.0))
    outputs = outputs[::-1] if order == "backwards" else outputs
    read, outputs = torch.stack(read, 1), torch.stack(outputs, 1)
    rows, last = torch.arange(batch), outputs.shape[1] - 1
    if final in ("alone", "none"):
        return state if final == "alone" else outputs
    state = {
        "zero": lambda: outputs[:, -1],
        "lengths - 1": lambda: outputs[rows, lengths - 1],
        "clamped": lambda: read[rows, (lengths - 1).clamp(0, last)],
        "lengths - 2": lambda: outputs[rows, (lengths - 2).clamp(min=0)],
        "mean": lambda: outputs.mean(1),
    }.get(final, lambda: state)()
    return outputs.transpose(0, 1) if final == "length first" else outputs, state


def inputs(lengths, length, d=3, d_hidden=5, dtype=torch.float64, loud=False, change=lambda *given: given):
    """Draw sentences, padded; ``loud`` puts large numbers into the padding, ``change`` changes all arguments."""

    def make(draw):
        embedded = draw(len(lengths), length, d, dtype=dtype)
        if loud:
            embedded[torch.arange(length) >= torch.tensor(lengths)[:, None]] *= 1e3
        real = torch.tensor(lengths, dtype=torch.long)
        return change(embedded, real, Cell(d, d_hidden, dtype), draw(len(lengths), d_hidden, dtype=dtype))

    return make


@task.probe(
    "what stands in the padding changes nothing",
    "the same outputs and the same final state, whatever the padding holds",
    "the cell reads the padding, and its result is used: in the final state, or in the outputs past the end",
    _KEEP,
)
def padding(answer):
    """3 sentences of 4, 2 and 3 words, padded to 5, once with other numbers in the padding."""
    results = []
    for loud in (False, True):
        result = answer(*inputs((4, 2, 3), 5, loud=loud)(Draw("padding")))
        results.append(result if type(result) in (tuple, list) else (result,))
    for name, quiet, loud in zip(("outputs change", "final state changes"), *results, strict=False):
        if quiet.shape == loud.shape and not torch.allclose(quiet, loud):
            return f"the {name} when the padding holds other numbers"
    return None


PAIR = "the state after each word with 0 past the end, and the state after the last word"
task.require(
    "the outputs with 0 past the end, and the final state",
    PAIR,
    [Case("3 sentences of 5, 2 and 1 words, padded to 5", inputs((5, 2, 1), 5)),
     Case("2 sentences of 2 and 4 words, padded to 6", inputs((2, 4), 6)),
     Case("2 sentences of 3 words, no padding", inputs((3, 3), 3, dtype=torch.float32))],
    [Case("one sentence", inputs((4,), 5)), Case("as many of all", inputs((4, 1, 3, 2), 4, 4, 4)),
     Case("no padding", inputs((4, 4), 4, 2, 3)), Case("all shorter than the padding", inputs((2, 4, 3), 6, 4, 3)),
     Case("float32, with large numbers in the padding", inputs((1, 5, 3), 5, 2, 6, torch.float32, loud=True))],
    _LAST,
)  # fmt: skip
task.require(
    "the gradients reach the first word",
    "the derivative with respect to the words and to the first state, through all words between",
    [Case("the gradient of the outputs; 4 and 2 words", inputs((4, 2), 4, 2, 3), gradients(0)),
     Case("the gradient of the final state; 4 and 2 words", inputs((4, 2), 4, 2, 3), gradients(1))],
    [Case("the gradient of the final state; 3 sentences", inputs((3, 5, 1), 5, 4, 2), gradients(1))],
)  # fmt: skip


def wrong(situation, argument, change):
    """Make the case of arguments of which one is wrong."""
    return refusal(situation, inputs((2, 3), 3, change=change), argument)


task.limits(
    "sentences without words, a length of 0, a batch of 0, and wrong input",
    [
        Case("4 sentences of 6, 3, 1 and 0 words", inputs((6, 3, 1, 0), 6)),
        Case("no sentence has words", inputs((0, 0), 2)),
        Case("a length of 0", inputs((0, 0), 0)),
        Case("a batch of 0", inputs((), 4)),
        wrong("words without a batch", "embedded", lambda e, lengths, cell, h: (e[0], lengths, cell, h)),
        wrong("lengths of another batch", "lengths", lambda e, lengths, cell, h: (e, lengths[:1], cell, h)),
        wrong("lengths that are floats", "lengths", lambda e, lengths, cell, h: (e, lengths.double(), cell, h)),
        wrong("a length below 0", "lengths", lambda e, lengths, cell, h: (e, lengths - 3, cell, h)),
        wrong("a length above the padded one", "lengths", lambda e, lengths, cell, h: (e, lengths + 1, cell, h)),
        wrong("a state of another batch", "hidden", lambda e, lengths, cell, h: (e, lengths, cell, h[:1])),
    ],
    f"{PAIR}; for a sentence without words that is `hidden`",
)
