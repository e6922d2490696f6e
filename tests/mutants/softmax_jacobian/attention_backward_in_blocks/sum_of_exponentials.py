"""Keeps the sum of the exponentials, not its logarithm."""

SAYS = "not right"
CHANGES = [
    (
        "log_total = torch.logaddexp(log_total, scores.logsumexp(-1, keepdim=True))",
        "log_total = (log_total.exp() + scores.exp().sum(-1, keepdim=True)).log()",
    ),
]
