"""Computes in float64 and converts back."""

CHANGES = [
    (
        "logits.log_softmax(dim=-1)",
        "logits.double().log_softmax(dim=-1)",
    ),
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1).to(logits.dtype)",
    ),
]
