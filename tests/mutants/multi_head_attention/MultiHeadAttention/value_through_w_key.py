"""Projects the value with the layer of the key."""

SAYS = "value goes through w_key"
CHANGES = [
    (
        "values = split_heads(self.w_value(value), self.num_heads)  # (batch, heads, n, d_k)",
        "values = split_heads(self.w_key(value), self.num_heads)  # (batch, heads, n, d_k)",
    ),
]
