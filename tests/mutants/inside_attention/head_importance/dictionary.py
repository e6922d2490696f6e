"""Returns a dictionary."""

SAYS = "a dictionary is returned"
CHANGES = [
    ("return drops", "return dict(enumerate(drops))"),
]
