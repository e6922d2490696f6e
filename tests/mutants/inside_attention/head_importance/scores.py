"""Returns the scores."""

SAYS = "not subtracted"
CHANGES = [
    ("drops.append(complete - evaluate())", "drops.append(evaluate())"),
]
