"""Ignores what is too much."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if len(hypotheses) != len(references):", "if False:"),
    ("zip(hypotheses, references, strict=True)", "zip(hypotheses, references, strict=False)"),
]
