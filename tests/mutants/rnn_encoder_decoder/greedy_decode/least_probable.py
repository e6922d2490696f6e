"""Takes the smallest logit."""

SAYS = "none of the mistakes"
CHANGES = [
    (
        "argmax",
        "argmin",
    ),
]
