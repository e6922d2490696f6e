"""Forgets d_ff."""

SAYS = "d_ff is not used"
CHANGES = [
    ("nn.Linear(d_model, d_ff)", "nn.Linear(d_model, d_model)"),
    ("nn.Linear(d_ff, d_model)", "nn.Linear(d_model, d_model)"),
]
