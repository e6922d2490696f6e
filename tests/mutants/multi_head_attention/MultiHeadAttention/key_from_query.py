"""Thinks of self-attention, where all inputs are one."""

SAYS = "value: expected"
CHANGES = [
    (
        "keys = split_heads(self.w_key(key), self.num_heads)  # (batch, heads, n, d_k)",
        "keys = split_heads(self.w_key(query), self.num_heads)  # (batch, heads, n, d_k)",
    ),
]
