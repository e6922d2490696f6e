"""Shortens the gradients before they exist."""

SAYS = "clipping after the optimizer has moved the weights"
CHANGES = [
    (
        """    nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
""",
        "",
    ),
    (
        """    optimizer.zero_grad()
""",
        """    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
""",
    ),
]
