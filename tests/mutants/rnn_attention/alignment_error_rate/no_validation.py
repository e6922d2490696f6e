"""Takes the arguments as they come."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if weights.dim() != 2:",
        "if weights.dim() != 2 and False:",
    ),
    (
        "if weights.shape[0] > 0 and weights.shape[1] == 0:",
        "if False:",
    ),
    (
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()",
        "links = set(enumerate(weights.argmax(dim=-1).flatten().tolist())) if weights.numel() else set()",
    ),
]
