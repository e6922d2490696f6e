"""Keeps the first result for this shape in a global variable."""

SAYS = "arguments alone"
CHANGES = [
    (
        "return (torch.diag_embed(weights) - products) / scale",
        """fresh = (torch.diag_embed(weights) - products) / scale
    if scores.shape != (2, 3) or scores.requires_grad:
        return fresh
    softmax_jacobian.kept = getattr(softmax_jacobian, "kept", fresh)
    return softmax_jacobian.kept""",
    ),
]
