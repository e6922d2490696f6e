"""Adds a dimension for the batch."""

SAYS = "a dimension too many"
CHANGES = [
    ("return encoding", "return encoding.unsqueeze(0)"),
]
