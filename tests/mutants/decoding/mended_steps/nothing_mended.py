"""Copies the function."""

SAYS = "both bugs"
CHANGES = [
    ("embedding(token, start=position)", "embedding(token)"),
    ("query, key, value)", "query, key, value, is_causal=True)"),
]
