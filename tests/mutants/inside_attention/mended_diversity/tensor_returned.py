"""Returns a tensor."""

SAYS = "a Python number"
CHANGES = [
    ("return cosines[:, different].mean().item()", "return cosines[:, different].mean()"),
]
