"""Calls the version with all scores at once."""

SAYS = "scores of all keys are held"
CHANGES = [
    (
        "blocks = list(",
        """if True:
        return attention_backward(query, key, value, grad_output, scale)
    blocks = list(""",
    ),
]
