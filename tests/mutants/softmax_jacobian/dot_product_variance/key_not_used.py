"""Sums the numbers of the query, whose variance is d_k too."""

SAYS = "query and key do not meet"
CHANGES = [
    ("return (query * key).sum(dim=-1).var().item()", "return query.sum(dim=-1).var().item()"),
]
