"""Draws the gain at random."""

SAYS = "weight does not start with"
SAME_AS = "starts_with_zeros"
CHANGES = [
    ("torch.ones(d_model)", "torch.randn(d_model)"),
]
