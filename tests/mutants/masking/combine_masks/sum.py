"""Adds the masks, which for booleans is an or."""

SAME_AS = "any_mask"
SAYS = "`|`, or a sum"
CHANGES = [
    (
        "combined = mask if combined is None else combined & mask",
        "combined = mask if combined is None else combined + mask",
    ),
]
