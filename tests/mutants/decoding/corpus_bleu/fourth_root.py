"""Takes the fourth root, whatever max_order is."""

SAYS = "always the fourth one"
CHANGES = [("(1 / max_order)", "(1 / 4)")]
