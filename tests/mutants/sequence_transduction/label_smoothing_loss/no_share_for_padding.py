"""Gives padding and the right word no share."""

SAYS = "vocab_size - 2"
CHANGES = [
    (
        """    if smoothing > 0:
        losses = losses - smoothing * log_probabilities.mean(dim=-1)
""",
        """    if smoothing > 0:
        shares = torch.full_like(logits, smoothing / max(vocab_size - 2, 1))
        shares[..., 0] = 0
        shares = shares.scatter(-1, words.unsqueeze(-1), 0.0)
        losses = losses - (shares * log_probabilities).sum(dim=-1)
""",
    ),
]
