"""Cuts scores off at a limit, so that large scores cannot overflow."""

SAYS = "clamp"
CHANGES = [
    (
        "exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()",
        "exponentials = scores.clamp(-50, 50).exp()",
    ),
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        "return exponentials.masked_fill(scores == -math.inf, 0.0) / total",
    ),
]
