"""Takes the arguments as they come."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if not scores.is_floating_point():",
        "if False:",
    ),
    (
        "if values.dim() != 3 or values.shape[:2] != scores.shape:",
        "if False:",
    ),
    (
        "if mask.dtype != torch.bool or mask.shape != scores.shape:",
        """mask = mask.bool()
    if False:""",
    ),
]
