"""Takes every number below pad_id for padding."""

SAYS = "below `pad_id` are hidden"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return (tokens > pad_id)[:, None, None, :]",
    ),
]
