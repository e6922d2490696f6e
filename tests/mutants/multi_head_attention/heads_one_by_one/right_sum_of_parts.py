"""Projects each head back at once and adds up: no concatenation."""

CHANGES = [
    (
        "scaled_dot_product_attention(query, key, value)[0]",
        "scaled_dot_product_attention(query, key, value)[0] @ w_output[:, start : start + d_k].T",
    ),
    ("torch.cat(heads, dim=-1) @ w_output.T", "sum(heads)"),
]
