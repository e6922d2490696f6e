"""Mends the mask of self-attention only."""

SAME_AS = "as_it_was"
SAYS = "as long as the target"
CHANGES = [
    ("memory_mask = (source != PAD)[:, None, None, :]  # (batch, 1, 1, source_length)", "memory_mask = real"),
]
