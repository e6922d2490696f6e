"""Correlates the places."""

SAYS = "places in the two orders"
CHANGES = [
    (
        "total = pairs = 0",
        """return torch.corrcoef(torch.tensor([first, second]).argsort().argsort().double())[0, 1].item()
    total = pairs = 0""",
    ),
]
