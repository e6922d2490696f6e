"""Takes floats for words."""

SAYS = "a target of floats"
CHANGES = [
    (
        " or target.dtype != torch.long",
        "",
    ),
]
