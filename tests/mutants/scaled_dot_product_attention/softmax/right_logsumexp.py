"""Computes the logarithm first: torch.logsumexp is stable, and the exponential comes last."""

CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        "empty = highest == -math.inf\n    safe = scores.masked_fill(empty, 0.0)\n    return (safe - safe.logsumexp(dim=-1, keepdim=True)).exp().masked_fill(empty, 0.0)",
    ),
]
