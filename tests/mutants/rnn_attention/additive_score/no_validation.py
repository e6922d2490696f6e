"""Takes the arguments as they come."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if query.dim() != 2 or v.dim() != 1:",
        "if False:",
    ),
    (
        "if keys.dim() != 3 or len(keys) != len(query):",
        "if False:",
    ),
    (
        "if weight.shape != (len(v), states.shape[-1]):",
        "if False:",
    ),
]
