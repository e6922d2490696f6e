"""Leaves it to the parts, one of which is torch's."""

SAYS = "RuntimeError"
CHANGES = [
    ("if each.dim() != 3 or each.shape[-1] != d_model:", "if False:"),
    ("self.norm_1 = LayerNorm(d_model)", "self.norm_1 = nn.LayerNorm(d_model)"),
]
