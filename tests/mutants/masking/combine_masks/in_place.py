"""Changes the first mask."""

SAYS = "works in place"
CHANGES = [
    (
        "combined = mask if combined is None else combined & mask",
        """if combined is None:
                combined = mask
            elif torch.broadcast_shapes(combined.shape, mask.shape) == combined.shape:
                combined &= mask
            else:
                combined = combined & mask""",
    ),
]
