"""Believes that the gain is counted from one."""

SAYS = "1 is added to weight"
CHANGES = [
    ("* self.weight", "* (1 + self.weight)"),
]
