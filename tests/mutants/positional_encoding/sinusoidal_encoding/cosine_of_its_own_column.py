"""Gives the cosine the exponent of its own column."""

SAYS = "takes the number of its own column"
CHANGES = [
    (
        "encoding[:, 1::2] = angles.cos()[:, : d_model // 2]",
        "encoding[:, 1::2] = (positions[:, None] / 10_000 ** ((pairs + 1) / d_model)).cos()[:, : d_model // 2]",
    ),
]
