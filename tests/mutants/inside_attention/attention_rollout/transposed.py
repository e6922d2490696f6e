"""Returns the table with rows and columns exchanged."""

SAYS = "a transpose too many"
CHANGES = [
    ("return rollout", "return rollout.T"),
]
