"""Uses another eps in the norms."""

SAYS = "a small number"
CHANGES = [
    ("self.norm_1 = LayerNorm(d_model)", "self.norm_1 = LayerNorm(d_model, 1e-6)"),
]
