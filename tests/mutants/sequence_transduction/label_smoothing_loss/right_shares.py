"""Writes out the whole distribution of the labels."""

CHANGES = [
    (
        """losses = -(1 - smoothing) * log_probabilities.gather(-1, words.unsqueeze(-1)).squeeze(-1)  # (...)
    if smoothing > 0:
        losses = losses - smoothing * log_probabilities.mean(dim=-1)""",
        """hot = torch.nn.functional.one_hot(words, vocab_size)
    shares = (1 - smoothing) * hot.to(logits.dtype) + smoothing / vocab_size
    losses = -torch.where(shares > 0, shares * log_probabilities.masked_fill(shares == 0, 0.0), 0.0).sum(dim=-1)""",
    ),
]
