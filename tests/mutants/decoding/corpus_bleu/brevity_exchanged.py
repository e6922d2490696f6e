"""Exchanges the lengths."""

SAYS = "two lengths exchanged"
CHANGES = [("1 - wanted / written", "1 - written / max(wanted, 1)")]
