"""Forgets to set the gradients to 0."""

SAYS = "two Python numbers: the loss"
CHANGES = [
    (
        """        optimizer.zero_grad()
""",
        "",
    ),
    (
        "loss.item(), logits",
        "loss, logits",
    ),
]
