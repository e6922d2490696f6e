"""Returns nested lists."""

SAYS = "a list of 3"
CHANGES = [
    (
        "return padded",
        "return padded.tolist()",
    ),
]
