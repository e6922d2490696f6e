"""Leaves the biases out."""

SAYS = "have no bias"
CHANGES = [
    ("nn.Linear(d_model, d_ff)", "nn.Linear(d_model, d_ff, bias=False)"),
    ("nn.Linear(d_ff, d_model)", "nn.Linear(d_ff, d_model, bias=False)"),
]
