"""Takes the root of the variance before eps is added, so that its gradient is infinite at 0."""

SAYS = "NaN or infinity"
CHANGES = [
    ("(variance + self.eps).sqrt()", "(variance.sqrt().square() + self.eps).sqrt()"),
]
