"""Computes in float32."""

SAYS = "dtype torch.float32"
CHANGES = [
    (
        "scores.maske",
        "scores.float().maske",
    ),
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return (weights.unsqueeze(1) @ values.float()).squeeze(1), weights",
    ),
]
