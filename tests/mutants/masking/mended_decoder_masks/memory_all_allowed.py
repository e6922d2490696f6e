"""Lets everyone attend to all of the memory."""

SAYS = "not right"
CHANGES = [
    (
        "memory_mask = (source != PAD)[:, None, None, :]  # (batch, 1, 1, source_length)",
        "memory_mask = torch.ones(len(source), 1, 1, source.shape[1], dtype=torch.bool)",
    ),
]
