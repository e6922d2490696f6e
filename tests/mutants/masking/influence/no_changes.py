"""Trusts in gradients alone."""

SAYS = "the numbers are not changed"
CHANGES = [
    ("for changed in (attention(query, other_key, value), attention(query, key, other_value)):", "for changed in ():"),
]
