"""Drops the columns that do not fill a head."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("num_heads < 1 or d_model % num_heads != 0", "num_heads < 1"),
    (
        "return x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        """x = x[..., : d_model - d_model % num_heads]
    return x.reshape(batch, length, num_heads, d_model // num_heads).transpose(1, 2)""",
    ),
]
