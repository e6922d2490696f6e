"""Forgets `.item()`."""

SAYS = "still a tensor"
CHANGES = [
    ("return (query * key).sum(dim=-1).var().item()", "return (query * key).sum(dim=-1).var()"),
]
