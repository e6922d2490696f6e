"""Decodes greedily one sentence at a time."""

SAYS = "one by one"
CHANGES = [
    (
        "return greedy_decode(step, start(source), len(source), max_length)",
        """rows = [greedy_decode(step, start(row[None]), 1, max_length)[0].tolist() for row in source]
                return pad_sequences(rows)""",
    )
]
