"""Inverts a comparison, and adds the dimensions one by one."""

CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return (~(tokens == pad_id)).unsqueeze(1).unsqueeze(2)",
    ),
]
