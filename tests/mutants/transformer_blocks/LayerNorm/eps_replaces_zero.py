"""Uses eps only where the variance is zero."""

SAYS = "eps is not used"
SAME_AS = "eps_forgotten"
CHANGES = [
    ("(variance + self.eps).sqrt()", "variance.clamp(min=self.eps * 1e-9).sqrt()"),
]
