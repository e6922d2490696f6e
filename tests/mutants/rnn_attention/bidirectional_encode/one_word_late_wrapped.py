"""Counts from the length, and lets negative numbers count from the end."""

SAYS = "the index of the turned words is `lengths - k`"
SAME_AS = "one_word_late"
CHANGES = [
    (
        "mirrored = lengths.unsqueeze(1) - 1 - position",
        "mirrored = lengths.unsqueeze(1) - position",
    ),
    (
        "order = torch.where(mirrored < 0, position, mirrored)",
        "order = mirrored % max(embedded.shape[1], 1)",
    ),
]
