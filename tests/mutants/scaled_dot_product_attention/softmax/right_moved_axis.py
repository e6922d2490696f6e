"""Moves the row to the front and works there."""

CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        """rows = scores.movedim(-1, 0)
    top = rows.detach().amax(0)
    top = torch.where(top == -math.inf, torch.zeros_like(top), top)
    powers = torch.exp(rows - top)
    return (powers / powers.sum(0).clamp(min=1e-7)).movedim(0, -1)""",
    ),
]
