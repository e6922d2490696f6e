"""Builds the list from the last head to the first."""

SAYS = "from the last to the first"
CHANGES = [
    ("torch.cat(heads", "torch.cat(heads[::-1]"),
]
