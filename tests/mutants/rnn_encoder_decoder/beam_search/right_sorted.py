"""Sorts everything, and cuts."""

CHANGES = [
    (
        "totals, chosen = sums.flatten().topk(min(beam_width, sums.numel()))",
        "totals, chosen = (each[:beam_width] for each in sums.flatten().sort(descending=True))",
    ),
]
