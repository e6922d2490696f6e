"""Gets the weights from torch's attention, with the identity for a value."""

SAYS = "your code called"
CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        """eye = torch.eye(scores.shape[-1], dtype=scores.dtype)
        return torch.nn.functional.scaled_dot_product_attention(scores, eye, eye, attn_mask=mask, scale=1.0)""",
    ),
]
