"""Does not shorten the gradients."""

SAYS = "clipping after the optimizer has moved the weights"
CHANGES = [
    (
        """    nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
""",
        "",
    ),
]
