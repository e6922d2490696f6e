"""Stacks chunks of columns."""

CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "torch.stack(x.chunk(num_heads, dim=-1), dim=1)",
    ),
]
