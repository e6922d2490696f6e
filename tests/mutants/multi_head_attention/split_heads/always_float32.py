"""Makes a new float32 tensor for the heads."""

SAYS = "made without a dtype"
CHANGES = [
    (
        "return x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        """heads = torch.zeros(batch, num_heads, length, d_model // num_heads)
    heads[:] = x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)
    return heads""",
    ),
]
