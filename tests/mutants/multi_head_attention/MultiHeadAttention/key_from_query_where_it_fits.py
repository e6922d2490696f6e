"""Takes the key from the query where the lengths are equal."""

SAYS = "as in self-attention"
CHANGES = [
    (
        "keys = split_heads(self.w_key(key), self.num_heads)  # (batch, heads, n, d_k)",
        "keys = split_heads(self.w_key(query if query.shape == key.shape else key), self.num_heads)",
    ),
]
