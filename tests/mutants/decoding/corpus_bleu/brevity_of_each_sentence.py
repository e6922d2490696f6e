"""Computes a brevity penalty for each sentence, and takes their mean."""

SAYS = "brevity penalty of each sentence"
CHANGES = [
    (
        "brevity_penalty = math.exp(min(0.0, 1 - wanted / written))",
        """penalties = [
        math.exp(min(0.0, 1 - len(other) / max(len(one), 1))) for one, other in zip(hypotheses, references, strict=True)
    ]
    brevity_penalty = sum(penalties) / len(penalties)""",
    )
]
