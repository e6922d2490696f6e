"""Chooses between two safe branches with torch.where."""

CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        "empty = (scores == -math.inf).all(-1, keepdim=True)\n    safe = torch.where(empty, torch.zeros_like(scores), scores)\n    powers = torch.exp(safe - safe.amax(-1, keepdim=True))\n    return torch.where(empty, torch.zeros_like(powers), powers / powers.sum(-1, keepdim=True))",
    ),
]
