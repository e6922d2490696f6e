"""Divides by the score, whatever its sign."""

SAYS = "divided by the complete score"
CHANGES = [
    ("drops.append(complete - evaluate())", "drops.append((complete - evaluate()) / complete)"),
]
