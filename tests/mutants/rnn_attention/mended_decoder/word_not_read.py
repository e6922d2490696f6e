"""Forgets the word."""

SAYS = "the words are not read"
CHANGES = [
    (
        "hidden = cell(torch.cat([embedded[:, position], context], dim=-1), hidden)",
        "hidden = cell(torch.cat([torch.zeros_like(embedded[:, position]), context], dim=-1), hidden)",
    ),
]
