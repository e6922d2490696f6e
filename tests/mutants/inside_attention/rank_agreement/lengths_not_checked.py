"""Cuts the longer list."""

SAYS = "unlike lengths"
SAME_AS = "no_validation"
CHANGES = [
    ("len(first) != len(second) or ", ""),
]
