"""Computes in float64."""

CHANGES = [
    (
        "torch.zeros(1)",
        "torch.zeros(1, dtype=torch.float64)",
    ),
    (
        "logits.log_softmax(dim=1)",
        "logits.double().log_softmax(dim=1)",
    ),
]
