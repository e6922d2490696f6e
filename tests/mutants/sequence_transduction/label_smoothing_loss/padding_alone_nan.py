"""Divides by the number of labels, which may be 0."""

SAYS = "0 divided by 0"
CHANGES = [
    (
        ".clamp(min=1)",
        "",
    ),
]
