"""Mixes the words themselves."""

SAYS = "does not go through w_value"
CHANGES = [
    (
        "values = split_heads(self.w_value(value), self.num_heads)  # (batch, heads, n, d_k)",
        "values = split_heads(value, self.num_heads)  # (batch, heads, n, d_k)",
    ),
]
