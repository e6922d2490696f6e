"""Looks for the maximum in a first pass over the blocks."""

CHANGES = [
    (
        "new_highest = torch.clamp(scores.amax(-1, keepdim=True), min=highest)  # (..., m, 1)",
        """tops = [query @ k.transpose(-2, -1) / math.sqrt(query.shape[-1]) for k in key.split(block_size, -2)]
        new_highest = torch.stack([top.amax(-1, keepdim=True) for top in tops]).amax(0)""",
    ),
]
