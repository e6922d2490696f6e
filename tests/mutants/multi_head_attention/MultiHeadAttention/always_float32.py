"""Converts the inputs to float32."""

SAYS = "RuntimeError"
CHANGES = [
    (
        "queries = split_heads(self.w_query(query), self.num_heads)  # (batch, heads, m, d_k)",
        "queries = split_heads(self.w_query(query.float()), self.num_heads)  # (batch, heads, m, d_k)",
    ),
]
