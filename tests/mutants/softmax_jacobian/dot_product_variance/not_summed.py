"""Takes the variance of the single products."""

SAYS = "products are not summed"
CHANGES = [
    ("return (query * key).sum(dim=-1).var().item()", "return (query * key).var().item()"),
]
