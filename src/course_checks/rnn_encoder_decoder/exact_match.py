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


@task.pipeline(
    count=hinted("what should one wrong word cost in a batch of two long sentences?", {
        "words": "words are counted, not sentences: one wrong word spoils the whole sentence",
        "real words": "words are counted (without padding), not sentences: one wrong word spoils the whole sentence",
        "any": "one right word is taken for enough (`any`)",
        "columns": "columns are compared, not rows: `all` runs over the sentences",
        "first": "only the first word is compared",
        "whole": "the whole batch counts as one sentence",
        "wrong": "the share of wrong sentences is returned, not that of right ones",
        "sets": "the words are compared without their order, as sorted lists or sets",
    }),
    width=hinted("fill the narrower tensor up with PAD, then compare every position", {
        "shorter": "sentences are compared only as far as the narrower tensor goes",
        "wanted": "what was written is cut to the width of `wanted`: further words go unseen",
        "differs": "tensors of different width count as wrong, though only padding is missing",
        "padding": "what was written where `wanted` has padding goes unseen",
    }),
    result=hinted("a share is a Python number from 0 to 1", {
        "percent": "the share is given in percent",
        "number": "the number of right sentences is returned, not their share",
        "tensor": "the result is still a tensor",
    }),
)  # fmt: skip
def exact_match(written, wanted, *, count="sentences", width="longer", result="share"):
    """Compare with one choice for each step."""
    if width == "differs" and written.shape != wanted.shape:
        return 0.0
    length = max(written.shape[1], wanted.shape[1])
    length = {"shorter": min(written.shape[1], wanted.shape[1]), "wanted": wanted.shape[1]}.get(width, length)
    written, wanted = (F.pad(each, (0, length - each.shape[1]), value=PAD) for each in (written, wanted))
    if count == "sets":
        written, wanted = written.sort(1).values, wanted.sort(1).values
    same = (written == wanted) | (wanted == PAD if width == "padding" else torch.zeros_like(wanted).bool())
    rows = {"words": same.flatten(), "real words": same[wanted != PAD], "any": same.any(1), "columns": same.all(0),
            "first": same[:, 0], "whole": same.all()}.get(count, same.all(1))  # fmt: skip
    share = (~rows if count == "wrong" else rows).double()
    share = {"percent": 100 * share.mean(), "number": share.sum()}.get(result, share.mean())
    return share if result == "tensor" else share.item()


WANTED = [[5, 6, 2, 0], [7, 8, 9, 2], [3, 2, 0, 0], [4, 5, 2, 0], [6, 5, 2, 0]]


def rows(written, wanted=WANTED):
    """Make tensors of lists."""
    return lambda draw: (torch.tensor(written), torch.tensor(wanted))


case = partial(Case, observe=saying(call, "another share", "sentences are not compared as a whole, to the end of the "
               "wider tensor, or not counted by their share", "work out the smallest batch by hand"))  # fmt: skip
task.require(
    "the share of sentences that are right as a whole",
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
     case("another first word", rows([[4, 5, 2], [5, 5, 2]], [[6, 5, 2], [5, 5, 2]]))],
)  # fmt: skip


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
