"""Computes the logarithm first: torch.logsumexp is stable, and the exponential comes last."""

CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        """empty = highest == -math.inf
    safe = scores.masked_fill(empty, 0.0)
    return (safe - safe.logsumexp(dim=-1, keepdim=True)).exp().masked_fill(empty, 0.0)""",
    ),
]
