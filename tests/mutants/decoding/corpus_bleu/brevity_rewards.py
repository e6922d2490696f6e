"""Lets the brevity penalty exceed 1."""

SAYS = "also rewards"
CHANGES = [("math.exp(min(0.0, 1 - wanted / written))", "math.exp(1 - wanted / written)")]
