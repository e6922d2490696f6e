"""Uses the projected key as the value."""

SAYS = "projected key is used"
CHANGES = [
    ("values = split_heads(self.w_value(value), self.num_heads)  # (batch, heads, n, d_k)", "values = keys"),
]
