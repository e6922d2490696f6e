"""Replaces -inf by a large negative number, so that an empty row becomes uniform."""

SAYS = "large finite number"
CHANGES = [
    (
        "exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()",
        """scores = scores.clamp(min=-1e9)
    exponentials = (scores - scores.detach().amax(-1, keepdim=True)).exp()""",
    ),
]
