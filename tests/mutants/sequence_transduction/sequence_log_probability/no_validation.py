"""Computes with whatever comes."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if logits.dim() != 3 or not logits.is_floating_point():",
        """logits = logits if logits.is_floating_point() else logits.float()
    if False:""",
    ),
]
