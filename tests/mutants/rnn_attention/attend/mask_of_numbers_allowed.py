"""Turns a mask of numbers into a boolean one."""

SAYS = "a mask of numbers"
CHANGES = [
    (
        "if mask.dtype != torch.bool or mask.shape != scores.shape:",
        """mask = mask.bool()
    if mask.shape != scores.shape:""",
    ),
]
