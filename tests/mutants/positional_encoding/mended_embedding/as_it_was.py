"""Copies the broken function."""

SAYS = "and the token's part is divided"
CHANGES = [
    ("embedded = embedded * math.sqrt(table.shape[-1])", "embedded = embedded / math.sqrt(table.shape[-1])"),
    ("positions = encoding[: tokens.shape[1]]", "positions = encoding[: tokens.shape[0]].unsqueeze(1)"),
]
