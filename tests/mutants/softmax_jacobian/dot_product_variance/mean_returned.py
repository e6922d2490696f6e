"""Returns the mean."""

SAYS = "the mean is returned"
CHANGES = [
    ("return (query * key).sum(dim=-1).var().item()", "return (query * key).sum(dim=-1).mean().item()"),
]
