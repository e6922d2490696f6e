"""Subtracts one maximum from all rows, so that rows with low scores vanish."""

SAYS = "maximum of the whole tensor"
CHANGES = [
    ("highest = scores.detach().amax(dim=-1, keepdim=True)  # (..., 1)", "highest = scores.detach().max()"),
]
