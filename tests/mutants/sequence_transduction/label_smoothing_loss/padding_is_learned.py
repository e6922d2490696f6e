"""Takes padding for a word."""

SAYS = "padding is learned like a word"
CHANGES = [
    (
        """losses = losses.masked_fill(padding, 0.0)
    return losses.sum() / (~padding).sum().clamp(min=1)""",
        "return losses.mean()",
    ),
]
