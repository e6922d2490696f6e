"""Takes the average of each block for that of the row."""

SAYS = "not right"
CHANGES = [
    (
        "grad_scores = weights * (grad",
        """upstream = grad_output @ some_values.transpose(-2, -1)
        average = (weights * upstream).sum(-1, keepdim=True)
        grad_scores = weights * (grad""",
    ),
]
