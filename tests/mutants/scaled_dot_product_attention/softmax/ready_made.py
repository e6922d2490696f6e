"""Calls torch's softmax."""

SAYS = "your code called"
CHANGES = [
    ("return exponentials / total.masked_fill(total == 0, 1.0)", "return torch.softmax(scores, dim=-1)"),
]
