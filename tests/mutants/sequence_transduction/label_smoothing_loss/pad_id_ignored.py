"""Compares with 0 whatever pad_id is."""

SAYS = "`pad_id` is not used"
CHANGES = [
    (
        "labels == pad_id",
        "labels == PAD",
    ),
]
