"""Takes the arguments as they come."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if query.dim() != 2:",
        "if False:",
    ),
    (
        "if keys.dim() != 3 or len(keys) != len(query) or keys.shape[2] != query.shape[1]:",
        "if False:",
    ),
]
