"""Takes max_length for the number of words without EOS."""

SAYS = "beyond `max_length`"
CHANGES = [
    (
        "return greedy_decode(step, start(source), len(source), max_length)",
        "return greedy_decode(step, start(source), len(source), max_length + 1)",
    )
]
