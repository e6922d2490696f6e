"""Believes that True hides, as in torch.nn.MultiheadAttention."""

SAYS = "wrong way round"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(mask, -math.inf)"),
]
