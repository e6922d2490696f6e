"""Computes a brevity penalty for each sentence, and multiplies them all."""

SAYS = "brevity penalty of each sentence"
CHANGES = [
    (
        "brevity_penalty = math.exp(min(0.0, 1 - wanted / written))",
        """brevity_penalty = 1.0
    for one, other in zip(hypotheses, references, strict=True):
        brevity_penalty *= math.exp(min(0.0, 1 - len(other) / max(len(one), 1)))""",
    )
]
