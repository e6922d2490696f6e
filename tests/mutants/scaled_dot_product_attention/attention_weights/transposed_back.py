"""Transposes the scores of square inputs, where the shape does not tell."""

SAYS = "those of one query"
CHANGES = [
    (
        "return softmax(scores)",
        "return softmax(scores).transpose(-2, -1) if scores.shape[-2] == scores.shape[-1] else softmax(scores)",
    ),
]
