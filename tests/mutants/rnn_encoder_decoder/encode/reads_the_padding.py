"""Lets the cell read the padding."""

SAYS = "the loop reads the padding too"
CHANGES = [
    (
        "hidden = torch.where(real, cell(embedded[:, position], hidden), hidden)",
        "hidden = cell(embedded[:, position], hidden)",
    ),
]
