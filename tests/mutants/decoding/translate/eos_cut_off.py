"""Cuts EOS off."""

SAYS = "EOS is missing"
CHANGES = [
    (
        "return greedy_decode(step, start(source), len(source), max_length)",
        """tokens = greedy_decode(step, start(source), len(source), max_length)
                return tokens.masked_fill(tokens == EOS, PAD)""",
    )
]
