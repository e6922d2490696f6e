"""Cuts the first layer off."""

SAYS = "no gradient reaches"
CHANGES = [
    ("self.dropout(hidden)", "self.dropout(hidden.detach())"),
]
