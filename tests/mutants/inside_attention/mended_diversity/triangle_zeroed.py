"""Keeps one triangle, and takes the mean of everything."""

SAYS = "half of the table"
CHANGES = [
    ("return cosines[:, different].mean().item()", "return cosines.triu(1).mean().item()"),
]
