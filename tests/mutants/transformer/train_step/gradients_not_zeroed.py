"""Leaves the old gradients in place."""

SAYS = "the gradients of the last call are still there"
CHANGES = [
    (
        """    optimizer.zero_grad()
""",
        "",
    ),
]
