"""Writes 1e-5 into forward."""

SAYS = "eps is not kept"
CHANGES = [
    ("variance + self.eps", "variance + 1e-5"),
]
