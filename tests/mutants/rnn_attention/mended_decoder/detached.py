"""Cuts the graph between two words."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "hidden = cell(torch.cat([embedded[:, position], context], dim=-1), hidden)",
        "hidden = cell(torch.cat([embedded[:, position], context], dim=-1), hidden.detach())",
    ),
]
