"""Follows the most probable word."""

SAYS = "greedy decoding"
CHANGES = [
    (
        """    best = int(scores.argmax())
""",
        """    best, prefix = 0, []
    while len(prefix) < max_length and EOS not in prefix:
        fitting = [i for i, each in enumerate(sentences) if each[: len(prefix)] == prefix]
        position = len(prefix)
        row = logits[fitting[0], position]
        prefix = [*prefix, max([*words, EOS], key=lambda word: float(row[word]))]
    best = sentences.index(prefix)
""",
    )
]
