"""Makes a mask of 0 and -inf, to be added."""

SAME_AS = "float_mask"
SAYS = "of 0 and -inf"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return torch.zeros(tokens.shape).masked_fill(tokens == pad_id, -math.inf)[:, None, None, :]",
    ),
]
