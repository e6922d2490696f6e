"""Believes that True means `hide`."""

SAYS = "True = hide"
CHANGES = [
    (
        "combined = mask if combined is None else combined & mask",
        "combined = mask if combined is None else ~(combined | mask)",
    ),
]
