"""Subtracts the logarithm of the sum from the logit of the label."""

CHANGES = [
    (
        "log_probabilities.gather(-1, words).squeeze(-1)",
        "logits.gather(-1, words).squeeze(-1) - logits.logsumexp(dim=-1)",
    ),
]
