"""Takes the value from the query where the lengths are equal."""

SAYS = "computed from the query input"
CHANGES = [
    (
        "values = split_heads(self.w_value(value), self.num_heads)  # (batch, heads, n, d_k)",
        "values = split_heads(self.w_value(query if query.shape == key.shape else value), self.num_heads)",
    ),
]
