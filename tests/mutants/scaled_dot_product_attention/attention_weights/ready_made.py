"""Gets the weights from torch's attention, with the identity for a value."""

SAYS = "your code called"
CHANGES = [
    (
        "return softmax(scores)",
        """eye = torch.eye(key.shape[-2], dtype=key.dtype).expand(*key.shape[:-1], -1)
    return torch.nn.functional.scaled_dot_product_attention(query, key, eye)""",
    ),
]
