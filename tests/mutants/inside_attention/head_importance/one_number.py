"""Returns the sum."""

SAYS = "one number for all"
CHANGES = [
    ("return drops", "return sum(drops)"),
]
