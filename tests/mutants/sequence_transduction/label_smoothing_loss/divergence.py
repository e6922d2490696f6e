"""Computes the Kullback-Leibler divergence, which is lower by the entropy of the labels."""

SAYS = "Kullback-Leibler"
CHANGES = [
    (
        """    if smoothing > 0:
        losses = losses - smoothing * log_probabilities.mean(dim=-1)
""",
        """    if smoothing > 0:
        losses = losses - smoothing * log_probabilities.mean(dim=-1)
    low, high = smoothing / vocab_size, 1 - smoothing + smoothing / vocab_size
    for share, times in ((low, vocab_size - 1), (high, 1)):
        losses = losses + (times * share * math.log(share) if share > 0 else 0.0)
""",
    ),
]
