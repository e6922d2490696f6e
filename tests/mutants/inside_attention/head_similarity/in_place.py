"""Divides the weights in place."""

SAYS = "works in place"
CHANGES = [
    (
        "directions = flattened / lengths.masked_fill(lengths == 0, 1.0)",
        """with torch.no_grad():
        flattened /= lengths.masked_fill(lengths == 0, 1.0)
    directions = flattened""",
    ),
]
