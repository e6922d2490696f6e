"""Returns a tensor."""

SAYS = "still a tensor"
CHANGES = [
    (".item()", ""),
]
