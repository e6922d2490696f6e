"""Leaves leading dimensions that do not fit to torch."""

SAYS = "leading dimensions that do not fit"
CHANGES = [
    ("torch.broadcast_shapes(query.shape[:-2], key.shape[:-2])", "pass"),
]
