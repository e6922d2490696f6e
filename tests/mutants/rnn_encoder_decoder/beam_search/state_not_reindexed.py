"""Leaves the rows of the state where they are."""

SAYS = "states are not re-indexed"
CHANGES = [
    (
        "tensor[keep])",
        "tensor[torch.arange(len(keep)) % len(tensor)])",
    ),
]
