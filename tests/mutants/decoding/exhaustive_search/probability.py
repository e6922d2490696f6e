"""Returns the probability."""

SAYS = "not its logarithm"
CHANGES = [("scores[best].item()", "scores[best].exp().item()")]
