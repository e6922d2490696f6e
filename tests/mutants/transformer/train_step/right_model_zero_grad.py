"""Sets the gradients to zero through the model, first of all."""

CHANGES = [
    (
        """    optimizer.zero_grad()
""",
        "",
    ),
    (
        """    model.train()
""",
        """    model.train()
    model.zero_grad()
""",
    ),
]
