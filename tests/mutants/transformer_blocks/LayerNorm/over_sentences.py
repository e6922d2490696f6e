"""Takes mean and variance over the batch."""

SAYS = "over the sentences of the batch"
CHANGES = [
    ("centred = x - x.mean(dim=-1, keepdim=True)", "centred = x - x.mean(dim=0, keepdim=True)"),
    (
        "variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)",
        "variance = centred.square().mean(dim=0, keepdim=True)",
    ),
]
