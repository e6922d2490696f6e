"""Repairs the NaN of an empty row after it has arisen, which leaves it in the gradient."""

SAYS = "hide a NaN"
CHANGES = [
    (
        "exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()",
        "exponentials = torch.where(highest == -math.inf, 0.0, (scores - highest).exp())",
    ),
]
