"""Correlates the numbers."""

SAYS = "correlation"
CHANGES = [
    (
        "total = pairs = 0",
        """return torch.corrcoef(torch.tensor([first, second]).double())[0, 1].item()
    total = pairs = 0""",
    ),
]
