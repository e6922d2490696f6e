"""The predictions of exercise 15: what moves the logits of a Vision Transformer with random weights."""

import torch

from course_checks.modules import built
from course_checks.predictions import Predictions
from course_checks.subject import unwrapped
from course_checks.vision_transformer.vision_transformer import Right


def _measure():
    def moved(change=None, swap=(), more=0.0):
        model = built(Right, 6, 2, 1, 5, 12, 3, 2, 20)
        images = torch.arange(36.0).view(1, 1, 6, 6).double().sin()
        other = images.clone()
        if swap:
            (a, b), (c, d) = swap
            other[..., a : a + 2, b : b + 2] = images[..., c : c + 2, d : d + 2]
            other[..., c : c + 2, d : d + 2] = images[..., a : a + 2, b : b + 2]
        with torch.no_grad():
            before = None
            if change == "rows alike":
                unwrapped(model).rows.copy_(unwrapped(model).rows[:1].expand(3, -1))
            elif change == "zero":
                unwrapped(model).rows.zero_(), unwrapped(model).columns.zero_()
            before = model(images)
            if change == "exchanged":
                raw = unwrapped(model)
                token, place = raw.class_token.clone(), raw.class_position.clone()
                raw.class_token.copy_(place[None]), raw.class_position.copy_(token[0])
            return "moves" if (model(other + more) - before).abs().max() > 1e-6 else "stays"

    column, row = ((0, 2), (4, 2)), ((2, 0), (2, 4))
    return [
        moved(swap=column),
        moved("zero", column),
        moved("rows alike", column),
        moved("rows alike", row),
        moved("exchanged"),
        moved(more=0.5),
    ]


predictions = Predictions(
    ("swapped", "swapped, no positions", "swapped in a column, rows alike", "swapped in a row, rows alike",
     "class token and its position exchanged", "every pixel brighter"),
    _measure,
    "the cell after task 6",
    ("moves", "stays"),
)  # fmt: skip
