"""Divides by the standard deviation alone."""

SAYS = "eps is not used"
CHANGES = [
    ("(variance + self.eps).sqrt()", "variance.sqrt()"),
]
