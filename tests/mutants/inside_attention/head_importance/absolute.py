"""Returns the size of the change."""

SAYS = "size of the change"
CHANGES = [
    ("drops.append(complete - evaluate())", "drops.append(abs(complete - evaluate()))"),
]
