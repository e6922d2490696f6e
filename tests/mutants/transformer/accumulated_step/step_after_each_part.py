"""Makes an update after each part."""

SAYS = "another loss or update"
SAME_AS = "mean_of_means"
CHANGES = [
    (
        """        total += loss.item()
""",
        """        total += loss.item()
        optimizer.step()
""",
    ),
]
