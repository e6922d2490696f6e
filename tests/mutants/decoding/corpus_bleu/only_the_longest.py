"""Counts only the longest n-grams."""

SAYS = "only the longest"
CHANGES = [("range(1, max_order + 1)", "range(max_order, max_order + 1)"), ("(1 / max_order)", "1.0")]
