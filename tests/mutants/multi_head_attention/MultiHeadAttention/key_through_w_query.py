"""Projects the key with the layer of the query."""

SAYS = "key goes through w_query"
CHANGES = [
    (
        "keys = split_heads(self.w_key(key), self.num_heads)  # (batch, heads, n, d_k)",
        "keys = split_heads(self.w_query(key), self.num_heads)  # (batch, heads, n, d_k)",
    ),
]
