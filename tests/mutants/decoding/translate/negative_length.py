"""Takes a negative max_length for 0."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "return greedy_decode(step, start(source), len(source), max_length)",
        "return greedy_decode(step, start(source), len(source), max(max_length, 0))",
    )
]
