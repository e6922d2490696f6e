"""Calls torch's multi-head attention."""

SAYS = "your code called"
CHANGES = [
    (
        "    batch, query_length",
        """    one = torch.eye(query.shape[-1], dtype=query.dtype)
    torch.nn.functional.multi_head_attention_forward(
        query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1), len(one), num_heads,
        torch.cat([one, one, one]), None, None, None, False, 0.0, one, None)
    batch, query_length""",
    ),
]
