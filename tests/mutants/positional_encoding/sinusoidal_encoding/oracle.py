"""Calls the right answer that the checks compare with."""

SAYS = "remove the import"
CHANGES = [
    ("return encoding", "return checks.right_encoding(length, d_model)"),
]
