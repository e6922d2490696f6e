"""Switches to eval mode after the encoder."""

SAYS = "`model.eval()` comes after"
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
