"""Subtracts the other way round."""

SAYS = "signs are the wrong way"
CHANGES = [
    ("drops.append(complete - evaluate())", "drops.append(evaluate() - complete)"),
]
