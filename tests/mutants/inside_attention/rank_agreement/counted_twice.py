"""Counts every pair twice."""

SAYS = "every pair is counted twice"
CHANGES = [
    ("for i in range(j):", "for i in range(len(first)):"),
    ("pairs += 1", "pairs += i < j"),
]
