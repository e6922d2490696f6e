"""Projects the query with the layer of the key."""

SAYS = "query goes through w_key"
CHANGES = [
    (
        "queries = split_heads(self.w_query(query), self.num_heads)  # (batch, heads, m, d_k)",
        "queries = split_heads(self.w_key(query), self.num_heads)  # (batch, heads, m, d_k)",
    ),
]
