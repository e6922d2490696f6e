"""Never forms log probabilities, and works in float64."""

CHANGES = [
    (
        "losses = -(1 - smoothing) * log_probabilities.gather(-1, words.unsqueeze(-1)).squeeze(-1)  # (...)",
        """large = logits.double()
    total = large.logsumexp(dim=-1)
    losses = (1 - smoothing) * (total - large.gather(-1, words.unsqueeze(-1)).squeeze(-1))""",
    ),
    (
        "losses - smoothing * log_probabilities.mean(dim=-1)",
        "losses + smoothing * (total - large.mean(dim=-1))",
    ),
    (
        "return losses.sum() / (~padding).sum().clamp(min=1)",
        "return (losses.sum() / (~padding).sum().clamp(min=1)).to(logits.dtype)",
    ),
]
