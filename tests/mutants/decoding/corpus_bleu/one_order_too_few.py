"""Ends at max_order - 1."""

SAYS = "leaves its end out"
CHANGES = [
    ("range(1, max_order + 1)", "range(1, max(max_order, 2))"),
    ("(1 / max_order)", "(1 / max(max_order - 1, 1))"),
]
