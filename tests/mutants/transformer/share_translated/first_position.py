"""Reads the first position of the logits."""

SAYS = "another position"
CHANGES = [
    (")[:, -1]", ")[:, 0]"),
]
