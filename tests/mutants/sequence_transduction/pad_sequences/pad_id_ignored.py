"""Pads with 0 whatever is asked."""

SAYS = "`pad_id` is not used"
CHANGES = [
    (
        "longest), pad_id,",
        "longest), 0,",
    ),
]
