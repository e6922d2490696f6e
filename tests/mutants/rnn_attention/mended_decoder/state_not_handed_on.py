"""Keeps the first state."""

SAYS = "not handed on"
CHANGES = [
    (
        "hidden = cell(torch.cat([embedded[:, position], context], dim=-1), hidden)",
        "after = cell(torch.cat([embedded[:, position], context], dim=-1), hidden)",
    ),
    (
        "states.append(hidden)",
        "states.append(after)",
    ),
]
