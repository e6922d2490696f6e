"""Compares with 0 whatever pad_id is."""

SAYS = "`pad_id` is not used"
CHANGES = [
    (
        "real = labels != pad_id",
        "real = labels != PAD",
    ),
]
