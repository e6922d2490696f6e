"""Trains in evaluation mode."""

SAYS = "`model.train()` is missing"
SAME_AS = "mode_left_alone"
CHANGES = [
    ("model.train()", "model.eval()"),
]
