"""Takes the arguments as they come."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if query.dim() != 2:",
        "if False:",
    ),
    (
        "if keys.dim() != 3 or keys[:, 0].shape != query.shape:",
        "if False:",
    ),
]
