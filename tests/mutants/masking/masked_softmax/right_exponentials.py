"""Masks the exponentials, which are shifted by the largest score that is allowed."""

CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        """hidden = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        powers = (hidden - hidden.detach().amax(-1, keepdim=True)).exp() * mask
        total = powers.sum(-1, keepdim=True)
        return powers / torch.where(total == 0, 1.0, total)""",
    ),
]
