"""Trusts the shape of v, and compares the matrices with each other."""

SAYS = "in v"
CHANGES = [
    (
        "if query.dim() != 2 or v.dim() != 1:",
        "if query.dim() != 2:",
    ),
    (
        "weight.shape != (len(v), states.shape[-1])",
        "weight.shape != (len(w_key), states.shape[-1])",
    ),
]
