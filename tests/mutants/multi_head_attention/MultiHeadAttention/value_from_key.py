"""Takes the value from the input of the key."""

SAYS = "computed from the key input"
CHANGES = [
    (
        "values = split_heads(self.w_value(value), self.num_heads)  # (batch, heads, n, d_k)",
        "values = split_heads(self.w_value(key), self.num_heads)  # (batch, heads, n, d_k)",
    ),
]
