"""Has another default."""

SAYS = "another default"
CHANGES = [("alpha: float = 0.6", "alpha: float = 1.0")]
