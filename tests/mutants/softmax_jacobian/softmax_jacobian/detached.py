"""Returns a copy without a graph."""

SAYS = "`.detach()`"
CHANGES = [
    (
        "return (torch.diag_embed(weights) - products) / scale",
        "return ((torch.diag_embed(weights) - products) / scale).detach()",
    ),
]
