"""Forgets the root."""

SAYS = "by the variance, not by its root"
CHANGES = [
    ("(variance + self.eps).sqrt()", "(variance + self.eps)"),
]
