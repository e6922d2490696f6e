"""Keeps a mean of earlier calls for evaluation."""

SAYS = "evaluation mode"
CHANGES = [
    (
        "self.eps = eps",
        """self.eps = eps
        self.kept = None""",
    ),
    (
        "centred = x - x.mean(dim=-1, keepdim=True)",
        """self.kept = x.mean(dim=-1, keepdim=True).detach() if self.training else self.kept
        centred = x - (x.mean(dim=-1, keepdim=True) if self.training else self.kept.mean())""",
    ),
]
