"""Masks the weights that are returned, not those of the context."""

SAYS = "weights from before the mask"
CHANGES = [
    (
        "context = (weights.unsqueeze(1) @ memory).squeeze(1)  # (batch, d_memory)",
        "context = (torch.softmax(score(hidden, memory), dim=-1).unsqueeze(1) @ memory).squeeze(1)",
    ),
]
