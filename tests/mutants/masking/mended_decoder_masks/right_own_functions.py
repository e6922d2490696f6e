"""Calls the functions of the tasks before."""

CHANGES = [
    ("self_mask = causal & real", "self_mask = combine_masks(causal_mask(length), padding_mask(target))"),
    (
        "memory_mask = (source != PAD)[:, None, None, :]  # (batch, 1, 1, source_length)",
        "memory_mask = padding_mask(source)",
    ),
]
