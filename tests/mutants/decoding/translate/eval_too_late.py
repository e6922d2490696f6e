"""Switches to eval mode after the encoder."""

SAYS = "while in train mode"
CHANGES = [
    (
        """    model.eval()
    try:""",
        "    try:",
    ),
    (
        '"memory": model.encode(rows), "source": rows}',
        '"memory": model.encode(rows), "source": rows, "mode": torch.full((len(rows), 1), float(bool(model.eval())))}',
    ),
]
