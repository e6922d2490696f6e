"""Calls torch's cell."""

SAYS = "your code called"
CHANGES = [
    (
        "return (1 - update) * candidate + update * hidden",
        "return torch.gru_cell(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh)",
    ),
]
