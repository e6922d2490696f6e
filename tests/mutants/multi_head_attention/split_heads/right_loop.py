"""Copies head by head into a new tensor."""

CHANGES = [
    (
        "return x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        """d_k = d_model // num_heads
    heads = x.new_zeros(batch, num_heads, length, d_k)
    for i in range(num_heads):
        heads[:, i] = x[:, :, i * d_k : (i + 1) * d_k]
    return heads""",
    ),
]
