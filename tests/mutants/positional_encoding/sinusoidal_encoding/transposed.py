"""Writes positions from left to right."""

SAYS = "a transpose too many"
CHANGES = [
    ("return encoding", "return encoding.T"),
]
