"""Takes the ratio of the lengths as the penalty."""

SAYS = "without exp"
CHANGES = [("math.exp(min(0.0, 1 - wanted / written))", "min(1.0, written / max(wanted, 1))")]
