"""The predictions of exercise 16: which changes move the logits of a caption model."""

import torch
from torch.nn.functional import pad

from course_checks.cases import Draw
from course_checks.images_and_words.shared import Captioner
from course_checks.modules import built
from course_checks.predictions import Predictions

KEYS = ("memory rows shuffled", "patches of the picture shuffled", "one memory row twice", "pooled memory twice",
        "PAD after the caption")  # fmt: skip


def _measure() -> list[str]:
    model = built(Captioner, 8, 4, 1, 11, 8, 2, 1, 12)
    pooled = built(Captioner, 8, 4, 1, 11, 8, 2, 1, 12, pooled=True)
    images, target = Draw("images")(1, 1, 8, 8, dtype=torch.float64), torch.tensor([[1, 4, 5, 6]])
    memory, one = model.encode(images), pooled.encode(images)
    before = model.decode(target, memory)
    pairs = (
        (before, model.decode(target, memory.flip(1))),
        (before, model(images.roll(4, dims=3), target)),  # the two columns of patches change places
        (before, model.decode(target, torch.cat([memory, memory[:, :1]], dim=1))),
        (pooled.decode(target, one), pooled.decode(target, torch.cat([one, one], dim=1))),
        (before, model.decode(pad(target, (0, 2)), memory)[:, :4]),
    )
    return ["moves" if (after - first).abs().max() > 1e-6 else "stays" for first, after in pairs]


predictions = Predictions(KEYS, _measure, "the cell after task 4", ("moves", "stays"))
