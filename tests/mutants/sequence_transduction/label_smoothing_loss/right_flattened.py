"""Flattens, drops the padding, and averages what is left."""

CHANGES = [
    (
        "losses = -(1 - smoothing) * log_probabilities.gather(-1, words.unsqueeze(-1)).squeeze(-1)  # (...)",
        """logits, words, keep = logits.reshape(-1, vocab_size), words.reshape(-1), ~padding.reshape(-1)
    log_probabilities = logits.log_softmax(dim=-1)[keep]
    losses = -(1 - smoothing) * log_probabilities.gather(-1, words[keep].unsqueeze(-1)).squeeze(-1)""",
    ),
    (
        """    losses = losses.masked_fill(padding, 0.0)
    return losses.sum() / (~padding).sum().clamp(min=1)""",
        "    return losses.sum() / max(len(losses), 1)",
    ),
]
