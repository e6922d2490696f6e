"""Task `exact_match` of exercise 02, and the predictions that its experiment answers."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from course_checks.cases import Case, call
from course_checks.predictions import Predictions, tendency
from course_checks.rnn_encoder_decoder.shared import UNIT, hinted, saying
from course_checks.task import Task
from transformer_course.common.tokens import BOS, EOS, PAD

task = Task("exact_match", UNIT)


@task.oracle
def right(written, wanted):
    """Compare lists without their padding."""
    rows = ([[token for token in row if token != PAD] for row in each.tolist()] for each in (written, wanted))
    pairs = list(zip(*rows, strict=True))
    return sum(one == other for one, other in pairs) / len(pairs)


# fmt: off
_COUNT = "what should one wrong word cost in a batch of two long sentences?"
task.edit(".all(dim=1)", hinted(_COUNT, {
    "": "words are counted, not sentences: one wrong word spoils the whole sentence",
    "[wanted != PAD]":
        "words are counted (without padding), not sentences: one wrong word spoils the whole sentence",
    ".any(dim=1)": "one right word is taken for enough (`any`)",
    ".all(dim=0)": "columns are compared, not rows: `all` runs over the sentences",
    "[:, 0]": "only the first word is compared",
    ".all()": "the whole batch counts as one sentence",
    ".all(dim=1).logical_not()": "the share of wrong sentences is returned, not that of right ones"}))
_FILL = "fill the narrower tensor up with PAD, then compare every position"
task.edit("(written == wanted)", {
    "(written.sort(dim=1).values == wanted.sort(dim=1).values)": (
        "the words are compared without their order, as sorted lists or sets", _COUNT),
    "((written == wanted) | (wanted == PAD))": ("what was written where `wanted` has padding goes unseen", _FILL)})
task.edit("length = max(written.shape[1], wanted.shape[1])", hinted(_FILL, {
    "length = min(written.shape[1], wanted.shape[1])":
        "sentences are compared only as far as the narrower tensor goes",
    "length = wanted.shape[1]": "what was written is cut to the width of `wanted`: further words go unseen",
    "if written.shape != wanted.shape:\n    return 0.0\nlength = wanted.shape[1]":
        "tensors of different width count as wrong, though only padding is missing"}))
task.edit("F.pad(each, (0, length - each.shape[1]), value=PAD)", {"each": (
    "tensors of different width are compared: what was written may be wider or narrower than `wanted`", _FILL)})
task.edit(".mean().item()", hinted("a share is a Python number from 0 to 1", {
    ".mean().item() * 100": "the share is given in percent",
    ".sum().item()": "the number of right sentences is returned, not their share",
    ".mean()": "the result is still a tensor"}))
# fmt: on


WANTED = [[5, 6, 2, 0], [7, 8, 9, 2], [3, 2, 0, 0], [4, 5, 2, 0], [6, 5, 2, 0]]


def rows(written, wanted=WANTED):
    """Make tensors of lists."""
    return lambda draw: (torch.tensor(written), torch.tensor(wanted))


case = partial(Case, observe=saying(call, "another share", "sentences are not compared as a whole, to the end of the "
               "wider tensor, or not counted by their share", "work out the smallest batch by hand"))  # fmt: skip
task.require("the share of sentences that are right as a whole",
             "the number of sentences that are right up to EOS, divided by that of all",
             [case("3 of 5 are right", rows([WANTED[0], [7, 8, 3, 2], *WANTED[2:4], [5, 6, 2, 0]])),
              case("what was written is wider, and right", rows([[*row, 0, 0] for row in WANTED])),
              case("what was written is wider, and 4 of 5 go on after EOS", rows([[*row, 5] for row in WANTED])),
              case("what was written goes on where the padding should be", rows([[5, 6, 2, 4], *WANTED[1:]])),
              case("what was written is narrower", rows([row[:3] for row in WANTED]))],
             [case("one sentence", rows([[4, 2]], [[4, 2, 0]])),
              case("nothing right", rows([[4, 4, 2], [5, 2, 0]], [[4, 2, 0], [5, 5, 2]])),
              case("all right", rows([[4, 2], [5, 2]], [[4, 2], [5, 2]])),
              case("much padding", rows([[4, 2, 0, 0, 0, 0], [5, 6, 7, 8, 9, 2]], [[4, 2], [5, 6]])),
              case("cut short", rows([[4, 5]], [[4, 5, 6, 2]])),
              case("another first word", rows([[4, 5, 2], [5, 5, 2]], [[6, 5, 2], [5, 5, 2]]))])  # fmt: skip


def _measure() -> tuple[str, ...]:
    """Train a model of torch's layers as the notebook trains its own, and copy 4 and 8 words."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        embedding, to_logits = nn.Embedding(11, 48), nn.Linear(48, 11)
        reader, writer = nn.GRU(48, 48, batch_first=True), nn.GRU(48, 48, batch_first=True)
        parameters = [weight for layer in (embedding, to_logits, reader, writer) for weight in layer.parameters()]
        optimizer = torch.optim.Adam(parameters, lr=5e-3)
        for _ in range(500):
            words = torch.randint(3, 11, (64, int(torch.randint(1, 5, ()))))
            states, _ = writer(embedding(F.pad(words, (1, 0), value=BOS)), reader(embedding(words))[1])
            loss = F.cross_entropy(to_logits(states).flatten(0, 1), F.pad(words, (0, 1), value=EOS).flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
        measured = []
        for length in (4, 8):
            words, tokens = torch.randint(3, 11, (400, length)), torch.full((400, 1), BOS)
            state, columns = reader(embedding(words))[1], []
            for _ in range(length + 1):
                outputs, state = writer(embedding(tokens), state)
                tokens = to_logits(outputs).argmax(-1)
                columns.append(tokens)
            written = torch.cat(columns, 1)
            written = written.masked_fill((written == EOS).cumsum(1) - (written == EOS).long() > 0, PAD)
            first, number = (written[:, 0] == words[:, 0]).double().mean(), (written > EOS).sum(1).double().mean()
            measured.append((right(written, F.pad(words, (0, 1), value=EOS)), first.item(), number.item()))
    return tuple(tendency(short, long) for short, long in zip(*measured, strict=True))


predictions = Predictions(("copied exactly", "first word right", "words written"), _measure, "task 7")
