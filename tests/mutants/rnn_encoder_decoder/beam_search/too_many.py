"""Returns all that ever ended."""

SAYS = "all that ever ended"
CHANGES = [
    (
        "reverse=True)[:beam_width]",
        "reverse=True)",
    ),
]
