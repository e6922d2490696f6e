"""Leaves the model in evaluation mode."""

CHANGES = [
    (
        "return loss.item()",
        """model.eval()
    return float(loss)""",
    ),
]
