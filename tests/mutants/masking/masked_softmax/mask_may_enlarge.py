"""Lets a mask add dimensions."""

SAYS = "a mask with a dimension more"
CHANGES = [
    (
        "torch.broadcast_shapes(mask.shape, scores.shape) == scores.shape",
        "torch.broadcast_shapes(mask.shape, scores.shape) is not None",
    ),
]
