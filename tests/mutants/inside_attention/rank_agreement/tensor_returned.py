"""Returns a tensor."""

SAYS = "a Python number"
CHANGES = [
    ("return total / pairs", "return torch.tensor(total / pairs)"),
]
