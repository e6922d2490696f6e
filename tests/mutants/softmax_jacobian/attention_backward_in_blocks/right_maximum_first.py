"""Keeps maximum and sum apart."""

CHANGES = [
    (
        "log_total = torch.logaddexp(log_total, scores.logsumexp(-1, keepdim=True))",
        """top = torch.maximum(log_total, scores.amax(-1, keepdim=True))
        log_total = top + ((log_total - top).exp() + (scores - top).exp().sum(-1, keepdim=True)).log()""",
    ),
]
