"""Writes into a weight that needs a gradient."""

SAYS = "leaf"
CHANGES = [
    (
        """            with torch.no_grad():
                weight[:, index""",
        """            if True:
                weight[:, index""",
    ),
]
