"""Returns a tensor."""

SAYS = "use `.item()`"
CHANGES = [
    (
        ".mean().item()",
        ".mean()",
    ),
]
