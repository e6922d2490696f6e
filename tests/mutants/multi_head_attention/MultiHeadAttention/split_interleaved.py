"""Cuts d_k groups of num_heads columns."""

SAYS = "interleaved, not contiguous"
CHANGES = [
    (
        "queries = split_heads(self.w_query(query), self.num_heads)  # (batch, heads, m, d_k)",
        "queries = self.w_query(query).unflatten(-1, (self.d_k, self.num_heads)).permute(0, 3, 1, 2)",
    ),
    (
        "keys = split_heads(self.w_key(key), self.num_heads)  # (batch, heads, n, d_k)",
        "keys = self.w_key(key).unflatten(-1, (self.d_k, self.num_heads)).permute(0, 3, 1, 2)",
    ),
    (
        "values = split_heads(self.w_value(value), self.num_heads)  # (batch, heads, n, d_k)",
        "values = self.w_value(value).unflatten(-1, (self.d_k, self.num_heads)).permute(0, 3, 1, 2)",
    ),
]
