"""Believes that nothing comes after padding."""

SAYS = "in this situation too"
CHANGES = [
    (
        "real = labels != pad_id",
        "real = (labels != pad_id).long().cumprod(dim=1).bool()",
    ),
]
