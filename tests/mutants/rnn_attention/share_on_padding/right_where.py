"""Picks the weights with torch.where."""

CHANGES = [
    (
        "return (weights * padding.unsqueeze(1)).sum(dim=-1).mean().item()",
        "return float(torch.where(padding.unsqueeze(1), weights, 0.0).sum() / weights[..., 0].numel())",
    ),
]
