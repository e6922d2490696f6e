"""Returns percent."""

SAYS = "shorter tensor"
CHANGES = [
    (
        ".mean().item()",
        ".mean().item() * 100",
    ),
]
