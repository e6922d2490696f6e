"""Divides by scale in the scores, in the weights and at the end."""

SAYS = "divided by scale twice"
CHANGES = [
    (
        "return (torch.diag_embed(weights) - products) / scale",
        "return (torch.diag_embed(weights) - products) / scale**2",
    ),
]
