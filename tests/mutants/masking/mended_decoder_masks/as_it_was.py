"""Changes nothing."""

SAYS = "as long as the target"
CHANGES = [
    ("self_mask = causal & real", "self_mask = causal | real"),
    ("memory_mask = (source != PAD)[:, None, None, :]  # (batch, 1, 1, source_length)", "memory_mask = real"),
]
