"""Chooses between two safe branches with torch.where."""

CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        """empty = (scores == -math.inf).all(-1, keepdim=True)
    safe = torch.where(empty, torch.zeros_like(scores), scores)
    powers = torch.exp(safe - safe.amax(-1, keepdim=True))
    return torch.where(empty, torch.zeros_like(powers), powers / powers.sum(-1, keepdim=True))""",
    ),
]
