"""Compares the words themselves."""

SAYS = "do not go through"
CHANGES = [
    (
        "queries = split_heads(self.w_query(query), self.num_heads)  # (batch, heads, m, d_k)",
        "queries = split_heads(query, self.num_heads)  # (batch, heads, m, d_k)",
    ),
    (
        "keys = split_heads(self.w_key(key), self.num_heads)  # (batch, heads, n, d_k)",
        "keys = split_heads(key, self.num_heads)  # (batch, heads, n, d_k)",
    ),
]
