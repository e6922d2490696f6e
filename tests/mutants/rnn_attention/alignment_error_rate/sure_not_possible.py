"""Takes the sets as they are, though sure links are possible too."""

SAYS = "count as possible too"
CHANGES = [
    (
        "allowed = sure | (possible or set())",
        "allowed = sure if possible is None else possible",
    ),
]
