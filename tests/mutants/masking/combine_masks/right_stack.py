"""Broadcasts all masks, stacks them, and asks for all."""

CHANGES = [
    (
        "return combined",
        """given = [mask for mask in masks if mask is not None]
    return torch.stack(torch.broadcast_tensors(*given)).all(dim=0) if given else None""",
    ),
]
