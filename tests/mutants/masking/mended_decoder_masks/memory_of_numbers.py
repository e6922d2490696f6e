"""Takes the source's mask for one of numbers."""

SAYS = "dtype"
CHANGES = [
    (
        "memory_mask = (source != PAD)[:, None, None, :]  # (batch, 1, 1, source_length)",
        "memory_mask = (source != PAD)[:, None, None, :].float()",
    ),
]
