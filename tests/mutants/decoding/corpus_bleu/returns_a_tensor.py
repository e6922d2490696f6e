"""Computes with torch."""

SAYS = "one tensor"
CHANGES = [
    (
        "return 100 * brevity_penalty * product_of_precisions ** (1 / max_order)",
        "return torch.tensor(100 * brevity_penalty * product_of_precisions ** (1 / max_order))",
    )
]
