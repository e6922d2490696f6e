"""Gives the smoothing to the wrong words only, as the paper's other reading has it."""

SAYS = "`smoothing / (vocab_size - 1)`"
CHANGES = [
    (
        """    if smoothing > 0:
        losses = losses - smoothing * log_probabilities.mean(dim=-1)
""",
        """    if smoothing > 0:
        others = log_probabilities.sum(dim=-1) - log_probabilities.gather(-1, words.unsqueeze(-1)).squeeze(-1)
        losses = losses - smoothing * others / (vocab_size - 1)
""",
    ),
]
