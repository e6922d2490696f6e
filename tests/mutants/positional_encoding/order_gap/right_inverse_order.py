"""Brings the second result back, in the place of the first one forward."""

CHANGES = [
    (
        "(before[order] - after).abs().max().item()",
        "(before - after[torch.tensor(order).argsort()]).abs().max().item()",
    ),
]
