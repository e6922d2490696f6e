"""Finds the least probable word that stays, and drops what is below it."""

CHANGES = [
    (
        """    probabilities, order = torch.softmax(logits / temperature, dim=-1).sort(dim=-1, descending=True)
""",
        """    plain = torch.softmax(logits / temperature, dim=-1)
    probabilities, order = plain.sort(dim=-1, descending=True)
""",
    ),
    (
        """    kept = probabilities.masked_fill(before >= p, 0.0)
""",
        """    least = probabilities.masked_fill(before >= p, 2.0).amin(dim=-1, keepdim=True)
    kept = plain.masked_fill(plain < least, 0.0)
""",
    ),
    (
        """    return torch.zeros_like(kept).scatter(-1, order, kept)
""",
        """    return kept
""",
    ),
]
