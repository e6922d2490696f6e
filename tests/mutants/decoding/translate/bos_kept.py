"""Returns BOS too."""

SAYS = "BOS is part of the result"
CHANGES = [
    (
        "return greedy_decode(step, start(source), len(source), max_length)",
        "return F.pad(greedy_decode(step, start(source), len(source), max_length), (1, 0), value=BOS)",
    )
]
