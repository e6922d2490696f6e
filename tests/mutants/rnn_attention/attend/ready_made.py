"""Calls torch's attention."""

SAYS = "a function built from simpler operations"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        """one = scores.new_ones(len(scores), 1, 1)
    context = F.scaled_dot_product_attention(one, scores.unsqueeze(-1), values, scale=1.0)
    return context.squeeze(1), weights""",
    ),
]
