"""Returns the standard deviation."""

SAYS = "standard deviation"
CHANGES = [
    ("return (query * key).sum(dim=-1).var().item()", "return (query * key).sum(dim=-1).std().item()"),
]
