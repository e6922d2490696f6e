"""Lets torch divide by the lengths."""

CHANGES = [
    (
        "directions = flattened / lengths.masked_fill(lengths == 0, 1.0)",
        "directions = torch.nn.functional.normalize(flattened.double(), dim=-1).to(weights.dtype)",
    ),
]
