"""Calls torch's multi-head attention."""

SAYS = "your code called"
CHANGES = [
    (
        "    heads = []",
        """    width = x.shape[-1]
    torch.nn.functional.multi_head_attention_forward(
        *[x.transpose(0, 1)] * 3, width, num_heads, torch.cat([w_query, w_key, w_value]), None, None, None, False, 0.0,
        w_output, None)
    heads = []""",
    ),
]
