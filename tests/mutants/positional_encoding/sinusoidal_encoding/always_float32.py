"""Fixes the dtype."""

SAYS = "made without a dtype"
CHANGES = [
    ("return encoding", "return encoding.float()"),
]
