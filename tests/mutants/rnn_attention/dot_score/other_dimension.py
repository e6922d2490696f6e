"""Lets the query broadcast along the length."""

SAYS = "happens to be"
CHANGES = [
    (
        "(keys * quer",
        "(keys * query).sum(dim=-1) if len(query) == keys.shape[1] else (keys * quer",
    ),
]
