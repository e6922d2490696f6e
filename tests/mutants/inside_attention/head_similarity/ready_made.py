"""Calls the cosine of torch."""

SAYS = "step by step"
CHANGES = [
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        "return torch.nn.functional.cosine_similarity(flattened.unsqueeze(1), flattened.unsqueeze(2), dim=-1)",
    ),
]
