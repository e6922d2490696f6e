"""Accepts any number of dimensions in front."""

SAYS = "a batch of sentences"
CHANGES = [
    ("flattened = weights.flatten(start_dim=2)  # (layers, heads, m * n)", "flattened = weights.flatten(start_dim=-2)"),
    ("weights.dim() != 4", "weights.dim() < 4"),
]
