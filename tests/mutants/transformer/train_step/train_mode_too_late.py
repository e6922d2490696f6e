"""Sets the mode after the model was called."""

SAYS = "it comes after the model is called"
SAME_AS = "mode_left_alone"
CHANGES = [
    (
        """    model.train()
""",
        "",
    ),
    (
        """    optimizer.zero_grad()
""",
        """    model.train()
    optimizer.zero_grad()
""",
    ),
]
