"""Hands the cell the context before the word."""

SAYS = "the context stands before the word"
CHANGES = [
    (
        "torch.cat([embedded[:, position], context], dim=-1)",
        "torch.cat([context, embedded[:, position]], dim=-1)",
    ),
]
