"""Believes that every head gets all columns."""

SAYS = "every head gets all columns"
CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "x.unsqueeze(1).expand(batch, num_heads, length, d_model)",
    ),
]
