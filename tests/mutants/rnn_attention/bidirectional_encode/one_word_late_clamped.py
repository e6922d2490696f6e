"""Counts from the length, keeps the index inside the sentence, and sets the padding to 0 at the end."""

SAYS = "the index of the turned words is `lengths - k`"
SAME_AS = "one_word_late"
CHANGES = [
    (
        "mirrored = lengths.unsqueeze(1) - 1 - position",
        "mirrored = lengths.unsqueeze(1) - position",
    ),
    (
        "order = torch.where(mirrored < 0, position, mirrored)",
        "order = mirrored.clamp(0, embedded.shape[1] - 1)",
    ),
    (
        "torch.cat([from_left, turn(from_right)], dim=-1)",
        "torch.cat([from_left, turn(from_right) * (position < lengths.unsqueeze(1)).unsqueeze(-1)], dim=-1)",
    ),
]
