"""Uses the function of task 4."""

CHANGES = [
    (
        "context = (weights.unsqueeze(1) @ memory).squeeze(1)  # (batch, d_memory)",
        "context, weights = attend(score(hidden, memory), memory, mask)",
    ),
]
