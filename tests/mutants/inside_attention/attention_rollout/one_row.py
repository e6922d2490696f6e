"""Returns the last row only."""

SAYS = "averaged or summed"
CHANGES = [
    ("return rollout", "return rollout[-1]"),
]
