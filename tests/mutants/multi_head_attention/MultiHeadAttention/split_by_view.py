"""Believes that view brings the heads to the front."""

SAYS = "whole words"
CHANGES = [
    (
        "queries = split_heads(self.w_query(query), self.num_heads)  # (batch, heads, m, d_k)",
        "queries = self.w_query(query).reshape(query.shape[0], self.num_heads, query.shape[1], self.d_k)",
    ),
    (
        "keys = split_heads(self.w_key(key), self.num_heads)  # (batch, heads, n, d_k)",
        "keys = self.w_key(key).reshape(key.shape[0], self.num_heads, key.shape[1], self.d_k)",
    ),
    (
        "values = split_heads(self.w_value(value), self.num_heads)  # (batch, heads, n, d_k)",
        "values = self.w_value(value).reshape(value.shape[0], self.num_heads, value.shape[1], self.d_k)",
    ),
]
