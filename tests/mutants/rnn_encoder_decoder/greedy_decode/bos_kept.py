"""Keeps BOS in the result."""

SAYS = "BOS is part of the result"
CHANGES = [
    (
        "return written",
        "return torch.cat([torch.full((batch_size, 1), bos_id), written], dim=1)",
    ),
]
