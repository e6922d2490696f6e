"""Counts words."""

SAYS = "single words are counted"
CHANGES = [
    ("return right.all(dim=1).double().mean().item()", "return right[labels != PAD].double().mean().item()"),
]
