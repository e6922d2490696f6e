"""Keeps the table of the first call."""

SAYS = "shape"
CHANGES = [
    (
        "    positions = torch",
        """    kept = globals().setdefault('kept_table', {})
    if d_model in kept:
        return kept[d_model]
    positions = torch""",
    ),
    ("return encoding", "return kept.setdefault(d_model, encoding)"),
]
