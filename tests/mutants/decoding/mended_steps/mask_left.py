"""Mends the position only."""

SAYS = "first key alone"
CHANGES = [("query, key, value)", "query, key, value, is_causal=True)")]
